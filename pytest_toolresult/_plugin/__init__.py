"""The pytest side: options, marks, collection, items, session, xdist."""

from __future__ import annotations
