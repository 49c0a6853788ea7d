"""Secrets in text: finding and masking them."""

from __future__ import annotations
