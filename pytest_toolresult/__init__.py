"""Test what the tools of an LLM agent hand back to the model."""

from __future__ import annotations
