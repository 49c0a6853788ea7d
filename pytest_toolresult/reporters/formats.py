"""What the JSON files of the project share: a format number, and words for damage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_toolresult.errors import ReportError
from pytest_toolresult.ledger.json_data import Record

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_object(data: bytes) -> Mapping[str, Any]:
    """Read a JSON object.

    Raises:
        ReportError: If it is none.
    """
    try:
        document = json.loads(data)
    except UnicodeDecodeError as error:
        raise ReportError(f"it is no UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise ReportError(_damage(data, error)) from None
    except (ValueError, RecursionError) as error:
        raise ReportError(f"it is no JSON that can be read ({error})") from None
    return Record.of(document, "the whole file").values


def check_format(document: Mapping[str, Any], newest: int) -> None:
    """Check the format number of a file.

    Args:
        document: The file's content.
        newest: The newest format that can be read.

    Raises:
        ReportError: If the number is absent or newer.
    """
    written = document.get("format")
    if isinstance(written, bool) or not isinstance(written, int) or written < 1:
        raise ReportError(
            f"it says no format number ('format' is {written!r}); it was written by"
            " another program, or cut"
        )
    if written > newest:
        raise ReportError(
            f"it has format {written}, and this release reads up to format {newest};"
            " install a newer pytest-toolresult"
        )


def _damage(data: bytes, error: json.JSONDecodeError) -> str:
    if not data.strip():
        return "it is empty"
    return f"it is damaged at line {error.lineno}, column {error.colno}: {error.msg}"
