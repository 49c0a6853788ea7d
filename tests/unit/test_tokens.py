from __future__ import annotations

import json

import pytest

from pytest_toolresult.errors import SettingsError
from pytest_toolresult.tokens import (
    Count,
    as_json,
    counter_named,
    estimate,
    extra_counter,
)
from pytest_toolresult.walk import survey
from tests.timing import seconds

ROWS = [{"order_id": f"o-{n}", "customer": "Ann Miller"} for n in range(40)]


@pytest.mark.parametrize(
    ("text", "exact"),
    # Counted with the vocabulary o200k by another package.
    [
        (json.dumps(ROWS), 642),
        ("550e8400-e29b-41d4-a716-446655440000 " * 5, 95),
        ("今天天气很好,我们去公园散步吧。" * 5, 65),
        ("order_id,customer,total\n" + "o-1,Ann,9.50\n" * 20, 206),
    ],
)
def test_an_estimate_is_near_the_count(text: str, exact: int) -> None:
    found = estimate(text)
    assert found.least <= exact <= found.most


def test_every_script_weighs_something() -> None:
    texts = ["слово", "かな", "한글", "हिन्दी", "كلمة", "é", "😀", "\\u4e2d", "  \n"]
    assert all(estimate(text * 10).tokens > 0 for text in texts)
    assert estimate("").tokens == 0


@pytest.mark.parametrize(
    ("count", "verdict"),
    [(Count(100), "under"), (Count(790), "unclear"), (Count(1_200), "over")],
)
def test_an_estimate_has_three_verdicts(count: Count, verdict: str) -> None:
    assert count.against(800) == verdict
    assert str(count).startswith("about ")


def test_an_exact_count_has_two() -> None:
    verdicts = [Count(n, is_exact=True).against(800) for n in (800, 801)]
    assert verdicts == ["under", "over"]
    assert str(Count(801, is_exact=True)) == "801 tokens"


def test_the_estimate_is_linear() -> None:
    def estimated(times: int) -> None:
        estimate.cache_clear()
        estimate(json.dumps(ROWS * times) + "x" * times * 1_000)

    assert seconds(lambda: estimated(400)) < 80 * seconds(lambda: estimated(20))


def test_what_cannot_be_written_is_no_text() -> None:
    row: dict[str, object] = {"id": 1}
    for value in ({1, 2}, [row, row], {(1,): 2}, object()):
        assert as_json(value, survey([("data", value)])) is None
    assert as_json({"name": "é"}, survey([("data", {"name": "é"})])) == '{"name": "é"}'


def words(text: str) -> int:
    return len(text.split())


def broken(text: str) -> int:
    raise ValueError(f"no vocabulary for {len(text)} characters")


def nonsense(_: str) -> str:
    return "many"


def test_a_counter_is_a_function_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "shop_tokens", _module())
    assert counter_named("shop_tokens:words")("one two") == 2
    for name, told in (("broken", "no vocabulary"), ("nonsense", "'many'")):
        with pytest.raises(SettingsError, match=f"shop_tokens:{name}.*{told}"):
            counter_named(f"shop_tokens:{name}")("text")


@pytest.mark.parametrize("name", ["no_such_module:count", "json:nothing", "json", ""])
def test_a_counter_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(SettingsError, match="token counter"):
        counter_named(name)


def test_the_extra_counts_exactly_where_it_is_installed() -> None:
    counter = extra_counter()
    assert counter is None or counter("hello world") == 2


def _module() -> object:
    from types import SimpleNamespace

    return SimpleNamespace(words=words, broken=broken, nonsense=nonsense)
