"""Says in words what had failed around a call."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.calls import Call
    from pytest_toolresult.faults import Injection

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "timeout": "timed out",
        "refused": "was refused the connection",
        "reset": "lost the connection half-way",
        "dns": "could not resolve the host",
        "tls": "failed on the certificate",
        "slow": "took very long",
        "html": "answered an HTML page",
        "malformed": "answered what cannot be parsed",
        "truncated": "answered only a part",
        "empty_body": "answered nothing at all",
        "wrong_shape": "answered data of another shape",
        "emptied": "found nothing",
        "inflated": "found very much",
        "unavailable": "found nothing to connect to",
        "locked": "found the database locked",
        "closed": "found the connection closed",
        "integrity": "broke a constraint of the database",
        "undefined": "named a table or column that is not there",
        "missing_file": "found no such file",
        "no_permission": "was not permitted",
        "is_a_directory": "found a directory",
        "disk_full": "found the disk full",
        "io_error": "failed with an input/output error",
        "undecodable": "read bytes that are no text",
        "missing_program": "found no such program",
        "exit_status": "exited with an error",
        "killed": "was killed",
        "unexpected": "raised an error nobody expects",
    }
)


def circumstances(call: Call) -> str:
    """Say what had failed around a call, such as `while GET /rates answered 503`.

    Args:
        call: A call with a fault in force, or one that was made once it was over.

    Returns:
        A clause with the place in brackets, or an empty text where nothing failed.
    """
    if call.injection is not None:
        happened = " after ".join(
            map(_happened, (call.injection, *reversed(call.besides)))
        )
        return f"while {happened} ({_place(call.injection)})"
    if call.reference is not None and call.reference.injection is not None:
        before = call.reference.injection
        return f"after {_happened(before)} ({_place(before)}), which is over"
    return ""


def _happened(injection: Injection) -> str:
    name, where = injection.fault.name, injection.where
    what = injection.fault.at or " ".join(filter(None, (where.operation, where.detail)))
    if name == "cancelled":
        return f"the call was cancelled at {what}"
    if name.startswith("http_"):
        words = f"answered {name.removeprefix('http_')}"
    else:
        words = _WORDS.get(name, f"met the fault {name}")
    lasting = ", then and later" if injection.persistent else ""
    return f"{what} {words}{lasting}"


def _place(injection: Injection) -> str:
    where = injection.where
    return where.site if injection.fault.at else f"{where.seam}, {where.site}"
