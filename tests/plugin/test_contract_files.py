"""`toolresult.toml`: contracts without Python, as items of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    Run = Callable[..., Any]
    Write = Callable[..., None]

FILE = """
    tools = "shop:TOOLS"

    [tool.find_orders]
    success = { customer_id = "c-1", limit = 50 }
    empty = [{ customer_id = "x" }, '{"customer_id": "y"}']
    never = { partial = "never more than fifty" }
    fuzz = false

    [[tool.find_orders.case]]
    path = "error"
    arguments = { customer_id = "" }
    code = "BAD_REQUEST"

    [[tool.find_orders.case]]
    path = "error"
    arguments = { customer_id = " " }
    id = "blank"

    [tool.add]
    success = { a = 1, b = 2 }
    """
ITEMS = {
    "toolresult.toml::add::success": "passed",
    "toolresult.toml::add::fuzz": "passed",
    "toolresult.toml::find_orders::success": "passed",
    "toolresult.toml::find_orders::empty": "passed",
    "toolresult.toml::find_orders::empty-2": "passed",
    "toolresult.toml::find_orders::error-BAD_REQUEST": "passed",
    "toolresult.toml::find_orders::blank": "passed",
    "toolresult.toml::first_word::fuzz": "failed",
}


def test_a_contract_file_is_collected_like_a_test_file(write: Write, run: Run) -> None:
    write("toolresult.toml", FILE)
    write("test_plain.py", "def test_plain():\n    pass\n")
    assert run().outcomes == ITEMS | {"test_plain.py::test_plain": "passed"}
    ran = run("toolresult.toml")
    assert ran.outcomes == ITEMS
    assert ran.tool("find_orders")["coverage"] == 100.0
    assert "traceback entries are hidden" not in ran.stdout
    chosen = "toolresult.toml::find_orders::empty"
    assert run(chosen).outcomes == {chosen: "passed"}
    assert run("toolresult.toml", "-k", "add and success").outcomes == {
        "toolresult.toml::add::success": "passed"
    }
    assert run("--lf").outcomes == {"toolresult.toml::first_word::fuzz": "failed"}


def test_nothing_else_is_asked_for(write: Write, pytester: pytest.Pytester) -> None:
    write("toolresult_orders.toml", FILE)
    write("not_toolresult.toml", "this is no TOML")
    (pytester.path / "pytest.ini").write_text(
        "[pytest]\nasyncio_default_fixture_loop_scope = function\n", "utf-8"
    )
    done = pytester.runpytest_inprocess("-p", "no:randomly")
    done.assert_outcomes(passed=10, failed=1, skipped=3)
    done.stdout.fnmatch_lines(["*tool result coverage*", "find_orders *100%*"])


def test_a_file_in_a_folder_finds_modules_beside_it_and_in_the_root(
    write: Write, run: Run
) -> None:
    write("tests/beside.py", "def one(n: int) -> int:\n    return n\n")
    write("tests/toolresult.toml", 'tools = ["beside:one", "shop:add"]')
    assert run("tests").outcomes == {
        "tests/toolresult.toml::one::fuzz": "passed",
        "tests/toolresult.toml::add::fuzz": "passed",
    }


def test_keys_do_what_the_markers_keys_do(write: Write, run: Run) -> None:
    write(
        "more.py",
        """
        from contextlib import contextmanager
        from shop import add, answer

        DOWN, STOCK = [], [1]

        @contextmanager
        def down():
            DOWN.append(1)
            yield
            DOWN.clear()

        def check(name: str) -> dict:
            if DOWN:
                return answer("error", error={"code": "DOWN", "retryable": True,
                                              "message": "down for now, try again"})
            return answer("success", name)

        def take(n: int) -> int:
            STOCK[0] -= 1
            assert STOCK[0] >= 0
            return n

        TOOLS = [add, check, take]
        """,
    )
    write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture
        def refill():
            from more import STOCK
            def fill():
                STOCK[0] = 1
            return fill
        """,
    )
    write(
        "toolresult.toml",
        """
        tools = "more"

        [tool.add]
        validate_arguments = false

        [tool.check]
        fuzz = false
        success = { name = "x" }

        [[tool.check.case]]
        path = "error"
        arguments = { name = "x" }
        code = "DOWN"
        when = "more.down"

        [tool.take]
        reset = "refill"
        examples = 6
        """,
    )
    ran = run("toolresult.toml")
    assert ran.outcomes == {
        "toolresult.toml::add::fuzz": "failed",
        "toolresult.toml::check::success": "passed",
        "toolresult.toml::check::error-DOWN": "passed",
        "toolresult.toml::take::fuzz": "passed",
    }
    assert ran.tool("add")["validate_arguments"] is False
    assert ran.at("take::fuzz")["calls"] == 6


def test_a_target_and_its_contract_file_are_one_row(
    write: Write, run: Run, project: Path
) -> None:
    write("toolresult.toml", FILE)
    ran = run("--toolresult", str(project / "shop.py") + ":TOOLS", "toolresult.toml")
    assert len(ran.report["tools"]) == 3
    assert ran.tool("find_orders")["coverage"] == 100.0
