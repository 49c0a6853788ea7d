from __future__ import annotations

import dataclasses
import enum
from types import SimpleNamespace
from typing import Any, Literal

import pytest

from pytest_toolresult.codescan import statuses_and_codes


def ok(data: object) -> dict[str, Any]:
    return {"status": "success", "data": data, "error": None, "meta": {}}


def nothing() -> dict[str, Any]:
    return {"status": "empty", "data": [], "error": None, "meta": {}}


def failed(code: str, text: str) -> dict[str, Any]:
    error = {"code": code, "message": text, "retryable": False}
    return {"status": "error", "data": None, "error": error, "meta": {}}


def helpers(name: str) -> dict[str, Any]:
    if name == "USD":
        return failed("NOT_FOUND", "no such thing")
    return ok({"currency": "EUR"}) if name else nothing()


def plain(name: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"status": "success", "data": name}
    if len(name) > 10:
        answer["status"] = "partial"
    return answer


def reads_only(upstream: dict[str, Any]) -> Any:
    if upstream["status"] == "partial" or upstream.get("error"):
        return SimpleNamespace(status="error", error={"code": "upstream.down"})
    return ok(upstream)


class Code(enum.Enum):
    BUSY = "busy_now"


class State(enum.StrEnum):
    DONE = "success"
    FAILED = "error"


@dataclasses.dataclass
class Result:
    status: Literal["success", "empty", "partial", "error"]
    code: str = ""

    @classmethod
    def fail(cls, code: Code) -> Result:
        return cls("error", code.value)


def classes(name: str) -> Result:
    return Result.fail(Code.BUSY) if name else Result("success")


def enums(name: str) -> dict[str, Any]:
    return {"status": State.DONE if name else State.FAILED, "data": None}


def renames(name: str) -> Result:
    local = Result
    return local.fail(Code.BUSY) if name else local("empty")


class QuotaError(Exception):
    code = "QUOTA_EXCEEDED"


def raises(name: str) -> str:
    if name:
        raise QuotaError
    return name


@pytest.mark.parametrize(
    ("tool", "statuses", "codes"),
    [
        (helpers, {"success", "empty", "error"}, {"NOT_FOUND"}),
        (plain, {"success", "partial"}, set()),
        (reads_only, {"success", "error"}, {"upstream.down"}),
        (classes, {"success", "error"}, {"busy_now"}),
        (renames, {"empty", "error"}, {"busy_now"}),
        (enums, {"success", "error"}, set()),
        (raises, set(), {"QUOTA_EXCEEDED"}),
    ],
)
def test_statuses_and_codes_are_read_from_the_code(
    tool: Any, statuses: set[str], codes: set[str]
) -> None:
    produced = statuses_and_codes(tool)
    assert produced is not None
    assert (set(produced.statuses), set(produced.codes)) == (statuses, codes)


@pytest.mark.parametrize("tool", [len, "".join, dict.fromkeys])
def test_without_python_code_nothing_can_be_told(tool: Any) -> None:
    assert statuses_and_codes(tool) is None


def _refuse(name: str) -> None:
    raise LookupError(name)


def test_raising_on_purpose_is_seen_through_helpers() -> None:
    def tool(name: str) -> str:
        if name:
            _refuse(name)
        return name

    produced = statuses_and_codes(tool)
    assert produced is not None
    assert produced.raises


def test_an_assert_or_a_crash_is_not_raised_on_purpose() -> None:
    source = "def tool(name):\n    assert name, 'needed'\n    return name.split()[0]\n"
    names: dict[str, Any] = {"__name__": __name__}
    # From a text, because pytest turns the asserts of this file into raises.
    exec(compile(source, __file__, "exec"), names)  # noqa: S102
    produced = statuses_and_codes(names["tool"])
    assert produced is not None
    assert not produced.raises
