"""Whether what stands under a telling name is a secret in clear.

A name alone says little: `password` may hold a rule for passwords, `token` a word,
`secret` the path of a file. What stands there has to look like a secret too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction import payments
from pytest_toolresult.redaction.detectors.known_numbers import is_known
from pytest_toolresult.redaction.detectors.placeholders import (
    has_placeholder_word,
    is_documented,
    is_masked,
    is_placeholder,
    is_reference,
    is_sequence,
    is_worded,
)

if TYPE_CHECKING:
    from pytest_toolresult.redaction.detectors.labels import Label

_STATES: Final = frozenset(
    str.split(
        "password passwd passwort kennwort passphrase senha contrasena contrase\xf1a"
        " wachtwoord secret token string str text none null nil true false"
        " undefined required optional missing present set unset yes no on off ok"
        " enabled disabled valid invalid expired changed unchanged strong weak"
        " medium hidden plain plaintext encrypted hashed bcrypt argon2 argon2id"
        " scrypt pbkdf2 sha256 sha512 md5 basic bearer digest oauth oauth2 unknown"
        " empty blank default any object array number integer int float bool"
        " boolean secretstr bytes type input field label hash key value name user"
        " username email login credential credentials auth authentication"
        " authorization session cookie reset forgot update updated create created"
        " rotate rotated revoked active inactive pending denied granted failed"
        " success error cleartext redacted admin root guest test mypassword"
        " yourpassword changeme change-me letmein-example pass pwd passcode apikey"
        " api_key api-key access_token client_secret private_key public_key kms"
        " vault aws gcp azure env environment keyring keychain prompt stdin"
        " interactive ask file mot contrase\xf1as passw\xf6rter prefer disable allow"
        " require verify verify-ca verify-full is was are must should the a an and"
        " or not of for in to"
    )
)
_CODE: Final = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+(?:[(\[].*)?|[A-Za-z_$][\w$]*["
    r"(\[{].*"
    r"|[a-z]+[A-Z][A-Za-z]+|[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+|&?self\b.*|%[sdr]"
)
_KEBAB: Final = re.compile(
    r"[A-Za-z]+(?:[-_. ][A-Za-z]+)*(?:[-_.]?\d{4}-\d{2}-\d{2})?[\d.]{0,3}"
)
_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[:.]\d\d([:.]\d\d)?(?![\d.-]).*"
)
_PATH: Final = re.compile(r"(?:[A-Za-z]:)?[\\/]?[\w.@-]+(?:[\\/][\w.@-]+)+[\\/]?")
_DIGITS: Final = re.compile(r"\d.*\d.*\d")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HASH: Final = re.compile(r"[0-9a-fA-F]{32,128}|[A-Za-z0-9+/]{24,90}={0,2}")
_SCHEME: Final = re.compile(
    r"(?i)(?:bearer|basic|token|digest|apikey|negotiate|ssws|hmac|key"
    r"|aws4-hmac-sha256)\s+(.+)",
    re.DOTALL,
)
_COOKIE: Final = re.compile(r"([\w.$-]{1,60})=([^;\s]{8,4096})")

_LEAST_PASSWORD: Final = 4
_LONGEST_PASSWORD: Final = 256
_LEAST_TOKEN: Final = 8
_MEDIUM_TOKEN: Final = 12
_LONG_TOKEN: Final = 16


def is_clear(label: Label, value: str, *, loose: bool = False) -> bool:
    """Tell whether a value under a name of that kind is a secret in clear.

    Args:
        label: What the name says.
        value: What stands there.
        loose: Whether it stands in running text without quotes, where a word after a
            colon need not be a value.
    """
    value = value.strip().strip("\"'")
    check = _CHECKS[label]
    if not value or is_masked(value) or is_reference(value):
        return False
    return check(value, loose)


def _is_password(value: str, loose: bool) -> bool:
    if not _LEAST_PASSWORD <= len(value) <= _LONGEST_PASSWORD or is_documented(value):
        return False
    lowered = value.lower().rstrip(".,!:;)")
    if lowered in _STATES or has_placeholder_word(value) or _DATE.fullmatch(value):
        return False
    if re.search(r"\s", value):
        return not loose and _is_phrase(value)
    if _is_place(value) or (value[0] in "([{" and value[-1] not in ")]}"):
        return False
    if loose:
        return _is_uneven(value) and not _is_code(value)
    return not _CODE.fullmatch(value) or _is_uneven(value)


def _is_place(value: str) -> bool:
    return "://" in value or (value[0] in "/~" and bool(_PATH.fullmatch(value)))


def _is_code(value: str) -> bool:
    """Tell a call or a name in a program from a word with digits in it."""
    if not _CODE.fullmatch(value):
        return False
    return "(" in value or not re.search(r"\d[A-Za-z]", value)


def _is_phrase(value: str) -> bool:
    """Tell a passphrase from a sentence: few words, of which one is no word."""
    words = value.split()
    odd = [
        word
        for word in words
        if not re.fullmatch(r"[\w\u2019'-]*[.,:;!?]?", word)
        or re.search(r"[A-Za-z]\d|\d[A-Za-z]", word)
    ]
    return len(words) <= 6 and bool(odd) and not value.endswith((".", "!", "?", ":"))


def _is_uneven(value: str) -> bool:
    """Tell whether a word has more in it than letters of one case."""
    bare = value.strip(".,:;!?)(")
    return bool(re.search(r"\d|[^\w\s.,-]|[a-z][A-Z]", bare)) and bool(
        re.search(r"[^\W_]", bare)
    )


def _is_pin(value: str, _: bool) -> bool:
    return (
        bool(re.fullmatch(r"\d{3,8}|[A-Z0-9]{6,8}|[a-z0-9]{4,5}-[a-z0-9]{4,5}", value))
        and not is_sequence("x" + value + "x")
        and bool(re.search(r"\d", value))
    )


def _is_hash(value: str, _: bool) -> bool:
    return (
        bool(_HASH.fullmatch(value.removeprefix("0x"))) and not is_placeholder(value)
    ) or (value.startswith("$") and len(value) > 20)


def _is_token(value: str, loose: bool) -> bool:
    scheme = _SCHEME.fullmatch(value)
    if scheme:
        value = scheme[1].strip()
    if len(value) < _LEAST_TOKEN or re.search(r"\s", value):
        return len(value.split()) >= 12 and _is_mnemonic(value)
    if is_placeholder(value) or value.lower() in _STATES or _DATE.fullmatch(value):
        return False
    if _KEBAB.fullmatch(value) or _CODE.fullmatch(value) or "://" in value:
        return (
            len(value) >= _MEDIUM_TOKEN
            and len(re.findall("[a-z][A-Z]", value)) > 2
            and value.isalnum()
            and not is_worded(value)
        )
    if re.fullmatch(r"[\d.,:/ -]+", value):
        return len(value) >= _LONG_TOKEN and not loose and value.isdigit()
    if (loose and is_worded(value)) or _is_file(value):
        return False
    return bool(re.search(r"\d", value)) or len(value) >= _LONG_TOKEN


def _is_file(value: str) -> bool:
    return "/" in value and bool(_PATH.fullmatch(value)) and not _DIGITS.search(value)


def _is_mnemonic(value: str) -> bool:
    words = value.split()
    return len(words) in (12, 15, 18, 21, 24) and all(
        re.fullmatch("[a-z]{3,8}", word) for word in words
    )


def _is_header(value: str, loose: bool) -> bool:
    return _is_token(value, loose)


def _is_cookie(value: str, loose: bool) -> bool:
    pairs = _COOKIE.findall(value)
    if pairs:
        return any(_is_random_value(each) for _, each in pairs)
    return _is_random_value(value)


def _is_random_value(value: str) -> bool:
    return (
        len(value) >= _LONG_TOKEN
        and bool(re.search(r"\d", value))
        and bool(re.search(r"[A-Za-z]", value))
        and not re.search(r"\s", value)
        and not is_placeholder(value)
        and not _KEBAB.fullmatch(value)
        and not _DATE.match(value)
        and not value.startswith(("http", "GA1."))
    )


def _is_session(value: str, _: bool) -> bool:
    return (
        _is_random_value(value)
        and not _UUID.fullmatch(value)
        and not re.match(r"[a-z]{2,12}[_-]|[A-Za-z]+\d+\Z", value)
    )


def _is_identity(value: str, loose: bool) -> bool:
    bare = re.sub(r"[\s./-]", "", value).upper()
    if not re.fullmatch(
        r"[A-Z]{0,3}\d[A-Z0-9]{4,16}(?:\(\w\))?|[A-Z]{6}\d[A-Z0-9]{8,11}"
        r"|[A-Z]{4}\d{6}[A-Z0-9]{8}",
        bare,
    ):
        return False
    digits = sum(each.isdigit() for each in bare)
    return (
        digits >= 6
        and not is_sequence(bare)
        and len(set(bare)) > 2
        and not _DATE.fullmatch(value)
        and not is_known(bare)
    )


def _is_passport(value: str, _: bool) -> bool:
    bare = re.sub(r"[\s-]", "", value)
    return bool(
        re.fullmatch(r"(?=.*\d{5})[A-Za-z0-9]{7,10}", bare)
    ) and not is_sequence(bare)


def _is_card(value: str, _: bool) -> bool:
    bare = re.sub(r"[\s-]", "", value)
    return (
        bool(re.fullmatch(r"\d{12,19}", bare))
        and (payments.luhn(bare) or len(bare) >= 16)
        and not is_known(bare)
        and len(set(bare)) > 3
    )


def _is_account(value: str, _: bool) -> bool:
    bare = re.sub(r"[\s-]", "", value).upper()
    if re.match(r"[A-Z]{2}\d\d", bare):
        return 14 < len(bare) < 35 and bare.isalnum() and not is_known(bare)
    return (
        bool(re.fullmatch(r"\d{8,19}", bare))
        and not is_sequence(bare)
        and len(set(bare)) > 2
    )


def _is_phone(value: str, loose: bool) -> bool:
    bare = re.sub(r"(?i)\s*(?:x|ext\.?|extension|\u8f6c)\s*\d{1,6}$", "", value)
    digits = re.sub(r"\D", "", bare)
    if (
        not re.fullmatch(r"\+?[\d\s().\u2010-\u2015/-]{7,25}", bare)
        or not 7 <= len(digits) <= 15
    ):
        return False
    return (
        not is_fictional_phone(digits)
        and not _DATE.fullmatch(value)
        and len(set(digits)) > 2
    )


def is_fictional_phone(digits: str) -> bool:
    """Tell whether a number is one of those that are kept for films and manuals."""
    return (
        bool(re.search(r"55501\d\d$", digits))
        or bool(re.fullmatch(r"1?555\d{7}", digits))
        or bool(re.search(r"7700900\d{3}$|2079460\d{3}$|1632960\d{3}$", digits))
        or digits.endswith(("13800138000", "1234567890", "12345678"))
        or is_sequence(digits)
    )


def _is_proven_elsewhere(_: str, __: bool) -> bool:
    """Leave addresses to the detectors, which find them under any name."""
    return False


_CHECKS: Final = {
    "password": _is_password,
    "pin": _is_pin,
    "hash": _is_hash,
    "token": _is_token,
    "header": _is_header,
    "cookie": _is_cookie,
    "address": _is_proven_elsewhere,
    "session": _is_session,
    "identity": _is_identity,
    "passport": _is_passport,
    "tax": _is_identity,
    "card": _is_card,
    "account": _is_account,
    "phone": _is_phone,
    "email": _is_proven_elsewhere,
}
