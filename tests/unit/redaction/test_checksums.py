"""Numbers that authorities, standards and manuals publish as examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult.redaction import checksums, payments

if TYPE_CHECKING:
    from collections.abc import Callable

PUBLISHED: Final[list[tuple[Callable[[str], bool], str]]] = [
    (payments.luhn, "79927398713"),
    (payments.card, "4111111111111111"),
    (payments.card, "378282246310005"),
    (payments.card, "30569309025904"),
    (payments.iban, "GB82WEST12345698765432"),
    (payments.iban, "DE89370400440532013000"),
    (payments.iban, "FR1420041010050500013M02606"),
    (checksums.us_ssn, "219099999"),
    (checksums.us_itin, "912903456"),
    (checksums.cn_id, "11010519491231002X"),
    (checksums.br_cpf, "11144477735"),
    (checksums.br_cnpj, "11222333000181"),
    (checksums.de_tax_id, "86095742719"),
    (checksums.de_pension_id, "65170839J003"),
    (checksums.jp_my_number, "123456789018"),
    (checksums.in_aadhaar, "234123412346"),
    (checksums.in_pan, "ACUPA7085R"),
    (checksums.fr_nir, "295109912611193"),
    (checksums.gb_nino, "AB123456C"),
    (checksums.gb_nhs, "9434765919"),
    (checksums.kr_rrn, "9710139019902"),
    (checksums.es_dni, "12345678Z"),
    (checksums.es_dni, "X1234567L"),
    (checksums.it_fiscal_code, "RSSMRA85T10A562S"),
    (checksums.pl_pesel, "44051401359"),
    (checksums.nl_bsn, "111222333"),
    (checksums.se_number, "8112189876"),
    (checksums.ca_sin, "123456782"),
    (checksums.sg_nric, "S1234567D"),
    (checksums.sg_nric, "T1234567J"),
    (checksums.sg_nric, "F1234567N"),
    (checksums.sg_nric, "G1234567X"),
    (checksums.hk_id, "A1234563"),
    (checksums.hk_id, "AB9876543"),
    (checksums.tw_id, "A123456789"),
    (checksums.cl_rut, "125319092"),
    (checksums.ar_cuit, "20055361682"),
    (checksums.tr_number, "17291716060"),
    (checksums.za_id, "7503305044089"),
    (checksums.fi_code, "131052-308T"),
    (checksums.be_number, "85073003328"),
    (checksums.ru_snils, "11223344595"),
    (checksums.mx_curp, "BOXW310820HNERXN09"),
    (checksums.passport_line, "L898902C36UTO7408122F1204159ZE184226B<<<<<10"),
]


@pytest.mark.parametrize(("check", "number"), PUBLISHED)
def test_a_published_number_is_right(check: Callable[[str], bool], number: str) -> None:
    assert check(number)


WITHOUT_CHECK_DIGIT: Final = ("us_ssn", "us_itin", "in_pan", "gb_nino")


@pytest.mark.parametrize(("check", "number"), PUBLISHED)
def test_another_check_digit_is_wrong(
    check: Callable[[str], bool], number: str
) -> None:
    if check.__name__ in WITHOUT_CHECK_DIGIT:
        assert not check("000" + number[3:] if number.isdigit() else "BG1" + number[3:])
        return
    alphabet = "0123456789" if number[-1].isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    turned = alphabet[(alphabet.index(number[-1]) + 1) % len(alphabet)]
    changed = number[:-1] + turned
    if check is checksums.passport_line:
        changed = f"{number[:9]}7{number[10:]}"
    assert not check(changed)


@pytest.mark.parametrize("written", ["19900230", "18800101", "20261301"])
def test_no_date_that_nobody_was_born_on(written: str) -> None:
    assert not checksums.is_date(written)
