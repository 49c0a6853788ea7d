"""From the ledger to files and text."""

from __future__ import annotations
