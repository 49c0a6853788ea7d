from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import BaseModel, Field

from pytest_toolresult.signatures import describe

if TYPE_CHECKING:
    from decimal import Decimal


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


class Later(BaseModel):
    value: int


def uses_a_class_defined_below(item: Below) -> None: ...


class Below(BaseModel):
    value: int


def properties(function: Callable[..., Any]) -> dict[str, Any]:
    schema = describe(function).schema
    assert schema is not None
    return dict(schema["properties"])


def test_a_schema_says_types_constraints_and_what_is_required() -> None:
    def find(
        name: Annotated[str, Field(min_length=2, pattern="^c-")],
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
        size: Size | None = None,
    ) -> None: ...

    schema = describe(find).schema
    assert schema is not None
    assert schema["type"] == "object"
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    name, limit, size = schema["properties"].values()
    assert (name["minLength"], name["pattern"]) == (2, "^c-")
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 50, 10)
    assert {"type": "null"} in size["anyOf"]
    assert schema["$defs"]["Size"]["enum"] == ["s", "l"]


def test_annotations_are_resolved_in_the_functions_module() -> None:
    schema = describe(uses_a_class_defined_below).schema
    assert schema is not None
    assert schema["$defs"]["Below"]["required"] == ["value"]


def test_an_unannotated_parameter_is_text_or_as_its_default_and_takes_anything() -> (
    None
):
    def find(name, limit=10, exact=False, near=None, tags=()): ...  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, FBT002

    drawn = properties(find)
    assert drawn["name"]["type"] == "string"
    assert drawn["limit"]["type"] == "integer"
    assert drawn["exact"]["type"] == "boolean"
    assert drawn["near"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert drawn["tags"]["type"] == "string"
    assert describe(find).convert({"name": 3}) == {"name": 3}


def test_a_default_that_is_no_json_is_not_shown() -> None:
    marker = object()

    def find(name: str | object = marker) -> None: ...

    assert "default" not in properties(find)["name"]


def test_other_names_are_typed_where_the_function_takes_them() -> None:
    def find(**more: int) -> None: ...

    schema = describe(find).schema
    assert schema is not None
    assert schema["additionalProperties"]["type"] == "integer"


@pytest.mark.parametrize(
    "docstring",
    [
        """Find.

        Args:
            name: Whose orders,
                by id.
            limit (int): How many.

        Returns:
            other: no parameter.
        """,
        """Find.

        Parameters
        ----------
        name : str
            Whose orders,
            by id.
        limit
            How many.

        Returns
        -------
        other
            No parameter.
        """,
        """Find.

        :param str name: Whose orders,
            by id.
        :param limit: How many.
        :returns: nothing
        """,
    ],
    ids=["google", "numpy", "sphinx"],
)
def test_descriptions_come_from_the_docstring(docstring: str) -> None:
    def find(name: str, limit: int = 3, other: int = 4) -> None: ...

    find.__doc__ = docstring
    drawn = properties(find)
    assert drawn["name"]["description"] == "Whose orders, by id."
    assert drawn["limit"]["description"] == "How many."
    assert "description" not in drawn["other"]


def test_a_fields_own_description_stands_before_the_docstrings() -> None:
    def find(name: Annotated[str, Field(description="the field's")]) -> None:
        """Find.

        Args:
            name: the docstring's
        """

    assert properties(find)["name"]["description"] == "the field's"


def test_what_json_cannot_express_makes_a_tool_unusable_only_if_it_is_required() -> (
    None
):
    class Connection: ...

    def needs(name: str, notify: Callable[[str], None]) -> None: ...

    def has(name: str, notify: Callable[[str], None] = print) -> None: ...

    needs.__annotations__["notify"] = Callable[[str], None]
    unusable = describe(needs)
    assert unusable.schema is None
    assert unusable.unusable is not None
    assert "'notify'" in unusable.unusable
    assert "Callable" in unusable.unusable
    assert list(properties(has)) == ["name"]

    def opened(name: str, connection: Any) -> None: ...

    opened.__annotations__["connection"] = Connection
    assert "Connection" in (describe(opened).unusable or "")
    bound = functools.partial(opened, connection=Connection())
    assert list(properties(bound)) == ["name"]


def test_an_annotation_that_cannot_be_resolved_is_named() -> None:
    def pay(amount: Decimal) -> None: ...

    reason = describe(pay).unusable or ""
    assert "'amount'" in reason
    assert "name 'Decimal' is not defined" in reason


def test_a_signature_that_cannot_be_read_or_lacks_its_object_says_so() -> None:
    class Shop:
        def find(self, name: str) -> None: ...

    assert "cannot be read" in (describe(iter).unusable or "")
    assert "method" in (describe(Shop.find).unusable or "")
