"""Made-up secrets, put together from random characters when the tests run.

None is a real one, and none stands here in one piece. Lengths and alphabets are those
that issuers use; they are written down here once more, and not taken from the tables of
the package, so that a mistake there shows.
"""

from __future__ import annotations

import base64
import json
import random
import string
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction import checksums, payments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALNUM: Final = string.ascii_letters + string.digits
UPPER: Final = string.ascii_uppercase + string.digits
LOWER: Final = string.ascii_lowercase + string.digits
DIGITS: Final = string.digits
HEX: Final = "0123456789abcdef"
URL64: Final = ALNUM + "-_"
BASE64: Final = ALNUM + "+/"


class Chance:
    """Random pieces of secrets, the same in every run."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))  # noqa: S311 - no secret

    def run(self, length: int, alphabet: str = ALNUM) -> str:
        """Characters of an alphabet, of which the first is no separator."""
        first = self.random.choice([each for each in alphabet if each.isalnum()])
        return first + "".join(self.random.choices(alphabet, k=length - 1))

    def number(self, length: int) -> str:
        return self.random.choice("123456789") + self.run(length - 1, DIGITS)

    def until(self, make: Callable[[], str], holds: Callable[[str], bool]) -> str:
        """Try until it holds: how a number with a check digit is made here."""
        while True:
            made = make()
            if holds(made):
                return made

    def packed(self, claims: object) -> str:
        raw = json.dumps(claims, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    def encoded(self, length: int) -> str:
        return base64.b64encode(self.random.randbytes(length)).decode()


def keys(c: Chance) -> Iterator[str]:
    yield "AKIA" + c.run(16, string.ascii_uppercase + "234567")
    yield "gh" + "p_" + c.run(36)
    yield "github" + "_pat_" + c.run(22) + "_" + c.run(59)
    yield "glpat" + "-" + c.run(20, URL64)
    yield "xoxb" + f"-{c.number(12)}-{c.number(13)}-{c.run(24)}"
    yield "sk_" + "live_" + c.run(24)
    yield "rk_" + "live_" + c.run(99)
    yield "wh" + "sec_" + c.run(32)
    yield "sk-" + "proj-" + c.run(74, URL64) + "T3BlbkFJ" + c.run(74, URL64)
    yield "sk-" + "ant-api03-" + c.run(93, URL64) + "AA"
    yield "sk-" + c.run(32, HEX)
    yield "AI" + "za" + c.run(35, URL64)
    yield "GOC" + "SPX-" + c.run(28, URL64)
    yield "ya" + "29." + c.run(120, URL64)
    yield "hf" + "_" + c.run(34, string.ascii_letters)
    yield "gsk" + "_" + c.run(52)
    yield "np" + "m_" + c.run(36)
    yield "pypi" + "-AgEIcHlwaS5vcmc" + c.run(120, URL64)
    yield "S" + "G." + c.run(22, URL64) + "." + c.run(43, URL64)
    yield "S" + "K" + c.run(32, HEX)
    yield "dop" + "_v1_" + c.run(64, HEX)
    yield "shp" + "at_" + c.run(32, HEX)
    yield c.number(10) + ":A" + "A" + c.run(33, URL64)
    yield "da" + "pi" + c.run(32, HEX)
    yield "hv" + "s." + c.run(90, URL64)
    yield "LT" + "AI" + c.run(20)
    yield "AK" + "ID" + c.run(32)
    yield "lin" + "_api_" + c.run(40)
    yield "nt" + "n_" + c.number(11) + c.run(35)
    yield "gl" + "sa_" + c.run(32) + "_" + c.run(8, HEX)
    yield "dckr" + "_pat_" + c.run(27, URL64)
    yield "NR" + "AK-" + c.run(27, UPPER)
    yield "ATA" + "TT3" + c.run(180, URL64)
    yield "sb" + "p_" + c.run(40, HEX)
    yield "ts" + "key-auth-" + c.run(12) + "-" + c.run(32)
    yield "figd" + "_" + c.run(40, URL64)
    yield "pul" + "-" + c.run(40, HEX)
    yield "rub" + "ygems_" + c.run(48, HEX)
    yield "xk" + "eysib-" + c.run(64, HEX) + "-" + c.run(16)
    yield "re" + "_" + c.run(8) + "_" + c.run(24)
    yield "PM" + "AK-" + c.run(24, HEX) + "-" + c.run(34, HEX)
    yield "sq0" + "csp-" + c.run(43, URL64)
    yield "tv" + "ly-dev-" + c.run(32)
    yield "acme" + "_live_" + c.run(40)
    yield "corp" + "-tok-" + c.run(36)
    yield c.run(3, ALNUM) + "8" + "Q~" + c.run(34, URL64 + ".~")
    yield c.run(24, ALNUM).replace(c.run(1), "M") and "M" + c.run(23) + "." + c.run(
        6
    ) + "." + c.run(38)
    yield jwt(c)


def jwt(c: Chance) -> str:
    head = c.packed({"alg": "HS256", "typ": "JWT"})
    claims = c.packed({"sub": c.number(6), "iat": 1764498902, "role": "admin"})
    return f"{head}.{claims}.{c.run(43, URL64)}"


def private_keys(c: Chance) -> Iterator[str]:
    for name in ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "):
        lines = "\n".join(c.run(64, BASE64) for _ in range(12))
        yield (
            f"-----BEGIN {name}PRIVATE"
            f" KEY-----\n{lines}\n-----END {name}PRIVATE KEY-----"
        )


def hashes(c: Chance) -> Iterator[str]:
    crypt = ALNUM + "./"
    yield "$2b" + "$12$" + c.run(53, crypt)
    yield "$2y" + "$10$" + c.run(53, crypt)
    yield (
        "$argon2id$v=19$m=65536,t=3,p=4$" + c.run(22, BASE64) + "$" + c.run(43, BASE64)
    )
    yield "$6" + "$" + c.run(16) + "$" + c.run(86, crypt)
    yield "$5" + "$rounds=5000$" + c.run(16) + "$" + c.run(43, crypt)
    yield "$1" + "$" + c.run(8) + "$" + c.run(22, crypt)
    yield "$y" + "$j9T$" + c.run(22, crypt) + "$" + c.run(43, crypt)
    yield "$apr1" + "$" + c.run(8) + "$" + c.run(22, crypt)
    yield "$P" + "$B" + c.run(30, crypt)
    yield "$S" + "$D" + c.run(51, crypt)
    yield "pbkdf2" + "_sha256$600000$" + c.run(22) + "$" + c.encoded(32)
    yield "pbkdf2" + ":sha256:600000$" + c.run(16) + "$" + c.run(64, HEX)
    yield "scrypt" + ":32768:8:1$" + c.run(16) + "$" + c.run(128, HEX)
    yield "{SS" + "HA}" + c.encoded(28)
    yield "{SS" + "HA512}" + c.encoded(72)
    yield (
        "SCRAM"
        "-SHA-256$4096:" + c.encoded(16) + "$" + c.encoded(32) + ":" + c.encoded(32)
    )
    yield "md" + "5" + c.run(32, HEX)
    yield "*" + c.run(40, "0123456789ABCDEF")
    yield "0x" + "0200" + c.run(136, "0123456789ABCDEF")
    yield f"ann:1001:aad3b435b51404eeaad3b435b51404ee:{c.run(32, HEX)}:" + "::"
    yield "$DCC2" + "$10240#ann#" + c.run(32, HEX)
    yield "$8" + "$" + c.run(14) + "$" + c.run(43, crypt)


def password(c: Chance) -> str:
    marks = "!@#%^&*-_=+?"
    styles: tuple[Callable[[], str], ...] = (
        lambda: c.run(12) + c.random.choice(marks) + c.run(3, DIGITS),
        lambda: (
            c.run(5, string.ascii_lowercase).title()
            + c.random.choice(marks)
            + c.number(4)
        ),
        lambda: c.run(16),
        lambda: c.run(6, string.ascii_lowercase) + c.number(3),
        lambda: (
            c.run(4, string.ascii_lowercase)
            + "-"
            + c.run(5, string.ascii_lowercase)
            + c.number(2)
        ),
    )
    return c.random.choice(styles)()


def connections(c: Chance) -> Iterator[str]:
    def secret() -> str:
        return c.run(14) + c.random.choice("-_!$") + c.run(2)

    yield f"postgresql://app:{secret()}@db1.corp.net:5432/orders"
    yield f"postgresql+asyncpg://app:{secret()}@10.0.0.7/orders?sslmode=require"
    yield f"mysql://root:{secret()}@db2:3306/shop"
    yield f"mongodb+srv://svc:{secret()}@cluster0.ab1cd.mongodb.net/test"
    yield f"redis://:{secret()}@cache1:6379/0"
    yield f"rediss://default:{secret()}@cache1.corp.net:6380"
    yield f"amqp://svc:{secret()}@mq1:5672/%2F"
    yield f"https://ann:{secret()}@git.corp.net/team/repo.git"
    yield f"ftp://ann:{secret()}@files.corp.net/in"
    yield (
        f"Server=tcp:db1.corp.net,1433;Database=orders;User "
        f"ID=sa;Password={secret()};Encrypt=true"
    )
    yield f"Driver={{ODBC}};Server=db1;Database=orders;Uid=sa;Pwd={secret()};"
    yield f"host=db1 port=5432 dbname=orders user=app password={secret()}"
    yield f"jdbc:postgresql://db1:5432/orders?user=app&password={secret()}"
    yield f"jdbc:mysql://app:{secret()}@db1:3306/orders"
    yield (
        f"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey="
        f"{c.encoded(64)};EndpointSuffix=core.windows.net"
    )
    yield (
        f"Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;Share"
        f"dAccessKey={c.encoded(32)}"
    )
    yield f"app:{secret()}@tcp(db1:3306)/orders?parseTime=true"


def cards(c: Chance) -> Iterator[str]:
    for head, length in _ISSUERS:
        made = c.until(partial(_card, c, head, length), payments.luhn)
        yield made
        if length != 15:
            yield " ".join(made[at : at + 4] for at in range(0, length, 4))


def _card(c: Chance, head: str, length: int) -> str:
    return head + c.run(length - len(head), DIGITS)


_ISSUERS: Final = (
    ("4", 16),
    ("51", 16),
    ("2221", 16),
    ("34", 15),
    ("6011", 16),
    ("3528", 16),
    ("6217", 19),
    ("6225", 16),
)


def accounts(c: Chance) -> Iterator[str]:
    for country, body in (
        ("DE", "n18"),
        ("GB", "a4n14"),
        ("FR", "n10a11n2"),
        ("NL", "a4n10"),
        ("ES", "n20"),
        ("BR", "n23a1a1"),
        ("CH", "n17"),
        ("PL", "n24"),
    ):
        rest = "".join(
            c.run(int(size), string.ascii_uppercase if kind == "a" else DIGITS)
            for kind, size in _parts(body)
        )
        made = next(
            full
            for check in range(2, 99)
            if payments.iban(full := f"{country}{check:02}{rest}")
        )
        yield made
        yield " ".join(made[at : at + 4] for at in range(0, len(made), 4))


def _parts(body: str) -> Iterator[tuple[str, str]]:
    kind, size = "", ""
    for each in body + "x":
        if each.isdigit():
            size += each
        else:
            if kind:
                yield kind, size
            kind, size = each, ""


def identities(c: Chance) -> Iterator[str]:
    def born(form: str = "{y:02}{m:02}{d:02}") -> str:
        r = c.random
        return form.format(
            y=r.randrange(50, 99), m=r.randrange(1, 13), d=r.randrange(1, 29)
        )

    ssn = c.until(lambda: c.number(9), checksums.us_ssn)
    yield f"{ssn[:3]}-{ssn[3:5]}-{ssn[5:]}"
    yield c.until(
        lambda: "11010519" + born() + c.run(3, DIGITS) + c.run(1, DIGITS + "X"),
        checksums.cn_id,
    )
    yield c.until(lambda: "440301" + "19" + born() + c.run(4, DIGITS), checksums.cn_id)
    cpf = c.until(lambda: c.number(11), checksums.br_cpf)
    yield f"{cpf[:3]}.{cpf[3:6]}.{cpf[6:9]}-{cpf[9:]}"
    yield c.until(lambda: c.number(11), checksums.de_tax_id)
    my = c.until(lambda: c.number(12), checksums.jp_my_number)
    yield f"{my[:4]}-{my[4:8]}-{my[8:]}"
    aadhaar = c.until(lambda: "4" + c.number(11), checksums.in_aadhaar)
    yield f"{aadhaar[:4]} {aadhaar[4:8]} {aadhaar[8:]}"
    nir = c.until(
        lambda: "2" + born("{y:02}{m:02}") + "75" + c.number(8), checksums.fr_nir
    )
    yield nir
    nino = c.until(
        lambda: c.run(2, string.ascii_uppercase) + c.number(6) + "C", checksums.gb_nino
    )
    yield nino
    yield " ".join((nino[:2], nino[2:4], nino[4:6], nino[6:8], nino[8:]))
    rrn = c.until(lambda: born() + "1" + c.number(6), checksums.kr_rrn)
    yield f"{rrn[:6]}-{rrn[6:]}"
    yield c.until(
        lambda: c.number(8) + c.run(1, string.ascii_uppercase), checksums.es_dni
    )
    yield c.until(lambda: born() + c.number(5), checksums.pl_pesel)
    yield c.until(lambda: c.number(9), checksums.nl_bsn)
    yield c.until(
        lambda: "S" + c.number(7) + c.run(1, string.ascii_uppercase), checksums.sg_nric
    )


def phones(c: Chance) -> Iterator[str]:
    r = c.random
    yield (
        f"+1 {r.randrange(201, 989)} {r.randrange(201, 554)} {r.randrange(1000, 9999)}"
    )
    yield (
        f"+1-{r.randrange(201, 799)}-{r.randrange(201, 554)}-{r.randrange(1000, 9999)}"
    )
    yield f"({r.randrange(201, 799)}) {r.randrange(201, 554)}-{r.randrange(1000, 9999)}"
    yield f"{r.randrange(201, 799)}-{r.randrange(201, 554)}-{r.randrange(1000, 9999)}"
    yield f"+49 30 {c.number(8)}"
    yield f"0{r.randrange(151, 179)} {c.number(8)}"
    yield f"+44 20 {c.number(4)} {c.number(4)}"
    yield f"07{c.number(3)} {c.number(6)}"
    yield f"+86 13{c.run(9, DIGITS)}"
    yield f"15{c.run(9, DIGITS)}"
    yield f"18{c.run(1, DIGITS)}-{c.number(4)}-{c.number(4)}"
    yield f"0{r.randrange(10, 29)}-{c.number(8)}"
    yield f"090-{c.number(4)}-{c.number(4)}"
    yield f"010-{c.number(4)}-{c.number(4)}"
    yield f"+55 11 9{c.number(4)}-{c.number(4)}"
    yield f"+91 9{c.number(4)} {c.number(5)}"


def emails(c: Chance) -> Iterator[str]:
    first = c.random.choice(
        ["mei", "lars", "priya", "joao", "emma", "kenji", "olga", "sam"]
    )
    last = c.random.choice(
        ["chen", "berg", "nair", "silva", "stone", "sato", "ivanova", "reed"]
    )
    host = c.random.choice(
        [
            "corp.net",
            "mail.corp.cn",
            "uni-bremen.de",
            "gmail.com",
            "qq.com",
            "acme.co.jp",
        ]
    )
    yield f"{first}.{last}@{host}"
    yield f"{first[0]}{last}{c.number(2)}@{host}"
    yield f"{first}_{last}+news@{host}"


def secret_tokens(c: Chance) -> Iterator[str]:
    yield c.run(32, HEX)
    yield c.run(40)
    yield c.run(43, URL64)
    yield c.run(24)
    yield c.encoded(32)
    yield c.run(64, HEX)
    yield c.run(20, LOWER)
    yield c.run(40, BASE64)
