"""`[faults]` items, faults put by hand, and what is said where nothing was broken."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

STORE = '''
    from shop import answer

    ROWS = [{"order_id": 1}, {"order_id": 2}]

    def query(customer_id: str) -> list:
        return [dict(row) for row in ROWS]

    def failed(code: str, retryable: bool) -> dict:
        error = {"code": code, "retryable": retryable,
                 "message": "the orders cannot be read; tell the user so"}
        return answer("error", error=error)

    def orders(customer_id: str) -> dict:
        """List the orders of a customer."""
        try:
            rows = query(customer_id) or []
        except (TimeoutError, ConnectionError):
            return failed("DB_TIMEOUT", True)
        except Exception:
            return failed("DB", False)
        if not rows:
            return answer("empty", [])
        if len(rows) > 20:
            return answer("partial", rows[:20], truncated=True, total=len(rows))
        return answer("success", rows)

    def hiding(customer_id: str) -> dict:
        """List the orders of a customer, or what looks like it."""
        try:
            rows = query(customer_id) or []
        except Exception:
            rows = []
        return answer("success" if rows else "empty", rows[:20] or [])

    TOOLS = [orders, hiding]
    '''

CONTRACTS = """
    tools = "store:TOOLS"

    [tool.orders]
    success = { customer_id = "c-1" }
    dependencies = ["store.query"]

    [[tool.orders.case]]
    path = "error"
    arguments = { customer_id = "c-1" }
    code = "DB_TIMEOUT"
    when = { fault = "timeout", at = "store.query" }

    [tool.hiding]
    dependencies = ["store.query"]
    """


def test_a_marked_tool_is_broken_where_it_is_told(write: Write, run: Run) -> None:
    write("store.py", STORE)
    write(
        "test_it.py",
        """
        import pytest
        from pytest_toolresult import Case, fault
        from store import orders

        @pytest.mark.toolresult(
            tool=orders,
            success={"customer_id": "c-1"},
            error=Case({"customer_id": "c-1"}, code="DB_TIMEOUT",
                       when=fault("timeout", at="store.query")),
            dependencies=["store.query"],
        )
        def test_orders(tool_case):
            result = tool_case.run()
            assert result.status == tool_case.status
        """,
    )
    ran = run("test_it.py")
    assert ran.short == {
        "test_orders[success]": "passed",
        "test_orders[error-DB_TIMEOUT]": "passed",
        "test_orders[fuzz]": "passed",
        "test_orders[faults]": "passed",
    }
    tool = ran.tool("orders")
    assert tool["coverage"] == 100
    assert tool["faults"] == {"planned": 7, "fired": 7, "unfired": []}
    assert tool["statuses"]["partial"]["by"] == ["faults"]
    assert tool["codes"]["DB"]["seen"]
    assert " 7/7 " in ran.stdout


@pytest.fixture
def found(write: Write, run: Run) -> Any:
    """What a contract file with two tools brings to light."""
    write("store.py", STORE)
    write("toolresult.toml", CONTRACTS)
    return run("toolresult.toml")


def test_a_contract_file_names_what_is_broken(found: Any) -> None:
    items = {name.partition("::")[2]: ended for name, ended in found.outcomes.items()}
    assert items == {
        "orders::success": "passed",
        "orders::error-DB_TIMEOUT": "passed",
        "orders::fuzz": "passed",
        "orders::faults": "passed",
        "hiding::fuzz": "passed",
        "hiding::faults": "failed",
    }


def test_a_failure_says_what_had_failed_and_what_came_back_otherwise(
    found: Any,
) -> None:
    told = found.stdout
    assert "TR902 fault-as-empty  hiding" in told
    assert "  while       store.query " in told
    assert "(store.py:" in told
    assert '  came back   {"status": "empty"' in told
    assert '  otherwise   {"status": "success"' in told
    assert "; also under " in told
    (hidden, *_) = (each for each in found.findings if each["rule"] == "TR902")
    assert hidden["fault"].keys() == {"name", "seam", "site"}
    assert "circumstances" not in hidden


def test_a_printed_line_breaks_the_same_call_again(found: Any, run: Run) -> None:
    lines = [line for line in found.stdout.splitlines() if "  replay  " in line]
    assert lines
    command = shlex.split(lines[0].partition("replay")[2])
    assert command[0] == "pytest"
    again = run(*command[1:])
    assert again.exit == 1
    assert [each["rule"] for each in again.findings] == ["TR902"]
    assert again.findings[0]["fault"] == found.findings[0]["fault"]
    assert len(again.at("hiding::faults")["planned"]) == 1


def test_a_printed_line_survives_lines_that_are_inserted_above(
    found: Any, write: Write, run: Run
) -> None:
    lines = [line for line in found.stdout.splitlines() if "  replay  " in line]
    command = shlex.split(lines[0].partition("replay")[2])
    write("store.py", f"    # What follows was moved down.\n\n{STORE}")
    again = run(*command[1:])
    assert [each["rule"] for each in again.findings] == ["TR902"]
    moved, before = again.findings[0]["fault"], found.findings[0]["fault"]
    assert moved["name"] == before["name"]
    assert moved["site"] != before["site"]


@pytest.mark.parametrize(
    ("keyword", "message"),
    [
        ('dependencies=["store.qery"]', "did you mean 'query'?"),
        ('dependencies=["stoer.query"]', "stoer"),
        ('dependencies=["store.ROWS"]', "cannot be called"),
        ('success=Case({}, when=fault("timeout", at="store.qery"))', "'query'"),
        ('success=Case({}, when=fault("timeot", at="x.y"))', "did you mean 'timeout'"),
        ('success=Case({}, when=fault("http_503", at="store.query"))', "Valid: timeou"),
        ('success=Case({}, when=fault("timeout", at="htpx"))', "unknown library"),
    ],
)
def test_what_cannot_be_broken_is_refused(
    write: Write, run: Run, keyword: str, message: str
) -> None:
    write("store.py", STORE)
    write(
        "test_it.py",
        f"""
        import pytest
        from pytest_toolresult import Case, fault
        from store import orders

        @pytest.mark.toolresult(tool=orders, {keyword})
        def test_orders(tool_case):
            tool_case.run()
        """,
    )
    ran = run("test_it.py")
    assert ran.exit == 2
    assert message in ran.stdout


def test_a_case_whose_fault_strikes_nothing_has_tested_nothing(
    write: Write, run: Run
) -> None:
    write("store.py", STORE)
    write(
        "test_it.py",
        """
        import pytest
        from pytest_toolresult import Case, fault
        from shop import find_orders

        @pytest.mark.toolresult(
            tool=find_orders,
            error=Case({"customer_id": ""}, when=fault("timeout", at="store.query")),
            fuzz=False,
        )
        def test_it(tool_case):
            tool_case.run()
        """,
    )
    ran = run("test_it.py")
    assert ran.short == {"test_it[error]": "failed"}
    assert (
        "fault('timeout', at='store.query') never took effect, so nothing was tested:"
        " nothing called store.query" in ran.stdout
    )


def test_a_dependency_is_broken_for_a_block(write: Write, run: Run) -> None:
    write("store.py", STORE)
    write(
        "test_it.py",
        """
        import asyncio
        import pytest
        from store import orders, query

        def test_by_hand(call_tool, inject_fault):
            with inject_fault("timeout", at="store.query"):
                assert call_tool(orders, customer_id="c").error["code"] == "DB_TIMEOUT"
                assert orders("c")["error"]["code"] == "DB_TIMEOUT"
                with pytest.raises(TimeoutError):
                    query("c")
            assert call_tool(orders, customer_id="c").status == "success"

        @pytest.mark.asyncio
        async def test_async(acall_tool, inject_fault):
            with inject_fault("no_permission", at="store.query"):
                result = await acall_tool(orders, customer_id="c")
                assert await asyncio.to_thread(orders, "c") == result.raw
            assert result.error["code"] == "DB"

        def test_nothing(inject_fault):
            with inject_fault("timeout", at="store.query"):
                pass

        def test_unknown(inject_fault):
            with inject_fault("timeot", at="store.query"):
                query("c")

        def test_own_failure_goes_first(inject_fault):
            with inject_fault("timeout", at="store.query"):
                raise LookupError("of the test's own")
        """,
    )
    ran = run("test_it.py")
    assert ran.short == {
        "test_by_hand": "passed",
        "test_async": "passed",
        "test_nothing": "failed",
        "test_unknown": "failed",
        "test_own_failure_goes_first": "failed",
    }
    assert "never took effect, so nothing was tested" in ran.stdout
    assert "unknown fault 'timeot'; did you mean 'timeout'?" in ran.stdout
    assert "LookupError: of the test's own" in ran.stdout
    assert "contextlib" not in ran.stdout


def test_async_tools_are_broken_on_the_loop_of_the_test(write: Write, run: Run) -> None:
    write(
        "sends.py",
        """
        import asyncio
        from shop import answer

        async def send(to: str) -> dict:
            await asyncio.sleep(0)
            return {"message_id": to}

        async def notify(to: str) -> dict:
            try:
                sent = await send(to)
            except Exception:
                error = {"code": "SEND", "retryable": False, "message": "not sent"}
                return answer("error", error=error)
            if not sent:
                return answer("empty", [])
            return answer("success", sent)

        async def stubborn(to: str) -> dict:
            try:
                return await notify(to)
            except asyncio.CancelledError:
                return answer("success", {"message_id": "sent anyway"})
        """,
    )
    write(
        "test_it.py",
        """
        import asyncio
        import pytest
        from sends import notify, stubborn

        @pytest.mark.asyncio
        @pytest.mark.toolresult(tool=[notify, stubborn], fuzz=False,
                                dependencies=["sends.send"], ignore={"TR904": "short"})
        async def test_it(tool_case):
            await tool_case.arun()
        """,
    )
    ran = run("test_it.py")
    fired = ran.tool("notify")["faults"]
    assert fired["planned"] == fired["fired"]
    keys = ran.at("notify-faults]")["fired"]
    assert "cancelled" in {each.rpartition("!")[2] for each in keys}

    def when_cancelled(name: str) -> list[str]:
        findings = ran.tool(name)["findings"]
        return [
            each["rule"] for each in findings if each["fault"]["name"] == "cancelled"
        ]

    assert when_cancelled("notify") == []
    assert when_cancelled("stubborn") == ["TR813"]


def test_nothing_to_break_is_skipped_with_its_reason(run: Run) -> None:
    ran = run("--toolresult", "shop:add", "-rs")
    assert ran.exit == 0
    assert "SKIPPED" in ran.stdout
    assert "no call to anything it depends on was seen" in ran.stdout
    assert "add: faults: no call to anything it depends on was seen" in ran.stdout
    gaps = {each["what"] for each in ran.report["not_covered"]}
    assert gaps == {"faults"}


def test_an_exploration_is_left_out_on_request(write: Write, run: Run) -> None:
    write("store.py", STORE)
    write("toolresult.toml", 'tools = "store:orders"\n[tool.orders]\nfaults = false\n')
    assert run("toolresult.toml", "--collect-only", "-q").stdout.count("faults") == 0


def test_what_cannot_be_compared_is_said_and_never_passed(
    write: Write, run: Run
) -> None:
    write(
        "moods.py",
        """
        from itertools import count
        from shop import answer
        from store import ROWS, query

        ASKED, READ = count(), count()

        def flips(customer_id: str) -> dict:
            if next(ASKED) % 3 == 2:
                return answer("empty", [])
            return answer("success", query(customer_id))

        def stamped(customer_id: str) -> dict:
            try:
                rows = query(customer_id) or []
            except Exception:
                rows = ROWS
            read = [{**row, "nth": next(READ)} for row in rows[:20]]
            return answer("success" if read else "empty", read)

        TOOLS = [flips, stamped]
        """,
    )
    write("store.py", STORE)
    write(
        "toolresult.toml",
        """
        tools = "moods:TOOLS"
        [tool.flips]
        success = { customer_id = "c-1" }
        dependencies = ["store.query"]
        fuzz = false
        relations = false
        [tool.stamped]
        success = { customer_id = "c-1" }
        dependencies = ["store.query"]
        ignore = { TR208 = "another test is about that" }
        fuzz = false
        relations = false
        """,
    )
    ran = run("toolresult.toml", "-rs")
    told = " ".join(ran.stdout.split())
    items = {name.partition("::")[2]: ended for name, ended in ran.outcomes.items()}
    assert "flips::faults" not in items
    assert "SKIPPED [1]" in told
    assert "it answers differently each time, without any fault: first" in told
    assert items["stamped::faults"] == "passed"
    assert "its data differs from call to call without any fault (data[].nth)" in told
