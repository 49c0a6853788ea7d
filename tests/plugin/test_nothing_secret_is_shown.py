"""A tool that leaks everything, and every output of ours in which no secret stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Write = Callable[..., None]

TOKEN = "acme_tk_" + "Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP"
PASSWORD = "Vq7-n2LxTz9"  # noqa: S105 - nobody's
ADDRESS = "mysql://root:" + "Qm4vBx8LsW@db1/shop"
SSN = "536-90-" + "4399"
CARD = "4539 1488 " + "0343 6467"
SECRETS = (TOKEN, PASSWORD, "Qm4vBx8LsW", SSN, CARD, CARD.replace(" ", ""))

LEAKY = f"""
    import logging
    import os
    import sys

    import pytest

    log = logging.getLogger(__name__)
    EVERYTHING = {{
        "token": "{TOKEN}",
        "password": "{PASSWORD}",
        "note": "reached {ADDRESS}",
        "ssn": "{SSN}",
        "card": "{CARD}",
        "rows": [["password={PASSWORD}"], "{CARD.replace(" ", "")}"],
    }}

    def answer(status, data=None, error=None, **meta):
        return {{"status": status, "data": data, "error": error, "meta": meta}}

    def leak(query: str, password: str = "x") -> dict:
        '''Leak everything, everywhere.'''
        log.debug("all of it: %s", EVERYTHING)
        print("password:", "{PASSWORD}", "at {ADDRESS}")
        os.write(2, b"card {CARD} token {TOKEN} ssn: {SSN}\\n")
        if not query:
            raise RuntimeError("no answer from {ADDRESS} with {TOKEN}")
        if query == "e":
            return answer("error", error={{"code": "{TOKEN}", "retryable": True,
                                           "message": "password {PASSWORD} refused"}})
        return answer("success", {{**EVERYTHING, "echo": query, "given": password}})
"""


@pytest.fixture
def leaky(write: Write) -> None:
    write("leaky.py", LEAKY)
    write(
        "test_leaky.py",
        f"""
        import pytest

        from leaky import leak

        @pytest.mark.toolresult(
            tool=leak,
            success={{"query": "x", "password": "{PASSWORD}"}},
            error={{"query": "e"}},
        )
        def test_leak(tool_case):
            tool_case.run()

        def test_by_hand(call_tool):
            call_tool(leak, query="{ADDRESS}", password="{PASSWORD}")
        """,
    )


def written(folder: Path) -> dict[str, str]:
    """Return every file that a run left behind, but for the sources."""
    return {
        str(path.relative_to(folder)): path.read_text("utf-8", "replace")
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }


@pytest.mark.usefixtures("leaky")
@pytest.mark.parametrize(
    "workers", [[], ["-p", "xdist", "-n", "2"]], ids=["one", "xdist"]
)
def test_no_output_of_a_run_shows_a_secret(
    spawn: Run, project: Path, workers: list[str]
) -> None:
    ran = spawn(
        *workers,
        "-v",
        "-rA",
        "--tb=line",
        "--toolresult-show=all",
        "--toolresult-examples=40",
        "--junitxml=junit.xml",
        "-o",
        "junit_logging=all",
        "--toolresult",
        "leaky:leak",
        "--toolresult-write-baseline",
        "--toolresult-update-lock",
        "test_leaky.py",
        "leaky:leak::leak::fuzz",
        timeout=120,
    )
    assert {"TR601", "TR602", "TR603", "TR604", "TR605", "TR607"} & ran.rules
    assert {"TR609", "TR610"} <= ran.rules
    files = written(project)
    lock = "toolresult.lock.json"
    assert {"junit.xml", "toolresult.baseline.json", lock} <= files.keys()
    for name, text in {**files, "stdout": ran.stdout, "stderr": ran.stderr}.items():
        # To call the tool again, Hypothesis's database keeps arguments as they are.
        given = (PASSWORD,) if name.startswith(".hypothesis") else ()
        for secret in {*SECRETS}.difference(given):
            assert secret not in text, (
                name,
                text[max(0, text.find(secret) - 200) :][:300],
            )


@pytest.mark.usefixtures("leaky")
def test_captured_output_of_an_item_is_masked(run: Run) -> None:
    ran = run("test_leaky.py", "-k", "by_hand", "--tb=short")
    assert "Captured log call" in ran.stdout or "Captured stderr call" in ran.stdout
    assert "[card-number, 19 chars" in ran.stdout
    for secret in (TOKEN, CARD):
        assert secret not in ran.stdout


def test_standard_error_is_passed_on_without_capture(write: Write, spawn: Run) -> None:
    write(
        "test_said.py",
        f"""
        import os, sys

        def speak(name: str) -> dict:
            print("hello from the tool, {TOKEN}", file=sys.stderr)
            os.write(2, b"and from C\\\\n")
            return {{"status": "success", "data": 1, "error": None, "meta": {{}}}}

        def test_it(call_tool):
            try:
                call_tool(speak, name="x")
            except BaseException:
                pass
            print("after", file=sys.stderr)
        """,
    )
    ran = spawn("-s", "test_said.py")
    said = ran.stdout + ran.stderr
    assert "hello from the tool, [token, 36 chars" in said
    assert "and from C" in said
    assert "after" in said
    assert TOKEN not in said
