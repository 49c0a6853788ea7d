"""Options and ini keys: their names, and whether a run uses them.

This module is loaded in every pytest run, so it imports next to nothing; what the
values amount to is worked out in `configuration`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TARGET_NODES: Final[
    pytest.StashKey[Callable[[pytest.Session], Iterable[pytest.Collector]]]
] = pytest.StashKey()
"""Makes the nodes of the targets that the run drives."""

_INI: Final = {
    "toolresult_tools": ("linelist", "targets for --toolresult-auto, one a line"),
    "toolresult_dialect": ("string", "how results read as envelopes"),
    "toolresult_validate_arguments": (
        "string",
        "true or false: whether arguments are validated before a function sees them",
    ),
    "toolresult_select": ("args", "ids or prefixes of the rules that are active"),
    "toolresult_ignore": ("linelist", "waived rules, a line each: `TR201: reason`"),
    "toolresult_severity": (
        "linelist",
        "other severities, a line each: `TR408: error` (or warning, advice)",
    ),
    "toolresult_budget": ("string", "the most tokens a result may take"),
    "toolresult_token_counter": (
        "string",
        "counts tokens exactly: `module:function`, from a text to a number",
    ),
    "toolresult_profile": ("string", "default or strict"),
    "toolresult_allow": ("args", "what every tool may do while it is explored"),
    "toolresult_allow_values": (
        "linelist",
        "values that may be seen, a line each: `VALUE # reason`, `/PATTERN/ # reason`",
    ),
    "toolresult_timeout": ("string", "the bound of one call, in seconds"),
    "toolresult_examples": ("string", "how many calls an exploration makes at most"),
    "toolresult_slow_returns": (
        "string",
        "tell before Python 3.12 too which returns were not reached, which is slower",
    ),
    "toolresult_memory": (
        "string",
        "how many MiB a tool may take while it is explored (default: 4096)",
    ),
    "toolresult_fail_under": ("string", "the least coverage, in percent"),
}

_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "--toolresult": {
        "dest": "toolresult_targets",
        "action": "append",
        "default": [],
        "metavar": "[ALIAS=]TARGET",
        "help": (
            "drive the tools of TARGET (module:attribute or file.py:attribute)"
            " down all their status paths; can be repeated"
        ),
    },
    "--toolresult-auto": {
        "dest": "toolresult_auto",
        "action": "store_true",
        "help": "also drive the targets of the ini key toolresult_tools",
    },
    "--toolresult-timeout": {
        "dest": "toolresult_timeout",
        "metavar": "SECONDS",
        "help": "the bound of one call (default: 5)",
    },
    "--toolresult-examples": {
        "dest": "toolresult_examples",
        "metavar": "N",
        "help": "how many calls an exploration makes at most (default: 250)",
    },
    "--toolresult-dialect": {
        "dest": "toolresult_dialect",
        "metavar": "NAME",
        "help": (
            "how results read as envelopes: auto, envelope, native, mcp,"
            " `map: status=ok data=result error=err`, or a dotted function"
        ),
    },
    "--toolresult-show": {
        "dest": "toolresult_show",
        "metavar": "WHAT",
        "help": "which findings are printed in full: errors, warnings, all",
    },
    "--toolresult-write-baseline": {
        "dest": "toolresult_write_baseline",
        "action": "store_true",
        "help": "record the findings of this run: from then on only new ones fail",
    },
    "--toolresult-update-lock": {
        "dest": "toolresult_update_lock",
        "action": "store_true",
        "help": (
            "write the shapes, statuses and codes of this run into toolresult.lock.json"
        ),
    },
    "--toolresult-fail-under": {
        "dest": "toolresult_fail_under",
        "metavar": "N",
        "help": "fail the run if less than N percent of the status paths were seen",
    },
    "--toolresult-report": {
        "dest": "toolresult_reports",
        "action": "append",
        "default": [],
        "metavar": "TYPE:PATH",
        "help": "write a report (json); can be repeated",
    },
    "--toolresult-replay": {
        "dest": "toolresult_replay",
        "metavar": "ARGUMENTS",
        "help": (
            "make one call with these arguments (a JSON object) in the selected"
            " exploration, as a finding's replay line says"
        ),
    },
}


def add_options(parser: pytest.Parser) -> None:
    """Register the options and ini keys."""
    group = parser.getgroup("toolresult", "results of agent tools")
    for name, keywords in _OPTIONS.items():
        group.addoption(name, **keywords)
    for key, (kind, text) in _INI.items():
        parser.addini(key, text, type=kind, default=None)  # type: ignore[arg-type]


def is_asked(config: pytest.Config) -> bool:
    """Tell whether options or ini file set anything of the plugin's."""
    return any(map(config.getini, _INI)) or any(
        config.getoption(keywords["dest"]) for keywords in _OPTIONS.values()
    )
