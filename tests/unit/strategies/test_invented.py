from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pytest_toolresult.strategies.invented import _PROVIDERS as PROVIDERS
from pytest_toolresult.strategies.invented import invented, provider_for


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("name", "name"),
        ("customerName", "name"),
        ("first_name", "first_name"),
        ("company_name", "company"),
        ("shipping_address", "address"),
        ("userName", "user_name"),
        ("iban", "iban"),
        ("file_name", None),
        ("query", None),
        ("limit", None),
    ],
)
def test_a_provider_is_chosen_by_the_name(name: str, provider: str | None) -> None:
    assert provider_for(name) == provider


@pytest.mark.parametrize(
    "name",
    [words.split()[0] for words, _ in PROVIDERS],
)
def test_every_provider_gives_several_texts_in_several_scripts(name: str) -> None:
    made = list(invented(name))
    assert len(made) >= 5
    assert all(made)
    assert made == list(invented(name))
    json.dumps(made)


def test_faker_is_loaded_only_where_a_parameter_asks_for_it() -> None:
    code = (
        "import sys;"
        "from pytest_toolresult.strategies.sweep import sweep;"
        "of = lambda name: {'properties': {name: {'type': 'string'}}};"
        "list(sweep(of('query')));"
        "assert 'faker' not in sys.modules;"
        "print([each for each in sweep(of('customer_name'))][:500]);"
        "assert 'faker' in sys.modules"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(shown) == 1
