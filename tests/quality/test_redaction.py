"""How much is found in texts of every shape, and how little is found that is none."""

from __future__ import annotations

import re
from itertools import chain, count
from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult.redaction.scan import secrets_in
from tests.quality import redaction_shapes as shapes
from tests.quality import redaction_values as values
from tests.quality.redaction_values import Chance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Make = Callable[[Chance], Iterator[str]]

ROUNDS: Final = 3
PASSWORD_IN_ADDRESS: Final = re.compile(
    r"(?:[pP]assword|[pP]wd|AccountKey|SharedAccessKey)=([^;&\s]+)|:([^:@/]+)@"
)


def passwords(chance: Chance) -> Iterator[str]:
    yield values.password(chance)


CLASSES: Final[dict[str, tuple[Make, tuple[str, ...], float]]] = {
    "keys and tokens": (values.keys, shapes.ANYWHERE, 0.95),
    "private keys": (values.private_keys, shapes.ANYWHERE, 0.95),
    "hashes": (values.hashes, shapes.ANYWHERE, 0.95),
    "connection strings": (values.connections, shapes.ANYWHERE, 0.95),
    "cards": (values.cards, shapes.ANYWHERE, 0.95),
    "accounts": (values.accounts, shapes.ANYWHERE, 0.95),
    "named tokens": (values.secret_tokens, shapes.KEYED, 0.95),
    "passwords": (passwords, shapes.PASSWORDS, 0.9),
    "identity numbers": (values.identities, shapes.IDENTITIES, 0.9),
    "phone numbers": (values.phones, shapes.PHONES, 0.9),
    "e-mail addresses": (values.emails, shapes.EMAILS, 0.9),
}
"""For each class its values, its shapes, and the share that has to be found."""


def samples(name: str) -> list[tuple[str, str]]:
    """Return texts of a class, each with the part that must not be seen."""
    make, forms, _ = CLASSES[name]
    made = chain.from_iterable(make(Chance(f"{name} {n}")) for n in count())
    return [
        (form.format(value.replace("\n", "\\n")), core(value))
        for form, value in zip(forms * ROUNDS, made, strict=False)
    ]


def core(value: str) -> str:
    """Return the password of an address, and the first line of anything else."""
    found = PASSWORD_IN_ADDRESS.search(value)
    if found and ("=" in value or "://" in value or "@tcp" in value):
        return found[1] or found[2]
    return value.partition("\n")[0]


def is_found(text: str, secret: str, offset: int = 0) -> bool:
    start = text.index(secret, offset)
    end = start + len(secret)
    return any(span.start < end and span.end > start for span in secrets_in(text))


@pytest.mark.parametrize("name", CLASSES)
def test_most_of_each_class_is_found(name: str) -> None:
    texts = samples(name)
    missed = [text for text, secret in texts if not is_found(text, secret)]
    assert len(texts) >= 30 * ROUNDS
    assert len(missed) <= (1 - CLASSES[name][2]) * len(texts), missed


def test_nearly_all_is_found_over_all_classes() -> None:
    found = [is_found(*sample) for name in CLASSES for sample in samples(name)]
    assert sum(found) >= 0.97 * len(found)


def test_what_only_looks_like_a_secret_is_left_alone() -> None:
    alarms = [text for text in shapes.LOOK_ALIKES if secrets_in(text)]
    assert len(shapes.LOOK_ALIKES) >= 200
    assert len(alarms) <= 0.01 * len(shapes.LOOK_ALIKES), alarms


def test_each_look_alike_is_left_alone_among_the_others() -> None:
    text = "\n\n".join(shapes.LOOK_ALIKES)
    found = {text[span.start : span.end] for span in secrets_in(text)}
    assert len(found) <= 0.02 * len(shapes.LOOK_ALIKES), found


@pytest.mark.parametrize("name", CLASSES)
def test_a_secret_is_found_in_the_midst_of_fifty_kilobytes(name: str) -> None:
    filler = "The order was updated, and the customer asked for a copy of it.\n" * 400
    for text, secret in samples(name)[::9]:
        if is_found(text, secret):
            buried = f"{filler}\n{text}\n\n{filler}"
            assert len(buried) > 50_000
            assert is_found(buried, secret, len(filler)), text
