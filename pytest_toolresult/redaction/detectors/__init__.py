"""How secrets look: one module a kind of evidence, each from a text to its spans."""

from __future__ import annotations
