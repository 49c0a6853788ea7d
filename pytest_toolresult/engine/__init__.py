"""Drives tools and judges what they answer.

The engine is where the two halves meet: explorations and the runner make calls and
never judge, rules judge and never call. It chooses the dialect, holds every result
to the rules, tells apart what several calls showed, has each fault shrunk to simple
arguments, and hands back evidence.
"""

from __future__ import annotations
