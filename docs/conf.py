"""How Sphinx builds the documentation."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for the extension beside this file

project = "pytest-toolresult"
copyright = "The pytest-toolresult developers"  # noqa: A001 - Sphinx asks for this name
release = metadata.version("pytest-toolresult")

extensions = ["myst_parser", "rule_cards"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
html_title = f"{project} {release}"
