"""The pytest entry point: hooks only, everything else on demand."""

from __future__ import annotations
