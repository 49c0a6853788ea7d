from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.calls import Case
from pytest_toolresult.contract import Contract
from pytest_toolresult.errors import ContractError

NOT_CALLABLE: Any = 3


def tool() -> None: ...


def test_cases_are_numbered_by_path_and_code() -> None:
    contract = Contract(
        tool,
        error=[{"q": ""}, Case({"q": "x"}, code="BUSY"), {"q": "y"}],
        success={"q": "a"},
    )
    assert [case.id for case in contract.cases] == [
        "success",
        "error",
        "error-BUSY",
        "error-2",
    ]
    assert [case.status for case in contract.cases] == ["success"] + ["error"] * 3


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"sucess": {}}, "did you mean 'success'?"),
        ({"kind": "queri"}, "did you mean 'query'?"),
        ({"never": {"partal": "one row"}}, "did you mean 'partial'?"),
        ({"never": {"partial": " "}}, "needs a reason"),
        ({"never": {"empty": "x"}, "empty": {}}, "declared impossible"),
        ({"allow": ["netwrk"]}, "did you mean 'network'?"),
        ({"allow": "network"}, "must be a list of texts"),
        ({"success": {"a": object()}}, "no JSON object"),
        ({"success": {"a": float("nan")}}, "no JSON object"),
        ({"success": {1: 2}}, "must be texts"),
        ({"success": 3}, "must be arguments"),
        ({"success": [3]}, "must be a mapping"),
        ({"success": Case({}, code="X")}, "only errors have codes"),
        ({"error": Case({}, status="empty")}, "leave its status out"),
        ({"error": Case({}, when=NOT_CALLABLE)}, "context manager"),
        ({"ignore": {"TR402": ""}}, "needs a reason"),
        ({"ignore": ["TR402"]}, "must map each name to its reason"),
        ({"timeout": 0}, "above 0"),
        ({"examples": True}, "above 0"),
        ({"repeatable": "yes"}, "True or False"),
        ({"validate_arguments": "no"}, "True or False"),
        ({"reset": 3}, "must be a callable or a name"),
    ],
)
def test_a_wrong_declaration_is_named(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(ContractError, match=words.replace("?", r"\?")):
        Contract.from_keywords(tool, keywords)


def test_repeatable_grants_every_power() -> None:
    assert Contract(tool, repeatable=True).powers == {
        "network",
        "subprocess",
        "files",
        "sql",
    }


def test_a_reset_permits_what_it_can_put_back() -> None:
    assert Contract(tool, reset="cleared").powers == {"subprocess", "files", "sql"}
    assert Contract(tool, reset=tool, allow=["network"]).powers == {
        "network",
        "subprocess",
        "files",
        "sql",
    }
