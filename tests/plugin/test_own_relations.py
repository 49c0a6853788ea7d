"""Relations that a project declares itself: by the marker, and by a contract file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

TEST = """
    import pytest
    from pytest_toolresult import relation
    from shop import find_orders

    @relation("limit halves rows", over=[{"limit": 8}, {"limit": 4}])
    def limit_halves_rows(eight, four):
        assert len(four.data) * 2 == len(eight.data)

    @relation("twice the limit, the same rows", over=[{"limit": 2}, {"limit": 4}])
    def never_more(two, four, asked):
        assert asked[0]["customer_id"] == asked[1]["customer_id"] == "c-1"
        assert len(two.data) == len(four.data), "there are more"

    @relation("looks into nothing", over=[{"limit": 2}])
    def looks_into_nothing(two):
        return two.data["rows"] > 1

    @pytest.mark.toolresult(
        tool=find_orders,
        success={"customer_id": "c-1", "limit": 99},
        fuzz=False,
        faults=False,
        relations=%s,
    )
    def test_it(tool_case):
        tool_case.run()
    """
OWN = """
    from pytest_toolresult import relation

    @relation("limit halves rows", over=[{"limit": 8}, {"limit": 4}])
    def halves(eight, four):
        assert len(four.data) * 2 == len(eight.data)

    @relation("one row at most", over=[{"limit": 2}])
    def one_row(two):
        return len(two.data) == 1
    """
FILE = """
    tools = "shop:TOOLS"

    [tool.find_orders]
    success = { customer_id = "c-1", limit = 99 }
    fuzz = false
    faults = false
    relations = %s

    [tool.add]
    fuzz = false
    faults = false
    relations = false

    [tool.first_word]
    fuzz = false
    faults = false
    relations = false
    """


@pytest.fixture
def related(write: Write, run: Run) -> Callable[..., Any]:
    """Run a test whose tool has relations of its own: `related("[never_more]")`."""

    def run_related(relations: str, *args: str) -> Any:
        write("test_it.py", TEST % relations)
        return run("test_it.py", *args)

    return run_related


def test_a_relation_that_holds_passes(related: Run) -> None:
    ran = related("[limit_halves_rows]")
    assert ran.exit == pytest.ExitCode.OK
    assert ran.at("[relations]")["calls"] > 3
    assert "limit halves rows" not in str(ran.at("[relations]")["not_covered"])


def test_relations_of_the_project_come_before_all_others(related: Run) -> None:
    ran = related("[limit_halves_rows, never_more], examples=7")
    assert ran.at("[relations]")["calls"] >= 7
    assert ran.rules == {"TR913"}


def test_one_that_does_not_is_a_finding_with_a_replay_line(related: Run) -> None:
    ran = related("[limit_halves_rows, never_more]")
    assert ran.short["test_it[relations]"] == "failed"
    (finding,) = [each for each in ran.findings if each["rule"] == "TR913"]
    assert "'twice the limit, the same rows' does not hold" in finding["message"]
    assert "there are more" in finding["message"]
    assert finding["arguments"] == {"customer_id": "c-1", "limit": 4}
    assert "own:twice the limit" in finding["replay"]
    again = related(
        "[limit_halves_rows, never_more]",
        "--toolresult-replay",
        '{"customer_id": "c-1", "limit": 99, "$relation":'
        ' "own:twice the limit, the same rows"}',
        "-k",
        "relations",
    )
    assert again.short == {"test_it[relations]": "failed"}
    assert again.rules == {"TR913"}


def test_one_that_breaks_is_named_beside_what_was_found(related: Run) -> None:
    ran = related("[looks_into_nothing, never_more]")
    assert ran.short["test_it[relations]"] == "failed"
    told = "find_orders: the relation 'looks into nothing' raised TypeError"
    assert told in ran.stdout
    assert "test_it.py:" in ran.stdout
    assert "'twice the limit, the same rows' does not hold" in ran.stdout
    assert "INTERNALERROR" not in ran.stdout


def test_none_is_tried_where_relations_are_off(related: Run) -> None:
    assert related("False").short == {"test_it[success]": "passed"}


def test_results_of_async_tools_are_handed_over(write: Write, run: Run) -> None:
    test = """
        import asyncio
        import pytest
        from pytest_toolresult import relation
        from shop import find_orders

        async def find_later(customer_id: str, limit: int = 10) -> dict:
            await asyncio.sleep(0)
            return find_orders(customer_id, limit)

        @relation("limit halves rows", over=[{"limit": 8}, {"limit": 4}])
        def limit_halves_rows(eight, four):
            assert len(four.data) * 2 == len(eight.data)

        @relation("one row at most", over=[{"limit": 2}])
        def one_row(two):
            return len(two.data) == 1

        @pytest.mark.asyncio
        @pytest.mark.toolresult(
            tool=find_later,
            success={"customer_id": "c-1", "limit": 99},
            fuzz=False,
            faults=False,
            relations=[limit_halves_rows, one_row],
        )
        async def test_it(tool_case):
            await tool_case.arun()
        """
    write("test_it.py", test)
    ran = run("test_it.py")
    assert ran.short["test_it[relations]"] == "failed"
    (finding,) = ran.findings
    assert finding["message"] == "'one row at most' does not hold"


@pytest.mark.parametrize(
    ("named", "rules"),
    [
        ('["own_relations.halves"]', set()),
        ('"own_relations:halves"', set()),
        ('["own_relations.halves", "own_relations.one_row"]', {"TR913"}),
    ],
)
def test_a_contract_file_names_them(
    write: Write, run: Run, named: str, rules: set[str]
) -> None:
    write("own_relations.py", OWN)
    write("toolresult.toml", FILE % named)
    ran = run("toolresult.toml")
    assert ran.rules == rules
    assert ran.at("find_orders::relations")["calls"] > 3
    assert not [name for name in ran.outcomes if "::add::" in name]


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ('["own_relations.halfs"]', "relations = 'own_relations.halfs' is no function"),
        ('["shop.find_orders"]', "which is no relation; make one of a function"),
        ("[]", "a list of relations, such as relations=[limit_halves_rows]"),
    ],
)
def test_what_is_no_relation_is_an_error(
    write: Write, run: Run, named: str, told: str
) -> None:
    write("own_relations.py", OWN)
    write("toolresult.toml", FILE % named)
    ran = run("toolresult.toml")
    assert told in ran.stdout
    assert "Traceback" not in ran.stdout
