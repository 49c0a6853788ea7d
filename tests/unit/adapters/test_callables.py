from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from pydantic import TypeAdapter

from pytest_toolresult.adapters.callables import ADAPTER
from pytest_toolresult.outcomes import Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.tools import Tool


def find_orders(customer_id: str, limit: int = 10) -> list[object]:
    """Find a customer's orders.

    Newest first.
    """
    return [customer_id, limit]


async def send_notice(text: str) -> str:
    await asyncio.sleep(0)
    if not text:
        raise ValueError("empty")
    return text


class Search:
    """Search the notes."""

    def __call__(self, query: str) -> str:
        return query

    async def later(self, query: str) -> str:
        return query


def presented(function: Callable[..., Any], *, validate: bool | None = None) -> Tool:
    (tool,) = ADAPTER.tools(function, validate=validate)
    return tool


def called(tool: Tool, **arguments: Any) -> Reply:
    reply = tool.invoke(arguments)
    assert isinstance(reply, Reply)
    return reply


def awaited(tool: Tool, **arguments: Any) -> Reply:
    reply = tool.invoke(arguments)
    assert isinstance(reply, Awaitable)

    async def wait() -> Reply:
        return await reply

    return asyncio.run(wait())


def test_a_function_is_presented_as_a_runtime_would() -> None:
    tool = presented(find_orders)
    assert tool.name == "find_orders"
    assert tool.identity == f"{__name__}:find_orders"
    assert tool.framework == "callable"
    assert tool.function is find_orders
    assert tool.description == "Find a customer's orders.\n\nNewest first."
    assert tool.validates
    assert tool.unusable is None
    assert called(tool, customer_id="c-1", limit="5").value == ["c-1", 5]


def test_refused_arguments_never_reach_the_tool() -> None:
    reply = called(presented(find_orders), customer_id="c-1", limit="many")
    assert reply.refused is not None
    assert reply.refused.startswith("limit: Input should be a valid integer")
    assert (reply.value, reply.exception) == (None, None)


def test_without_validation_values_go_in_as_they_came() -> None:
    tool = presented(find_orders, validate=False)
    assert not tool.validates
    assert called(tool, customer_id=None, limit="many").value == [None, "many"]
    assert isinstance(called(tool, customer_id="c-1", odd=1).exception, TypeError)
    assert isinstance(called(tool).exception, TypeError)


def test_a_coroutine_function_gives_an_awaitable() -> None:
    tool = presented(send_notice)
    assert awaited(tool, text="hi").value == "hi"
    assert isinstance(awaited(tool, text="").exception, ValueError)
    assert awaited(tool).refused == "text: Field required"


def test_a_coroutine_beneath_a_synchronous_wrapper_is_awaited() -> None:
    @functools.wraps(send_notice)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return send_notice(*args, **kwargs)

    assert awaited(presented(wrapper), text="hi").value == "hi"
    assert awaited(presented(functools.partial(wrapper, "hi"))).value == "hi"
    assert awaited(presented(Search().later), query="hi").value == "hi"


def test_a_coroutine_that_was_not_awaited_is_left_to_be_seen() -> None:
    def forgetful(text: str) -> Awaitable[str]:
        return send_notice(text)

    reply = called(presented(forgetful), text="hi")
    assert asyncio.iscoroutine(reply.value)
    reply.value.close()


@pytest.mark.parametrize(
    ("function", "name", "qualname"),
    [
        (Search(), "Search", "Search.__call__"),
        (Search().later, "later", "Search.later"),
        (functools.partial(find_orders, limit=3), "find_orders", "find_orders"),
        (functools.lru_cache(find_orders), "find_orders", "find_orders"),
        (lambda: None, "lambda", "<lambda>"),
    ],
)
def test_names_and_identities(
    function: Callable[..., Any], name: str, qualname: str
) -> None:
    tool = presented(function)
    assert (tool.name, tool.identity) == (name, f"{__name__}:{qualname}")


def test_an_object_that_answers_to_every_name_is_presented_all_the_same() -> None:
    assert presented(mock.call.find).framework == "callable"
    assert called(presented(mock.Mock(return_value=3))).value == 3


def test_an_object_is_described_by_itself() -> None:
    assert presented(Search()).description == "Search the notes."
    partial = functools.partial(find_orders, limit=3)
    assert presented(partial).description.startswith("Find a customer's orders.")


def test_what_is_no_exception_passes_through() -> None:
    def leaves() -> None:
        raise SystemExit(3)

    async def leaves_later() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit):
        called(presented(leaves))
    with pytest.raises(KeyboardInterrupt):
        awaited(presented(leaves_later))


def test_a_validation_error_in_the_tools_body_is_its_own() -> None:
    def parses(text: str) -> int:
        return TypeAdapter(int).validate_python(text)

    reply = called(presented(parses), text="x")
    assert reply.refused is None
    assert type(reply.exception).__name__ == "ValidationError"


def test_a_generator_function_is_not_usable_and_says_why() -> None:
    def pieces() -> Iterator[str]:
        yield "a"

    assert "piece by piece" in (presented(pieces).unusable or "")


def test_classes_and_values_are_no_tools() -> None:
    assert not ADAPTER.recognises(Search)
    assert not ADAPTER.recognises({"a": 1})
    assert ADAPTER.recognises(Search())
    assert ADAPTER.recognises(len)
