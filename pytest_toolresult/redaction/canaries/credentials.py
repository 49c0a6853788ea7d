"""Makes credentials that look like real ones and open nothing."""

from __future__ import annotations

import json
import string
from base64 import b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.redaction.canaries.canary import Canary, chance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

ALNUM: Final = string.ascii_letters + string.digits
UPPER: Final = string.ascii_uppercase + string.digits
HEX: Final = "0123456789abcdef"
HOST: Final = "host"
"""The kind of what is no credential, and yet nobody's business."""
_CRYPT: Final = ALNUM + "./"
_MARKS: Final = "!#%*+-=?@^_"
_URL64: Final = ALNUM + "-_"
_PORTS: Final = {
    "postgresql": 5432,
    "mysql": 3306,
    "mariadb": 3306,
    "mongodb": 27017,
    "redis": 6379,
    "amqp": 5672,
    "mssql": 1433,
    "clickhouse": 9000,
}


def characters(source: Random, length: int, alphabet: str = ALNUM) -> str:
    """Return that many characters of an alphabet."""
    return "".join(source.choices(alphabet, k=length))


def password(name: str) -> Canary:
    """Make a password; a mask may show nothing of it."""
    source = chance("password", name)
    mark = source.choice(_MARKS)
    value = (
        f"{characters(source, 9)}{mark}{characters(source, 6)}{source.randrange(10)}"
    )
    return Canary(kind="password", value=value, secret=value)


def password_hash(name: str, scheme: str = "bcrypt") -> Canary:
    """Make the hash of a password.

    Raises:
        ContractError: If the scheme is not known.
    """
    source = chance("password_hash", scheme, name)
    head, length, alphabet = _known("scheme of a password hash", scheme, _SCHEMES)
    salt, secret = characters(source, 22), characters(source, length, alphabet)
    value = head.format(salt=salt) + secret
    return Canary(kind="password-hash", value=value, secret=secret)


def api_key(name: str, vendor: str = "openai") -> Canary:
    """Make an API key as a vendor's look; a mask may show its first and last four.

    Raises:
        ContractError: If the vendor is not known.
    """
    source = chance("api_key", vendor, name)
    prefix, length, alphabet = _known("vendor of an API key", vendor, _VENDORS)
    secret = characters(source, length - 1, alphabet) + source.choice(
        [each for each in alphabet if each.isdigit()]
    )
    return Canary(
        kind=f"{vendor}-key", value=prefix + secret, secret=secret, head=4, tail=4
    )


def token(name: str) -> Canary:
    """Make a token of no vendor's form: forty letters and digits."""
    secret = characters(chance("token", name), 40)
    return Canary(kind="token", value=secret, secret=secret, head=4, tail=4)


def jwt(name: str) -> Canary:
    """Make a signed JSON Web Token; its secret is the signature."""
    source = chance("jwt", name)
    claims = {"sub": str(source.randrange(10**8)), "iat": source.randrange(17 * 10**8)}
    secret = characters(source, 43, _URL64)
    head = _packed({"alg": "HS256", "typ": "JWT"})
    value = f"{head}.{_packed(claims)}.{secret}"
    return Canary(kind="jwt", value=value, secret=secret)


def private_key(name: str) -> Canary:
    """Make a private key in PEM form; its secret is everything between the lines."""
    source = chance("private_key", name)
    secret = b64encode(source.randbytes(600)).decode()
    lines = "\n".join(secret[at : at + 64] for at in range(0, len(secret), 64))
    mark = "PRIVATE" + " KEY"  # in two pieces, so that no scanner takes this for one
    value = f"-----BEGIN {mark}-----\n{lines}\n-----END {mark}-----\n"
    return Canary(kind="private-key", value=value, secret=secret)


def connection(name: str, scheme: str = "postgresql") -> Canary:
    """Make a connection string; its secret is the password in it."""
    source = chance("dsn", scheme, name)
    secret = characters(source, 20)
    base = scheme.partition("+")[0]
    port = _PORTS.get("postgresql" if base == "postgres" else base, 5432)
    host = f"db-{characters(source, 4, string.ascii_lowercase)}.internal"
    value = f"{scheme}://svc_orders:{secret}@{host}:{port}/orders"
    return Canary(kind="dsn", value=value, secret=secret)


def signed_url(name: str) -> Canary:
    """Make the address of a request; its secret is the token in the query."""
    source = chance("url", name)
    secret = characters(source, 32)
    server = f"api-{characters(source, 4, string.ascii_lowercase)}.internal"
    value = f"https://{server}/v2/orders?access_token={secret}"
    return Canary(kind="url", value=value, secret=secret)


def internal_host(name: str) -> Canary:
    """Make the name of a host that only its own network knows.

    What is looked for is its own part of the name: a domain may stand anywhere.
    """
    secret = characters(chance("host", name), 12, string.ascii_lowercase)
    return Canary(kind=HOST, value=f"db-{secret}.internal", secret=secret)


def cookie(name: str) -> Canary:
    """Make the value of a session's cookie."""
    secret = characters(chance("cookie", name), 32, HEX)
    return Canary(kind="session-id", value=secret, secret=secret)


def _packed(claims: object) -> str:
    raw = json.dumps(claims, separators=(",", ":")).encode()
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _known(what: str, name: str, table: dict[str, _Form]) -> _Form:
    if name not in table:
        raise ContractError(unknown(what, name, table))
    return table[name]


_Form = tuple[str, int, str]
_SCHEMES: Final[dict[str, _Form]] = {
    "bcrypt": ("$2b$12${salt}", 31, _CRYPT),
    "argon2": ("$argon2id$v=19$m=65536,t=3,p=4${salt}$", 43, ALNUM + "+/"),
    "pbkdf2": ("pbkdf2_sha256$600000${salt}$", 43, ALNUM + "+/"),
    "scrypt": ("scrypt:32768:8:1${salt}$", 128, HEX),
    "sha512-crypt": ("$6${salt:.16}$", 86, _CRYPT),
}
_VENDORS: Final[dict[str, _Form]] = {
    "openai": ("sk-proj-", 60, ALNUM),
    "anthropic": ("sk-ant-api03-", 93, _URL64),
    "stripe": ("sk_live_", 24, ALNUM),
    "github": ("ghp_", 36, ALNUM),
    "gitlab": ("glpat-", 20, ALNUM),
    "slack": ("xoxb-", 48, ALNUM),
    "aws": ("AKIA", 16, string.ascii_uppercase + "234567"),
    "google": ("AIza", 35, _URL64),
    "hugging-face": ("hf_", 34, ALNUM),
    "sendgrid": ("SG.kq4V8ZpXnB2mT6yWc1RjLa.", 43, _URL64),
    "twilio": ("SK", 32, HEX),
    "npm": ("npm_", 36, ALNUM),
    "pypi": ("pypi-AgEIcHlwaS5vcmc", 90, _URL64),
    "shopify": ("shpat_", 32, HEX),
    "digitalocean": ("dop_v1_", 64, HEX),
    "groq": ("gsk_", 52, ALNUM),
    "replicate": ("r8_", 37, ALNUM),
    "databricks": ("dapi", 32, HEX),
    "linear": ("lin_api_", 40, ALNUM),
    "notion": ("ntn_", 46, ALNUM),
    "docker": ("dckr_pat_", 27, ALNUM),
    "new-relic": ("NRAK-", 27, UPPER),
    "alibaba": ("LTAI", 20, ALNUM),
    "tencent": ("AKID", 32, ALNUM),
}

MAKERS: Final[dict[str, Callable[[str], Canary]]] = {
    "password": password,
    "password_hash": password_hash,
    "api_key": api_key,
    "token": token,
    "jwt": jwt,
    "private_key": private_key,
    "dsn": connection,
    "cookie": cookie,
}
"""What `plant_env` and templates may name, with the usual options."""


def vendors() -> Iterable[str]:
    """Return the vendors whose keys can be made."""
    return _VENDORS.keys()
