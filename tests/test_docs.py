"""What a user can type is documented, and what is documented can be typed."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

from pytest_toolresult.contract import KEYWORDS
from pytest_toolresult.rules.catalogue import rules

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"
OPTION = re.compile(r"--toolresult(?:-[a-z-]+)?(?![a-z-])")
INI_KEY = re.compile(r"\btoolresult_[a-z_]+")


def first_column(page: str) -> set[str]:
    """The names in backticks at the start of each table row of a page."""
    text = (REFERENCE / page).read_text("utf-8")
    cells = re.findall(r"(?m)^\| (`.*?) \|", text)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def pytest_help() -> str:
    command = [sys.executable, "-m", "pytest", "--help"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_every_option_and_ini_key_is_documented() -> None:
    told = pytest_help()
    documented = first_column("options.md")
    options = set(re.findall(r"(?m)^  (--toolresult[a-z-]*)", told))
    ini_keys = set(re.findall(r"(?m)^  (toolresult_[a-z_]+)", told))
    assert options
    assert ini_keys
    assert {name for name in documented if OPTION.fullmatch(name)} == options
    assert {name for name in documented if INI_KEY.fullmatch(name)} == ini_keys


def test_every_key_of_the_marker_is_documented() -> None:
    documented = first_column("marker.md")
    assert set(KEYWORDS) <= documented
    assert "tool" in documented


def test_every_rule_has_its_page_and_its_row() -> None:
    writer = runpy.run_path(str(REFERENCE.parent / "rule_cards.py"))
    assert writer["PLACE"] in (REFERENCE / "rules.md").read_text("utf-8")
    tables = writer["tables"](rules())
    for rule in rules():
        assert f"[{rule.id} {rule.name}](rules/{rule.id}.md)" in tables
        page = writer["page"](rule)
        assert page.startswith(f"# {rule.id} {rule.name}\n")
        card = rule.card
        for part in (card.what, card.why, card.fix, "Wrong:", "Right:"):
            assert part in page
        shown = [writer["folded"](each.text) for each in (*card.bad, *card.good)]
        assert all(each.strip("`") in page for each in shown)
