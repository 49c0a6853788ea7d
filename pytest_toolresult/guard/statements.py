"""What SQLite's authorizer says about a statement, and whether that writes.

Codes and arguments: https://www.sqlite.org/c3ref/c_alter_table.html
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

READ: Final = 20
ATTACH: Final = 24
VACUUM_SCHEMA: Final = "vacuum_db"
"""The schema that `VACUUM` builds, whatever database it is for."""

_PRAGMA: Final = 19
_TRANSACTION: Final = 22
_FUNCTION: Final = 31

_READING: Final = frozenset(
    {READ, 21, 25, 32, 33}  # SELECT, DETACH, SAVEPOINT, RECURSIVE
)
_TEMPORARY: Final = frozenset(
    {3, 4, 5, 6, 12, 13, 14, 15}  # CREATE_TEMP_* and DROP_TEMP_*
)
_ROWS: Final[Mapping[int, str]] = MappingProxyType(
    {9: "DELETE FROM", 18: "INSERT INTO", 23: "UPDATE"}
)
_SCHEMA: Final[Mapping[int, str]] = MappingProxyType(
    {
        1: "CREATE INDEX",
        2: "CREATE TABLE",
        7: "CREATE TRIGGER",
        8: "CREATE VIEW",
        10: "DROP INDEX",
        11: "DROP TABLE",
        16: "DROP TRIGGER",
        17: "DROP VIEW",
        27: "REINDEX",
        28: "ANALYZE",
        29: "CREATE VIRTUAL TABLE",
        30: "DROP VIRTUAL TABLE",
    }
)
_ALTER: Final = 26

_PERSISTENT_WITHOUT_VALUE: Final = frozenset(
    {"incremental_vacuum", "optimize", "wal_checkpoint"}
)
_READ_WITH_VALUE: Final = frozenset(
    {
        "foreign_key_check",
        "foreign_key_list",
        "index_info",
        "index_list",
        "index_xinfo",
        "integrity_check",
        "quick_check",
        "table_info",
        "table_list",
        "table_xinfo",
    }
)
_OF_THE_CONNECTION: Final = frozenset(
    {
        "analysis_limit",
        "automatic_index",
        "busy_timeout",
        "cache_size",
        "cache_spill",
        "case_sensitive_like",
        "cell_size_check",
        "checkpoint_fullfsync",
        "defer_foreign_keys",
        "encoding",
        "foreign_keys",
        "fullfsync",
        "hard_heap_limit",
        "ignore_check_constraints",
        "journal_size_limit",
        "legacy_alter_table",
        "locking_mode",
        "mmap_size",
        "query_only",
        "read_uncommitted",
        "recursive_triggers",
        "reverse_unordered_selects",
        "secure_delete",
        "soft_heap_limit",
        "synchronous",
        "temp_store",
        "threads",
        "trusted_schema",
        "wal_autocheckpoint",
    }
)


def writes(
    action: int,
    first: str | None,
    second: str | None,
    schema: str | None,
    *,
    journal: str,
) -> str | None:
    """Say in words what a step of a statement would write, `None` where nothing.

    Args:
        action: The authorizer's action code.
        first: Its first argument: a table, a pragma, a transaction's verb.
        second: Its second argument: a pragma's value, a function's name.
        schema: The schema it concerns, such as `main`.
        journal: The connection's journal mode at the beginning, such as `wal`.
    """
    if action in _READING or action in _TEMPORARY or action == _TRANSACTION:
        return None
    if action == _FUNCTION:
        return "load_extension" if second == "load_extension" else None
    if action == _PRAGMA:
        return _pragma((first or "").casefold(), second, journal)
    if schema == "temp":
        return None
    if schema == VACUUM_SCHEMA:
        return "VACUUM"
    return _change(action, first, second)


def ends_transaction(action: int, verb: str | None) -> bool:
    """Whether a step commits or rolls back a whole transaction."""
    return action == _TRANSACTION and verb in {"COMMIT", "ROLLBACK"}


def _change(action: int, first: str | None, second: str | None) -> str:
    if action in _ROWS:
        if first and first.startswith("sqlite_"):
            return "a change of the schema"
        return f"{_ROWS[action]} {first}"
    if action == _ALTER:
        return f"ALTER TABLE {second}"
    return f"{_SCHEMA.get(action, f'action {action}')} {first or ''}".rstrip()


def _pragma(name: str, value: str | None, journal: str) -> str | None:
    if value is None:
        return f"PRAGMA {name}" if name in _PERSISTENT_WITHOUT_VALUE else None
    if name in _READ_WITH_VALUE or name in _OF_THE_CONNECTION:
        return None
    if name == "journal_mode" and not _enters_or_leaves_wal(value, journal):
        return None
    return f"PRAGMA {name}={value}"


def _enters_or_leaves_wal(value: str, journal: str) -> bool:
    """Only this journal mode is kept in the file, all others in the connection."""
    asked = value.casefold()
    return asked != journal and "wal" in {asked, journal}
