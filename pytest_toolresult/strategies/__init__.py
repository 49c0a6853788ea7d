"""Argument generation: from a JSON Schema to the calls worth making."""

from __future__ import annotations
