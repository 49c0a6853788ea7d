"""Numbers that manuals print, and that are nobody's though they pass every check."""

from __future__ import annotations

from typing import Final

_TEST_CARDS: Final = "400000"
"""How the cards begin of which Stripe's manual has one for each way to be refused."""

_KNOWN: Final = frozenset(
    (
        # Test cards of the processors' manuals.
        *("4111111111111111", "4242424242424242", "4012888888881881", "4222222222222"),
        *(
            "4000056655665556",
            "5555555555554444",
            "5105105105105100",
            "2223003122003222",
        ),
        *("378282246310005", "371449635398431", "6011111111111117", "6011000990139424"),
        *("30569309025904", "38520000023237", "3530111333300000", "3566002020360505"),
        *(
            "4000000000000002",
            "4000002500003155",
            "5200828282828210",
            "6200000000000005",
        ),
        *(
            "4917610000000000",
            "5454545454545454",
            "4444333322221111",
            "4012000033330026",
        ),
        # Accounts from the registry's and the banks' manuals.
        *("GB82WEST12345698765432", "DE89370400440532013000", "GB29NWBK60161331926819"),
        *(
            "FR1420041010050500013M02606",
            "NL91ABNA0417164300",
            "ES9121000418450200051332",
        ),
        *("CH9300762011623852957", "BE68539007547034", "GB33BUKB20201555555555"),
        *(
            "DE75512108001245126199",
            "FR7630006000011234567890189",
            "IT60X0542811101000000123456",
        ),
        # Numbers of persons who do not exist.
        *("078051120", "219099999", "123456789", "11010519491231002X", "11144477735"),
        *("12345678909", "440524188001010014", "999999999", "A123456789", "12345678Z"),
        *("QQ123456C", "AB123456C", "65170839J003", "RSSMRA85T10A562S", "S1234567D"),
        *(
            "BADD110313HCMLNS09",
            "86095742719",
            "ABCDE1234F",
            "AAAAA1234A",
            "44051401359",
        ),
    )
)


def is_known(bare: str) -> bool:
    """Tell whether a number without separators is one that manuals print."""
    return bare in _KNOWN or (len(bare) == 16 and bare.startswith(_TEST_CARDS))
