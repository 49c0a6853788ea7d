"""Marked tests of every sort: their items, their bodies, and how they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

HIDDEN = "traceback entries are hidden"


def test_a_mark_becomes_items_with_ids_of_their_own(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from pytest_toolresult import Case
        from shop import find_orders

        @pytest.mark.toolresult(
            tool=find_orders,
            success={"customer_id": "c-1", "limit": 50},
            empty=[{"customer_id": "x"}, {"customer_id": "y"}],
            error=[{"customer_id": ""}, Case({"customer_id": " "}, code="BAD_REQUEST")],
        )
        def test_find_orders(tool_case):
            result = tool_case.run()
            assert result.status == tool_case.status
            if result.status == "success":
                assert result.data[0]["order_status"] == "paid"
            if tool_case.code:
                assert result.error["code"] == tool_case.code
        """,
    )
    ran = run()
    assert list(ran.outcomes) == [
        f"test_it.py::test_find_orders[{each}]"
        for each in (
            "success",
            "empty",
            "empty-2",
            "error",
            "error-BAD_REQUEST",
            "fuzz",
        )
    ]
    assert set(ran.outcomes.values()) == {"passed"}
    assert ran.exit == 0
    assert "dialect: envelope" in ran.stdout


def test_a_case_fails_at_the_line_that_ran_it(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import find_orders

        NOBODY = {"customer_id": "x"}

        @pytest.mark.toolresult(tool=find_orders, success=NOBODY, fuzz=False)
        def test_it(tool_case):
            tool_case.run()
            raise AssertionError("never reached")
        """,
    )
    ran = run()
    assert ran.short == {"test_it[success]": "failed"}
    assert ">       tool_case.run()" in ran.stdout
    assert "test_it.py:9: Failed" in ran.stdout
    assert "items.py" not in ran.stdout
    assert "TR210 wrong-path  find_orders" in ran.stdout


def test_a_test_without_the_fixture_has_its_case_run_before_its_body(
    write: Write, run: Run
) -> None:
    write(
        "test_it.py",
        """
        import pytest
        import shop

        CALLS = []

        def counted(n: int) -> int:
            CALLS.append(n)
            return n

        @pytest.mark.toolresult(tool=counted, success={"n": 5}, fuzz=False)
        def test_body():
            assert CALLS == [5]

        @pytest.mark.toolresult(tool=shop.first_word, success={"text": ""}, fuzz=False)
        def test_wrong():
            raise AssertionError("the body is not reached")
        """,
    )
    ran = run()
    assert ran.short == {
        "test_body[success]": "passed",
        "test_wrong[success]": "failed",
    }
    assert "TR801" in ran.stdout
    assert "the body is not reached" not in ran.stdout
    assert HIDDEN not in ran.stdout


def test_a_body_that_never_runs_its_case_has_tested_nothing(
    write: Write, run: Run
) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add

        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2}, fuzz=False)
        def test_it(tool_case):
            assert tool_case.arguments == {"a": 1, "b": 2}
        """,
    )
    ran = run()
    assert ran.short == {"test_it[success]": "failed"}
    assert "it tested nothing" in ran.stdout
    assert HIDDEN not in ran.stdout


def test_the_asserts_of_a_body_are_its_own(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add

        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2})
        def test_it(tool_case):
            assert tool_case.run().data == 4
        """,
    )
    ran = run()
    assert ran.short == {"test_it[success]": "failed", "test_it[fuzz]": "passed"}
    assert "assert 3 == 4" in ran.stdout


def test_a_case_may_run_more_than_once(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add

        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2}, fuzz=False)
        def test_it(tool_case):
            assert tool_case.run().data == tool_case.run().data == 3
        """,
    )
    ran = run()
    assert ran.exit == 0
    assert ran.at("test_it[success]")["calls"] == 2


def test_other_fixtures_and_parameters_stand_beside_a_case(
    write: Write, run: Run
) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import find_orders

        @pytest.fixture(params=["x", "y"])
        def letter(request):
            return request.param

        @pytest.mark.parametrize("number", [1, 2], ids=["one", "two"])
        @pytest.mark.toolresult(
            tool=find_orders,
            empty={"customer_id": "x"},
            error={"customer_id": ""},
            fuzz=False,
            faults=False,
            relations=False,
        )
        def test_it(number, tool_case, tmp_path, letter):
            (tmp_path / "note").write_text(f"{number}{letter}")
            assert tool_case.run().status == tool_case.status
        """,
    )
    ran = run()
    assert len(ran.outcomes) == 8
    assert set(ran.outcomes.values()) == {"passed"}
    for word in ("empty", "error", "one", "two", "x", "y"):
        assert sum(f"{word}" in name for name in ran.short) >= 4
    again = run(next(iter(ran.outcomes)))
    assert len(again.outcomes) == 1


def test_classes_and_modules_may_carry_the_mark(write: Write, run: Run) -> None:
    write(
        "test_class.py",
        """
        import pytest
        from shop import add, find_orders

        NOBODY = {"customer_id": "x"}

        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2}, fuzz=False)
        class TestAdd:
            def test_one(self, tool_case):
                assert tool_case.run().data == 3

            def test_two(self):
                assert isinstance(self, TestAdd)

            @staticmethod
            def test_three(tool_case):
                tool_case.run()

            @pytest.mark.toolresult(tool=find_orders, empty=NOBODY, fuzz=False)
            def test_own(self, tool_case):
                assert tool_case.run().status == "empty"

        class TestMore(TestAdd):
            pass

        @pytest.mark.toolresult(tool=find_orders, error={"customer_id": ""}, fuzz=False)
        class TestOther(TestAdd):
            pass

        class TestStatic:
            @staticmethod
            @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2}, fuzz=False)
            def test_it():
                pass
        """,
    )
    write(
        "test_module.py",
        """
        import pytest
        from shop import add, find_orders

        NOBODY = {"customer_id": "x"}
        SUM = {"a": 1, "b": 2}
        pytestmark = pytest.mark.toolresult(tool=add, success=SUM, fuzz=False)

        def test_one(tool_case):
            assert tool_case.run().data == 3

        @pytest.mark.toolresult(tool=find_orders, empty=NOBODY, fuzz=False)
        def test_own(tool_case):
            assert tool_case.run().status == "empty"
        """,
    )
    write("test_plain.py", "def test_plain():\n    pass\n")
    ran = run()
    assert sorted(ran.outcomes) == [
        "test_class.py::TestAdd::test_one[success]",
        "test_class.py::TestAdd::test_own[empty]",
        "test_class.py::TestAdd::test_three[success]",
        "test_class.py::TestAdd::test_two[success]",
        "test_class.py::TestMore::test_one[success]",
        "test_class.py::TestMore::test_own[empty]",
        "test_class.py::TestMore::test_three[success]",
        "test_class.py::TestMore::test_two[success]",
        "test_class.py::TestOther::test_one[error]",
        "test_class.py::TestOther::test_own[empty]",
        "test_class.py::TestOther::test_three[error]",
        "test_class.py::TestOther::test_two[error]",
        "test_class.py::TestStatic::test_it[success]",
        "test_module.py::test_one[success]",
        "test_module.py::test_own[empty]",
        "test_plain.py::test_plain",
    ]
    failed = {name for name, ended in ran.outcomes.items() if ended != "passed"}
    # Its assert is about `add`; the mark nearest to it is about `find_orders`.
    assert failed == {"test_class.py::TestOther::test_one[error]"}


def test_a_contract_serves_several_tests_which_may_change_it(
    write: Write, run: Run
) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from pytest_toolresult import Contract
        from shop import find_orders

        ORDERS = Contract(find_orders, empty={"customer_id": "x"}, fuzz=False)

        @pytest.mark.toolresult(tool=ORDERS)
        def test_one(tool_case):
            tool_case.run()

        @pytest.mark.toolresult(tool=ORDERS, error={"customer_id": ""}, fuzz=True)
        def test_two(tool_case):
            tool_case.run()

        def test_by_hand(call_tool):
            assert call_tool(ORDERS, customer_id="x").status == "empty"
        """,
    )
    ran = run()
    assert sorted(ran.short) == [
        "test_by_hand",
        "test_one[empty]",
        "test_two[empty]",
        "test_two[error]",
        "test_two[fuzz]",
    ]
    assert ran.exit == 0


def test_a_list_of_tools_prefixes_their_names(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from pytest_toolresult import Contract
        from shop import add, find_orders

        ORDERS = Contract(find_orders, empty={"customer_id": "x"})

        @pytest.mark.toolresult(tool=[add, ORDERS])
        def test_it(tool_case):
            tool_case.run()
        """,
    )
    ran = run()
    assert list(ran.short) == [
        "test_it[add-fuzz]",
        "test_it[find_orders-empty]",
        "test_it[find_orders-fuzz]",
    ]
    assert ran.exit == 0


def test_skip_and_xfail_stand_beside_the_mark(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add, first_word

        @pytest.mark.skip(reason="later")
        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2})
        def test_skipped(tool_case):
            tool_case.run()

        @pytest.mark.xfail(reason="known", strict=True)
        @pytest.mark.toolresult(
            tool=first_word, error={"text": ""}, relations=False
        )
        def test_known(tool_case):
            tool_case.run()

        @pytest.mark.toolresult(tool=first_word, error={"text": ""}, fuzz=False)
        def test_called_off(tool_case):
            pytest.skip("not today")
        """,
    )
    ran = run()
    assert ran.short == {
        "test_skipped[success]": "skipped",
        "test_skipped[fuzz]": "skipped",
        "test_known[error]": "xfailed",
        "test_known[fuzz]": "xfailed",
        "test_called_off[error]": "skipped",
    }
    assert ran.exit == 0


def test_a_fixture_may_run_the_case(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add

        @pytest.fixture
        def result(tool_case):
            return tool_case.run()

        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2}, fuzz=False)
        def test_it(result):
            assert result.data == 3

        @pytest.mark.toolresult(tool=add)
        def test_exploring(result):
            pass
        """,
    )
    ran = run()
    assert ran.short == {
        "test_it[success]": "passed",
        "test_it[faults]": "failed",
        "test_it[relations]": "failed",
        "test_exploring[fuzz]": "failed",
        "test_exploring[faults]": "failed",
        "test_exploring[relations]": "failed",
    }
    assert ran.at("test_it[success]")["calls"] == 1
    assert "call tool_case.run() in the test's body and not in a fixture" in ran.stdout


def test_calls_by_hand_are_bounded_checked_and_recorded(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add, find_orders, first_word

        def test_right(call_tool):
            assert call_tool(find_orders, customer_id="c-1", limit=99).data
            assert call_tool(find_orders, customer_id="x").status == "empty"
            assert call_tool(add, a=1, b=2).data == 3

        def test_wrong(call_tool):
            call_tool(first_word, text="")

        def test_refused(call_tool):
            call_tool(add, a="many", b=2)

        def test_no_tool(call_tool):
            call_tool(5)

        def test_not_json(call_tool):
            call_tool(add, a={1}, b=2)
        """,
    )
    ran = run()
    assert ran.short == {
        "test_right": "passed",
        "test_wrong": "failed",
        "test_refused": "failed",
        "test_no_tool": "failed",
        "test_not_json": "failed",
    }
    statuses = ran.tool("find_orders")["statuses"]
    assert statuses["success"] == {"expected": True, "seen": 1, "by": ["call_tool"]}
    assert ">       call_tool(first_word" in ran.stdout
    assert "the arguments never reached the tool" in ran.stdout
    assert "'tool=' is int 5 and no tool" in ran.stdout
    assert "run.py" not in ran.stdout


ASYNC = """
    import asyncio
    import pytest
    from pytest_toolresult import Contract
    from shop import add, answer

    LOOPS = set()

    async def wait(n: int) -> dict:
        LOOPS.add(id(asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return answer("success", {"n": n})

    async def crash(n: int) -> dict:
        await asyncio.sleep(0)
        return answer("success", {"n": 10 // n})

    @pytest.mark.toolresult(tool=wait, success={"n": 1})
    MARK
    async def test_async(tool_case):
        result = await tool_case.arun()
        assert result.data == {"n": 1}

    @pytest.mark.toolresult(tool=wait, success={"n": 1}, fuzz=False)
    MARK
    async def test_before_the_body():
        assert id(asyncio.get_running_loop()) in LOOPS

    @pytest.mark.toolresult(tool=crash, error={"n": 0})
    MARK
    async def test_crash(tool_case):
        await tool_case.arun()

    @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2})
    MARK
    async def test_sync_tool(tool_case):
        assert (await tool_case.arun()).data == 3
        assert tool_case.run().data == 3

    @pytest.mark.toolresult(tool=wait, success={"n": 1}, fuzz=False)
    MARK
    async def test_without_await(tool_case):
        tool_case.run()

    MARK
    async def test_by_hand(acall_tool):
        assert (await acall_tool(wait, n=3)).data == {"n": 3}

    @pytest.mark.toolresult(tool=wait, success={"n": 1})
    def test_sync(tool_case):
        assert tool_case.run().data == {"n": 1}

    class TestMethods:
        @pytest.mark.toolresult(tool=wait, success={"n": 1})
        MARK
        async def test_method(self, tool_case):
            assert (await tool_case.arun()).data == {"n": 1}
    """
ENDED = {
    "test_async[success]": "passed",
    "test_async[fuzz]": "passed",
    "test_before_the_body[success]": "passed",
    "test_crash[error]": "failed",
    "test_crash[fuzz]": "failed",
    "test_sync_tool[success]": "passed",
    "test_sync_tool[fuzz]": "passed",
    "test_without_await[success]": "failed",
    "test_by_hand": "passed",
    "test_sync[success]": "passed",
    "test_sync[fuzz]": "passed",
    "test_method[success]": "passed",
    "test_method[fuzz]": "passed",
}


@pytest.mark.parametrize(
    ("mark", "options"),
    [
        ("@pytest.mark.asyncio", ("-o", "asyncio_mode=strict")),
        ("", ("-o", "asyncio_mode=auto")),
    ],
    ids=["strict", "auto"],
)
def test_pytest_asyncio(
    write: Write, run: Run, mark: str, options: tuple[str, ...]
) -> None:
    write("test_it.py", ASYNC.replace("MARK", mark))
    ran = run(*options)
    assert ran.short == ENDED
    assert "await tool_case.arun()" in ran.stdout
    assert HIDDEN not in ran.stdout
    found = ran.at("test_crash[fuzz]")["findings"]
    assert [each["arguments"] for each in found] == [{"n": 0}]


def test_anyio(write: Write, run: Run) -> None:
    anyio = """
    @pytest.fixture
    def anyio_backend():
        return "asyncio"
    """
    write("test_it.py", ASYNC.replace("MARK", "@pytest.mark.anyio") + anyio)
    ran = run()
    assert ran.short == ENDED


def test_an_async_exploration_runs_on_the_loop_of_the_test(
    write: Write, run: Run
) -> None:
    write(
        "test_it.py",
        """
        import asyncio
        import pytest

        @pytest.fixture
        async def queue():
            return asyncio.get_running_loop()

        HOME = []

        async def at_home(n: int) -> int:
            assert asyncio.get_running_loop() is HOME[0], "another loop"
            return n

        @pytest.fixture
        async def home():
            HOME[:] = [asyncio.get_running_loop()]

        @pytest.mark.asyncio
        @pytest.mark.toolresult(tool=at_home, success={"n": 1})
        async def test_it(tool_case, home):
            await tool_case.arun()
        """,
    )
    options = ("-o", "asyncio_mode=auto")
    assert run(*options).short == {
        "test_it[success]": "passed",
        "test_it[fuzz]": "passed",
    }
    replayed = run(
        *options, "test_it.py::test_it[fuzz]", '--toolresult-replay={"n": 3}'
    )
    assert replayed.short == {"test_it[fuzz]": "passed"}
    assert replayed.at("test_it[fuzz]")["calls"] == 1
