"""Every check digit is judged as python-stdnum judges it, on random numbers."""

from __future__ import annotations

import importlib
import random
from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult.redaction import checksums, payments

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES: Final = 4_000
SAME: Final = {
    "luhn": ("luhn", "d" * 12),
    "us_ssn": ("us.ssn", "d" * 9),
    "br_cpf": ("br.cpf", "d" * 11),
    "br_cnpj": ("br.cnpj", "d" * 14),
    "de_tax_id": ("de.idnr", "d" * 11),
    "in_aadhaar": ("in_.aadhaar", "d" * 12),
    "jp_my_number": ("jp.in_", "d" * 12),
    "fr_nir": ("fr.nir", "1ddMM75dddddddd"),
    "gb_nhs": ("gb.nhs", "d" * 10),
    "es_dni": ("es.dni", "ddddddddA"),
    "it_fiscal_code": ("it.codicefiscale", "AAAAAA85T10AdddA"),
    "pl_pesel": ("pl.pesel", "8dMMDDddddd"),
    "nl_bsn": ("nl.bsn", "d" * 9),
    "se_number": ("se.personnummer", "8dMMDDdddd"),
    "ca_sin": ("ca.sin", "d" * 9),
    "cl_rut": ("cl.rut", "d" * 9),
    "ar_cuit": ("ar.cuit", "20ddddddddd"),
    "tr_number": ("tr.tckimlik", "1dddddddddd"),
    "cn_id": ("cn.ric", "11010519ddMMDDdddd"),
    "za_id": ("za.idnr", "8dMMDDddddddd"),
    "iban": ("iban", "GBddWESTdddddddddddddd"),
}
"""For each check the module that has it too, and how the numbers are made."""

NARROWER_THERE: Final = {
    "us_itin": ("us.itin", "9dddddddd"),  # ranges that came into use since
    "in_pan": ("in_.pan", "AAAPAddddA"),
    "kr_rrn": ("kr.rrn", "8dMMDD1dddddd"),  # the place of birth, no more told
    "be_number": ("be.nn", "8dMMDDddddd"),
    "fi_code": ("fi.hetu", "DDMM8d-dddA"),
    "mx_curp": ("mx.curp", "BACA8dMMDDHDFBBBdd"),
}
"""Checks that are stricter there, about what is no check digit."""


def numbers(form: str) -> list[str]:
    source = random.Random(form)  # noqa: S311 - no secret
    return [made(form, source) for _ in range(TRIES)]


def made(form: str, source: random.Random) -> str:
    form = form.replace("MM", f"{source.randrange(1, 13):02}")
    form = form.replace("DD", f"{source.randrange(1, 29):02}")
    return "".join(
        source.choice("0123456789")
        if each == "d"
        else source.choice("ABCDEFGHJKLMNPRSTVWXYZ")
        if each == "A"
        else each
        for each in form
    )


def ours(name: str) -> Callable[[str], bool]:
    module = payments if hasattr(payments, name) else checksums
    found: Callable[[str], bool] = getattr(module, name)
    return found


def theirs(name: str) -> Callable[[str], bool]:
    found: Callable[[str], bool] = importlib.import_module(f"stdnum.{name}").is_valid
    return found


@pytest.mark.parametrize("name", SAME)
def test_both_say_the_same(name: str) -> None:
    module, form = SAME[name]
    mine, other = ours(name), theirs(module)
    tried = numbers(form)
    assert [number for number in tried if mine(number) != other(number)] == []
    assert any(map(mine, tried))


@pytest.mark.parametrize("name", NARROWER_THERE)
def test_nothing_is_missed(name: str) -> None:
    module, form = NARROWER_THERE[name]
    mine, other = ours(name), theirs(module)
    right = [number for number in numbers(form) if other(number)]
    assert right
    assert [number for number in right if not mine(number)] == []
