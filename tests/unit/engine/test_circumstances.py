"""What had failed around a call, in words."""

from __future__ import annotations

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.engine.circumstances import circumstances
from pytest_toolresult.faults import CATALOGUE, BoundaryCall, Injection

GET = BoundaryCall(
    seam="httpx", operation="GET", site="shop.py:31", detail="/weather?city=Oslo"
)
READ = BoundaryCall(seam="files", operation="open", site="shop.py:40", detail="a.json")


def put(name: str, where: BoundaryCall = GET, *, persistent: bool = False) -> Injection:
    return Injection(fault=CATALOGUE[name], where=where, persistent=persistent)


def faulted(injection: Injection, *besides: Injection) -> Call:
    return Call(arguments={}, origin="faults", injection=injection, besides=besides)


def test_a_fault_is_told_with_its_call_and_its_place() -> None:
    assert circumstances(faulted(put("http_429"))) == (
        "while GET /weather?city=Oslo answered 429 (httpx, shop.py:31)"
    )
    assert circumstances(faulted(put("timeout", persistent=True))) == (
        "while GET /weather?city=Oslo timed out, then and later (httpx, shop.py:31)"
    )
    assert circumstances(faulted(put("cancelled"))) == (
        "while the call was cancelled at GET /weather?city=Oslo (httpx, shop.py:31)"
    )


def test_the_users_own_callable_is_named_by_itself() -> None:
    where = BoundaryCall(seam="shop.db.run", operation="call", site="shop.py:9")
    injection = Injection(fault=CATALOGUE["refused"].put_at("shop.db.run"), where=where)
    assert circumstances(faulted(injection)) == (
        "while shop.db.run was refused the connection (shop.py:9)"
    )


def test_two_faults_and_a_fault_that_is_over() -> None:
    both = faulted(put("missing_file", READ), put("http_503"))
    assert circumstances(both) == (
        "while open a.json found no such file after GET /weather?city=Oslo answered 503"
        " (files, shop.py:40)"
    )
    over = Call(arguments={}, origin="faults", reference=faulted(put("reset")))
    assert circumstances(over) == (
        "after GET /weather?city=Oslo lost the connection half-way (httpx,"
        " shop.py:31), which is over"
    )


def test_without_a_fault_nothing_is_said() -> None:
    assert circumstances(Call(arguments={}, origin="faults")) == ""


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_fault_has_words_of_its_own(name: str) -> None:
    assert "met the fault" not in circumstances(faulted(put(name)))
