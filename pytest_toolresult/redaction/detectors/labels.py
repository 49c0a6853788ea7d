"""What the name of a field, a variable or a column says about its value.

A name is read as words, whatever its spelling: `dbPassword`, `DB_PASSWORD`,
`db-password` and `Db password` are one. What counts is how it ends, because the end of
a name is its noun: a `password_policy` is a policy.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal
from unicodedata import combining, normalize

from pytest_toolresult.redaction.detectors.silhouettes import words_in

Label = Literal[
    "password",
    "pin",
    "hash",
    "token",
    "header",
    "cookie",
    "address",
    "session",
    "identity",
    "passport",
    "tax",
    "card",
    "account",
    "phone",
    "email",
]
"""What kind of value stands under a name. `address` is one of a server, `token` every
key, secret and token, `header` one that carries a scheme before its token."""

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NO_WORD: Final = re.compile("[^a-z0-9]+")
_ENDS: Final[dict[Label, str]] = {
    "password": (
        "password passwd passwort kennwort passphrase passcode pwd pass senha "
        "contrasena"
        " contrasenya losenord passord adgangskode salasana sifre"
        " wachtwoord parola haslo mot_de_passe motdepasse pw psw passwrd db_pass"
        " login_pass requirepass masterauth pgpassword mysql_pwd sshpass userpassword"
    ),
    "pin": (
        "pin_code otp otp_code one_time_password cvv cvc cvv2 cvc2 security_code "
        "pin_number"
        " verification_code auth_code card_pin totp recovery_code backup_code "
        "passcode_pin"
    ),
    "hash": (
        "password_hash passwd_hash pwd_hash pass_hash hashed_password password_digest"
        " password_md5 password_sha1 password_sha256 encrypted_password "
        "crypted_password"
        " nt_hash ntlm_hash lm_hash ntlm authentication_string password_hashed "
        "rolpassword"
        " shadow_hash pin_hash"
    ),
    "token": (
        "secret client_secret app_secret secret_key api_key apikey api_token apitoken"
        " access_key secret_access_key private_key signing_key encryption_key "
        "account_key"
        " shared_key shared_access_key storage_key subscription_key master_key auth_key"
        " service_key webhook_secret signing_secret consumer_secret token access_token"
        " refresh_token id_token auth_token bearer_token session_token security_token"
        " secret_token authtoken accesstoken jwt bearer sas_token sas api_secret"
        " shared_secret secret_value credential credentials private_token deploy_key"
        " license_key key_secret app_key application_key host_key ssh_key deploy_token"
        " csrf_token xsrf_token push_token device_token bot_token hmac_key jwt_secret"
        " secret_key_base cookie_secret session_secret"
        " internal_token internal_auth service_token"
        " signature_key encryption_secret database_secret x_api_key function_key"
        " user_token personal_access_token pat registration_token webhook_url_secret"
        " preshared_key psk wpa_psk seed_phrase mnemonic recovery_phrase totp_secret"
        " otp_secret mfa_secret secretkey privatekey accesskey secretaccesskey"
        " clientsecret appsecret x_auth_token x_amz_security_token x_vault_token sig"
        " x_internal_auth x_auth_key x_csrf_token access_key_secret accesskeysecret"
        " x_goog_api_key api_access_key auth master_secret accountkey sharedaccesskey"
        " geheimschlussel zugriffsschlussel api_schlussel zugangstoken"
        " zugriffstoken geheimnis chave_de_api chave_api chave_secreta clave_de_api"
        " clave_secreta cle_api cle_d_api cle_secrete jeton token_de_acesso"
        " token_de_acceso jeton_d_acces"
        " x_amz_signature x_amz_credential sharedsecret signing_token ak_sk sk"
    ),
    "header": "authorization proxy_authorization www_authorization auth_header",
    "cookie": "cookie set_cookie cookies session_cookie auth_cookie cookie_header",
    "address": (
        "dsn connection_string connectionstring conn_string connstr conn_str "
        "database_url"
        " db_url db_uri database_uri redis_url mongo_uri mongodb_uri mongo_url "
        "broker_url"
        " amqp_url sqlalchemy_database_uri jdbc_url celery_broker_url"
    ),
    "session": "session_id sessionid sid jsessionid phpsessid session_key sess_id",
    "identity": (
        "personal_identification_number identification_number identification_no"
        " documento_de_identidad documento_de_identidade numero_de_identidad"
        " numero_de_documento identifikationsnummer"
        " ssn social_security_number social_security social_security_no national_id"
        " national_identity national_identity_number id_card id_card_number id_card_no"
        " id_number identity_number identity_card idcard citizen_id personal_number"
        " aadhaar aadhaar_number aadhar nric rrn resident_registration_number nino"
        " national_insurance_number insurance_number ni_number nhs_number pesel bsn "
        "dni nie"
        " nir curp cedula my_number mynumber personnummer sin curp snils hkid ci_number"
        " drivers_license driver_license drivers_licence driver_licence_number"
        " driver_license_number drivers_license_number license_number_driver"
        " sozialversicherungsnummer rentenversicherungsnummer personalausweis"
        " personalausweisnummer id_no identity_no idno id_card_num sfz sfzh"
        " numero_de_securite_sociale numero_securite_sociale rg rut"
    ),
    "passport": "passport passport_number passport_no passport_num passport_id",
    "tax": (
        "tax_id tax_number tax_no tin ein itin cpf cnpj cpf_cnpj steuer_id steuer_idnr"
        " steuernummer steuer_identifikationsnummer idnr codice_fiscale fiscal_code"
        " partita_iva nif pan_card pan_number pan_no cuit cuil "
        "tax_identification_number"
        " taxpayer_id inn"
    ),
    "card": (
        "card_number card_no credit_card creditcard credit_card_number debit_card"
        " cardnumber ccnum cc_number cc pan card_num ccn debit_card_number kartennummer"
        " numero_cartao"
    ),
    "account": (
        "iban bank_account bank_account_number account_number account_no "
        "bank_account_no"
        " kontonummer bank_card bank_card_number acct_no bank_card_no numero_conta"
        " sort_code_account swift_account"
    ),
    "phone": (
        "caller_number caller_s_number callers_number mobil mobilnummer"
        " mobiltelefon ph mob telefonnummer numero_de_telefono numero_de_telefone"
        " phone phone_number mobile mobile_number mobile_phone telephone tel cell "
        "cellphone"
        " cell_phone fax phone_no mobile_no contact_number telefon telefone telefono"
        " telephone_number tel_no whatsapp handy handynummer celular rufnummer msisdn"
        " home_phone work_phone contact_phone"
    ),
    "email": "email e_mail mail email_address mail_address contact_email",
}
_IDEOGRAPHS: Final[dict[Label, str]] = {
    "password": "\u5bc6\u7801 \u53e3\u4ee4 \u5bc6\u78bc "
    "\u30d1\u30b9\u30ef\u30fc\u30c9 \ube44\ubc00\ubc88\ud638 "
    "\u767b\u5f55\u5bc6\u7801 \u767b\u9646\u5bc6\u7801 "
    "\u521d\u59cb\u5bc6\u7801 \u6697\u8a3c\u756a\u53f7 "
    "\u092a\u093e\u0938\u0935\u0930\u094d\u0921 "
    "\u043f\u0430\u0440\u043e\u043b\u044c",
    "pin": "\u9a8c\u8bc1\u7801 \u52a8\u6001\u7801 \u6821\u9a8c\u7801 "
    "\u5b89\u5168\u7801 \u77ed\u4fe1\u9a8c\u8bc1\u7801 "
    "\u652f\u4ed8\u5bc6\u7801 \u53d6\u6b3e\u5bc6\u7801 \u6388\u6743\u7801 "
    "\u8a8d\u8a3c\u30b3\u30fc\u30c9",
    "hash": "\u5bc6\u7801\u54c8\u5e0c \u5bc6\u7801\u6458\u8981 "
    "\u53e3\u4ee4\u54c8\u5e0c \u5bc6\u7801\u6563\u5217",
    "token": "\u5bc6\u94a5 \u79d8\u94a5 \u79c1\u94a5 \u4ee4\u724c "
    "\u8bbf\u95ee\u4ee4\u724c \u63a5\u53e3\u5bc6\u94a5 "
    "\u8bbf\u95ee\u5bc6\u94a5 \u91d1\u9470 \u6b0a\u6756 "
    "\u30c8\u30fc\u30af\u30f3 \u79d8\u5bc6\u9375 \u51ed\u8bc1 \u51ed\u636e "
    "\ud1a0\ud070",
    "cookie": "\u4f1a\u8bdd\u51ed\u8bc1",
    "address": "\u8fde\u63a5\u4e32 \u8fde\u63a5\u5b57\u7b26\u4e32 "
    "\u6570\u636e\u5e93\u8fde\u63a5",
    "identity": "\u8eab\u4efd\u8bc1 \u8eab\u4efd\u8bc1\u53f7 "
    "\u8eab\u4efd\u8bc1\u53f7\u7801 \u8bc1\u4ef6\u53f7 "
    "\u8bc1\u4ef6\u53f7\u7801 \u8eab\u4efd\u8b49 "
    "\u516c\u6c11\u8eab\u4efd\u53f7\u7801 "
    "\u30de\u30a4\u30ca\u30f3\u30d0\u30fc \u500b\u4eba\u756a\u53f7 "
    "\uc8fc\ubbfc\ub4f1\ub85d\ubc88\ud638 \u793e\u4fdd\u53f7 "
    "\u793e\u4f1a\u4fdd\u969c\u53f7 \u5c45\u6c11\u8eab\u4efd\u8bc1",
    "passport": "\u62a4\u7167 \u62a4\u7167\u53f7 \u62a4\u7167\u53f7\u7801 "
    "\u30d1\u30b9\u30dd\u30fc\u30c8\u756a\u53f7 \uc5ec\uad8c\ubc88\ud638",
    "tax": "\u7eb3\u7a0e\u4eba\u8bc6\u522b\u53f7 \u7a0e\u53f7",
    "card": "\u94f6\u884c\u5361 \u94f6\u884c\u5361\u53f7 \u5361\u53f7 "
    "\u4fe1\u7528\u5361 \u4fe1\u7528\u5361\u53f7 "
    "\u30ab\u30fc\u30c9\u756a\u53f7 \uce74\ub4dc\ubc88\ud638",
    "account": "\u94f6\u884c\u8d26\u53f7 \u94f6\u884c\u5e10\u53f7 "
    "\u5f00\u6237\u8d26\u53f7 \u8d26\u6237\u53f7\u7801 "
    "\u53e3\u5ea7\u756a\u53f7 \uacc4\uc88c\ubc88\ud638 "
    "\u5bf9\u516c\u8d26\u53f7",
    "phone": "\u624b\u673a \u624b\u673a\u53f7 \u624b\u673a\u53f7\u7801 \u7535\u8bdd "
    "\u7535\u8bdd\u53f7\u7801 \u8054\u7cfb\u7535\u8bdd \u624b\u6a5f "
    "\u96fb\u8a71 \u96fb\u8a71\u756a\u53f7 \u643a\u5e2f\u96fb\u8a71 "
    "\uc804\ud654\ubc88\ud638 \ud734\ub300\ud3f0 \u5ea7\u673a "
    "\u8054\u7cfb\u65b9\u5f0f \u643a\u5e2f",
    "email": "\u90ae\u7bb1 \u7535\u5b50\u90ae\u7bb1 \u90ae\u4ef6\u5730\u5740 "
    "\u96fb\u5b50\u90f5\u4ef6 \u30e1\u30fc\u30eb\u30a2\u30c9\u30ec\u30b9 "
    "\uc774\uba54\uc77c",
}
_PLURALS: Final = frozenset(
    {"passwords", "secrets", "keys", "emails", "phones", "cookies", "ssns", "pins"}
)
_COPULA: Final = re.compile(
    r"(?:\u5df2?(?:\u7ecf)?)?(?:(?:\u91cd\u7f6e|\u8bbe\u7f6e|\u8bbe|\u66f4\u65b0"
    r"|\u4fee\u6539|\u6539|\u53d8\u66f4)?(?:\u6210|\u4e3a|\u70ba|\u662f|\u5c31\u662f"
    r"|\u53eb)|\u306f|\uc740|\ub294|[\W_])+$"
)
"""What stands between a name and its value where people write, not programs."""

_NEUTRAL: Final = frozenset(
    str.split(
        "value plain plaintext text raw clear cleartext old new current prod"
        " production dev staging live str string data primary secondary backup 1 2"
        " 3 temp temporary initial default main root admin master val header env"
        " is ist lautet est es war"
        " decoded b64 base64 encoded unmasked confirm confirmation again repeat"
    )
)
"""Words after the noun that leave it what it is."""

_BENIGN_BEFORE: Final = frozenset(
    str.split(
        "page next prev previous continuation sync cursor pagination max min num"
        " total input output prompt completion count has is no show reset forgot"
        " forgotten public sort primary foreign partition expected invalid missing"
        " change idempotency request starting resume continue upload"
        " unk eos bos sep cls mask end start stop special"
    )
)
"""Words before a token, a key or a password that make something else of it."""


@lru_cache(maxsize=8192)
def label_of(name: str) -> Label | None:
    """Return what a name says about its value, or `None` if nothing.

    Args:
        name: The name of a field, a variable, a header, a column.
    """
    if not name or len(name) > 120:
        return None
    if not name.isascii():
        found = _ideographic(name)
        if found:
            return found
    words = [
        each for each in _NO_WORD.split(_CAMEL.sub("_", _plain(name)).lower()) if each
    ]
    while len(words) > 1 and (words[-1] in _NEUTRAL or words[-1].isdigit()):
        words.pop()
    if words:
        words[-1] = _singular(words[-1].rstrip("0123456789") or words[-1])
    return _ending(words)


@lru_cache(maxsize=8192)
def may_end_label(word: str) -> bool:
    """Tell whether a telling name may end with a word, quicker than by reading it.

    It errs on one side only.
    """
    if not word.isascii():
        return True
    pieces = _NO_WORD.split(_CAMEL.sub("_", word).lower())
    last = next((each for each in reversed(pieces) if each), "")
    if last in _NEUTRAL or last.isdigit():
        return True
    last = last.rstrip("0123456789")
    return last.encode() in _LAST_WORDS or _fused(last) is not None


def _singular(word: str) -> str:
    """Take `passwords` for a list of them; `tokens` are counted and no secrets."""
    return word[:-1] if word in _PLURALS else word


def _plain(name: str) -> str:
    if name.isascii():
        return name
    return "".join(each for each in normalize("NFKD", name) if not combining(each))


def _ending(words: list[str]) -> Label | None:
    for length in (4, 3, 2, 1):
        found = _TABLE.get("_".join(words[-length:])) if length <= len(words) else None
        if found:
            before = words[: len(words) - length]
            return None if _is_spoiled(found, before) else found
    joined = "".join(words)
    return _TABLE.get(joined) or _fused(words[-1] if words else "")


def _fused(word: str) -> Label | None:
    """Read what was written without a seam: `dbpassword`, `clientsecret`."""
    for end in ("password", "passwd", "passphrase", "apikey", "secretkey", "accesskey"):
        if word.endswith(end) and len(word) <= len(end) + 12:
            return "password" if end.startswith("pass") else "token"
    return None


def _is_spoiled(found: Label, before: list[str]) -> bool:
    if found not in (
        "password",
        "token",
        "pin",
        "phone",
        "email",
        "hash",
        "card",
        "cookie",
    ):
        return False
    return bool(before) and (
        before[-1] in _BENIGN_BEFORE or before[0] in ("has", "is", "no", "show")
    )


def _ideographic(name: str) -> Label | None:
    stripped = _COPULA.sub("", re.sub(r"[(\uff08].*?[)\uff09]", "", name).strip())
    for length in range(min(len(stripped), 9), 1, -1):
        found = _IDEOGRAPH_TABLE.get(stripped[-length:])
        if found:
            return found
    return None


_TABLE: Final = {
    spelling: label
    for label, names in _ENDS.items()
    for name in names.split()
    for spelling in (name, name.replace("_", ""))
}
_IDEOGRAPH_TABLE: Final = {
    name: label for label, names in _IDEOGRAPHS.items() for name in names.split()
}

_HUMP: Final = re.compile("[a-z]([A-Z](?:[a-z]+|[A-Z]+))")
_LAST_WORDS: Final = frozenset(
    piece.rstrip("0123456789").encode()
    for name in (*_TABLE, *_PLURALS)
    for piece in (name, name.rpartition("_")[2])
)
_LAST_HUMPS: Final = frozenset(
    written
    for word in _LAST_WORDS
    for written in (word.decode().title(), word.decode().upper())
)
_SEAMLESS: Final = ("password", "passwd", "secret", "token", "apikey", "key")
_ACCENTS: Final = re.compile("[\u00c0-\u024f]")
_SIGNS: Final = re.compile(
    f"[{''.join(sorted({name[-1] for name in _IDEOGRAPH_TABLE}))}]"
)


def may_hold_labels(text: str, seen: bytes) -> bool:
    """Tell whether a word stands in the text that a telling name could end with.

    It is asked of every text, so it is quick and errs on one side only.

    Args:
        text: Any text.
        seen: Its silhouette.
    """
    if not text.isascii():
        if _SIGNS.search(text):
            return True
        if _ACCENTS.search(text):
            text = normalize("NFKD", text).encode("ascii", "ignore").decode()
    found = words_in(text)
    if not _LAST_WORDS.isdisjoint(found):
        return True
    lowered = text.lower()
    for word in _SEAMLESS:
        if word in lowered:
            return True
    if b"aA" not in seen:
        return False
    return not _LAST_HUMPS.isdisjoint(_HUMP.findall(text))
