"""Made-up secrets of other kinds than `redaction_values` has, for the held-out texts.

Every maker yields a text and the part of it that must not be seen. Check digits are
worked out here, and not with the package's own checks.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from tests.quality.redaction_values import (
    ALNUM,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    URL64,
    Chance,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Sample = tuple[str, str]

CAPITALS: Final = string.ascii_uppercase
LETTERS: Final = string.ascii_letters
SMALL: Final = string.ascii_lowercase
BASE32: Final = CAPITALS + "234567"
BECH32: Final = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
HEX_UPPER: Final = "0123456789ABCDEF"


def uuid(c: Chance) -> str:
    return "-".join(c.run(size, HEX) for size in (8, 4, 4, 4, 12))


def keys(c: Chance) -> Iterator[Sample]:
    for made in (*_code_keys(c), *_model_keys(c), *_cloud_keys(c), *_service_keys(c)):
        yield made, made


def _code_keys(c: Chance) -> Iterator[str]:
    yield "gh" + "o_" + c.run(36)
    yield "gh" + "s_" + c.run(36)
    yield "gl" + "dt-" + c.run(20, URL64)
    yield "gl" + "rt-" + c.run(20, URL64)
    yield "xo" + f"xp-{c.number(11)}-{c.number(12)}-{c.number(13)}-{c.run(32, HEX)}"
    yield "xa" + f"pp-1-A{c.run(10, UPPER)}-{c.number(13)}-{c.run(64, HEX)}"
    hook = f"T{c.run(8, UPPER)}/B{c.run(10, UPPER)}/{c.run(24)}"
    yield "https://hooks.slack" + f".com/services/{hook}"
    yield "https://discord" + f".com/api/webhooks/{c.number(18)}/{c.run(68, URL64)}"
    yield "oy" + "2" + c.run(43, LOWER)
    yield "AT" + "ATT3" + "xFfGF0" + c.run(170, URL64) + "=" + c.run(8, HEX_UPPER)
    yield "AT" + "CTT3" + "xFfGN0" + c.run(170, URL64) + "=" + c.run(8, HEX_UPPER)
    yield "sntr" + "yu_" + c.run(64, HEX)
    yield "CLO" + "JARS_" + c.run(60, HEX)
    yield "AK" + "Cp8" + c.run(69)


def _model_keys(c: Chance) -> Iterator[str]:
    yield "sk-" + c.run(20) + "T3BlbkFJ" + c.run(20)
    yield "sk-" + "svcacct-" + c.run(74, URL64) + "T3BlbkFJ" + c.run(74, URL64)
    yield "sk-" + "or-v1-" + c.run(64, HEX)
    yield "sk-" + "ant-admin01-" + c.run(93, URL64) + "AA"
    yield "pp" + "lx-" + c.run(48)
    yield "xa" + "i-" + c.run(80)
    yield "r8" + "_" + c.run(37)
    yield "ls" + "v2_pt_" + c.run(32, HEX) + "_" + c.run(10, HEX)
    yield "pc" + "sk_" + c.run(5) + "_" + c.run(63)
    yield "nv" + "api-" + c.run(64, URL64)
    yield "cs" + "k-" + c.run(48, LOWER)
    yield c.run(32, HEX) + "." + c.run(16)


def _cloud_keys(c: Chance) -> Iterator[str]:
    yield "AS" + "IA" + c.run(16, BASE32)
    yield "1/" + "/0" + c.run(61, URL64)
    yield c.run(11, URL64).replace("-", "k") + ":APA" + "91b" + c.run(134, URL64)
    yield "dp" + ".pt." + c.run(43)
    yield "ps" + "cale_pw_" + c.run(43, URL64)
    yield "nf" + "p_" + c.run(36)
    yield "v1.0" + "-" + c.run(24, HEX) + "-" + c.run(146, HEX)
    yield "dt0" + "c01." + c.run(24, BASE32) + "." + c.run(64, BASE32)
    yield "gl" + "c_" + c.packed({"o": c.number(6), "n": "stack", "k": c.run(24)})
    yield "AGE" + "-SECRET-KEY-1" + c.run(58, BECH32)
    yield "bce" + "-v3/ALTAK-" + c.run(21) + "/" + c.run(40, HEX)
    yield "AK" + "LT" + c.run(43) + "=="
    yield "AQ" + "VN" + c.run(36, URL64)
    yield "hv" + "b." + c.run(140, URL64)
    yield "EA" + "ACEdEose0cBA" + c.run(120)


def _service_keys(c: Chance) -> Iterator[str]:
    yield "pat" + c.run(14) + "." + c.run(64, HEX)
    yield "CFP" + "AT-" + c.run(43, URL64)
    yield "rk_" + "test_51" + c.run(97)
    yield "EZ" + "AK" + c.run(54)
    yield "ship" + "po_live_" + c.run(40, HEX)
    yield "rd" + "me_" + c.run(70, LOWER)
    yield "pn" + "u_" + c.run(36)
    yield "fio" + "-u-" + c.run(64, URL64)
    yield "API-" + c.run(26, UPPER)
    yield "xs" + "mtpsib-" + c.run(64, HEX) + "-" + c.run(16)
    yield "t" + "k-us-" + c.run(48, URL64)
    yield "zeta" + "_prod_" + c.run(32)
    yield "qx" + "-svc-" + c.run(44)
    yield "ac" + "cess-sandbox-" + uuid(c)
    yield "s" + "k.eyJ1Ijoi" + c.run(50) + "." + c.run(22)
    head = c.packed({"alg": "RS256", "kid": c.run(10)})
    yield f"{head}.{c.packed({'iss': 'https://id.corp.net', 'n': c.run(90)})}." + c.run(
        342, URL64
    )


def hashes(c: Chance) -> Iterator[Sample]:
    for made in (*_unix_hashes(c), *_web_hashes(c), *_other_hashes(c)):
        yield made, made


def _unix_hashes(c: Chance) -> Iterator[str]:
    crypt = ALNUM + "./"
    yield "$2a" + "$11$" + c.run(53, crypt)
    yield "$6" + "$rounds=656000$" + c.run(16, crypt) + "$" + c.run(86, crypt)
    yield "root:$6" + f"${c.run(8)}${c.run(86, crypt)}:19421:0:99999:7:::"
    yield "ann:$apr1" + f"${c.run(8)}${c.run(22, crypt)}"
    yield "$gy" + "$j9T$" + c.run(22, crypt) + "$" + c.run(43, crypt)
    yield "$sha1" + f"${c.number(5)}${c.run(8, crypt)}${c.run(28, crypt)}"
    yield "$9" + "$" + c.run(14, crypt) + "$" + c.run(43, crypt)
    salted = f"{c.run(22, BASE64)}${c.run(43, BASE64)}"
    yield "$argon2i$v=19$m=102400,t=2,p=8$" + salted


def _web_hashes(c: Chance) -> Iterator[str]:
    crypt = ALNUM + "./"
    yield "bcrypt" + "_sha256$$2b$12$" + c.run(53, crypt)
    salted = f"{c.run(22, BASE64)}${c.run(43, BASE64)}"
    yield "argon2" + "$argon2id$v=19$m=102400,t=2,p=8$" + salted
    yield "$pbkdf2" + f"-sha512$25000${c.run(22, crypt)}${c.run(86, crypt)}"
    yield "scrypt" + f":65536:8:1${c.run(16)}${c.run(128, HEX)}"
    yield "$H" + "$9" + c.run(30, crypt)
    yield "$wp" + "$2y$10$" + c.run(53, crypt)
    yield "{PKC" + "S5S2}" + c.encoded(48)
    yield "pbkdf2" + f"_sha1$260000${c.run(12)}${c.encoded(20)}"
    yield "AQ" + "AAAAEAACcQAAAAE" + c.run(65, BASE64) + "=="


def _other_hashes(c: Chance) -> Iterator[str]:
    yield "{SS" + "HA256}" + c.encoded(40)
    yield "{SM" + "D5}" + c.encoded(24)
    yield "{x-" + "issha, 1024}" + c.encoded(32)
    yield "$A" + "$005$" + c.run(20) + c.run(43, ALNUM + "./")
    yield "T:" + c.run(160, HEX_UPPER)
    yield "0x0100" + c.run(48, HEX_UPPER)
    flat = f"{c.run(32, HEX_UPPER)}:{c.run(32, HEX_UPPER)}"
    yield f"CORP\\svc:1104:{flat}" + ":::"
    yield f"ann::CORP:{c.run(16, HEX)}:{c.run(32, HEX)}:{c.run(220, HEX)}"
    ticket = f"{c.run(32, HEX)}${c.run(400, HEX)}"
    yield "$krb5" + f"tgs$23$*svc$CORP.NET$http/web*${ticket}"
    yield "$ml" + f"$74074${c.run(64, HEX)}${c.run(256, HEX)}"
    stored = f"{c.encoded(16)}${c.encoded(64)}:{c.encoded(64)}"
    yield "SCRAM" + f"-SHA-512$8192:{stored}"


def connections(c: Chance) -> Iterator[Sample]:
    for form in _CONNECTIONS:
        secret = c.random.choice(_IN_ADDRESSES)(c)
        yield form.replace("§", secret), secret


_IN_ADDRESSES: Final[tuple[Callable[[Chance], str], ...]] = (
    lambda c: c.run(20),
    lambda c: c.run(6, SMALL).title() + "%23" + c.number(4),
    lambda c: c.run(9) + "_" + c.run(7),
    lambda c: c.run(8, SMALL) + c.number(2),
    lambda c: c.run(32, HEX),
)
_CONNECTIONS: Final = (
    "mariadb+pymysql://shop:§@10.3.0.4/shop?charset=utf8mb4",
    "mssql+pyodbc://sa:§@sql1/orders?driver=ODBC+Driver+17+for+SQL+Server",
    "oracle+oracledb://scott:§@ora1:1521/?service_name=XEPDB1",
    "clickhouse://default:§@ch1:9000/events",
    "snowflake://ann:§@ab12345.eu-west-1/PROD/PUBLIC?warehouse=WH",
    "redshift+psycopg2://etl:§@dwh.corp.net:5439/dwh",
    "mongodb://app:§@m1:27017,m2:27017/app?replicaSet=rs0&authSource=admin",
    "nats://orders:§@nats1:4222",
    "ldaps://cn=admin,dc=corp,dc=net:§@ldap1",
    "smtp://mailer%40corp.net:§@smtp.corp.net:587",
    "sftp://ann:§@files1:22/in",
    "scott/§@//ora1.corp.net:1521/ORCLPDB1",
    "AccountEndpoint=https://shop.documents.azure.com:443/;AccountKey=§=;",
    "cache1.corp.net:6380,password=§,ssl=True,abortConnect=False",
    "Data Source=sql1;Initial Catalog=Orders;User Id=app;Password=§;",
    "Host=pg1;Port=5432;Username=app;Password=§;Database=orders",
    "dbname='orders' user='app' password='§' host='pg1'",
    "app:§@tcp(10.0.3.2:3306)/orders?charset=utf8mb4&loc=Local",
    "http://influx:§@metrics1:8086/db",
    "https://elastic:§@es1.corp.net:9200",
    "https://x-access-token:§@github.com/acme/shop.git",
    "http://ann:§@proxy.corp.net:3128",
    "rtsp://admin:§@10.9.0.17:554/stream1",
    "neo4j+s://neo4j:§@graph1:7687",
    "jdbc:oracle:thin:scott/§@ora1:1521:ORCL",
    "jdbc:sqlserver://sql1:1433;databaseName=orders;user=app;password=§;",
    "jdbc:mysql://db1:3306/orders?user=app&password=§&useSSL=true",
    "amqps://orders:§@b-1a2b.mq.eu-west-1.amazonaws.com:5671",
    "sqlserver://app:§@sql1:1433?database=orders",
    "couchbase://app:§@cb1/default",
    'ScramLoginModule required username="app" password="§";',
    "Driver={PostgreSQL Unicode};Server=pg1;Port=5432;Uid=app;Pwd=§;",
)


def cards(c: Chance) -> Iterator[Sample]:
    for head, length in _ISSUERS:
        body = head + c.run(length - len(head) - 1, DIGITS)
        number = body + luhn_digit(body)
        for made in _written_cards(number):
            yield made, made


_ISSUERS: Final = (
    ("4539", 16),
    ("2720", 16),
    ("36", 14),
    ("6500", 16),
    ("3589", 16),
    ("622848", 19),
    ("2200", 16),
    ("37", 15),
    ("5425", 16),
    ("621226", 19),
)


def luhn_digit(body: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(body)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return str(-total % 10)


def _written_cards(number: str) -> Iterator[str]:
    yield number
    if len(number) == 16:
        yield "-".join(number[at : at + 4] for at in range(0, 16, 4))
    elif len(number) < 16:
        yield f"{number[:4]} {number[4:10]} {number[10:]}"
    else:
        yield f"{number[:6]} {number[6:]}"


def accounts(c: Chance) -> Iterator[Sample]:
    for country, bank, digits in _IBANS:
        rest = c.run(bank, CAPITALS) if bank else ""
        rest += c.run(digits, DIGITS)
        check = 98 - int(_as_digits(f"{rest}{country}00")) % 97
        made = f"{country}{check:02}{rest}"
        yield made, made
        spaced = " ".join(made[at : at + 4] for at in range(0, len(made), 4))
        yield spaced, spaced


_IBANS: Final = (
    ("AT", 0, 16),
    ("BE", 0, 12),
    ("SE", 0, 20),
    ("NO", 0, 11),
    ("DK", 0, 14),
    ("FI", 0, 14),
    ("PT", 0, 21),
    ("TR", 0, 22),
    ("AE", 0, 19),
    ("SA", 0, 20),
    ("IE", 4, 14),
    ("LU", 0, 16),
    ("CZ", 0, 20),
    ("HU", 0, 24),
    ("GR", 0, 23),
    ("LV", 4, 13),
)


def _as_digits(text: str) -> str:
    return "".join(str(int(each, 36)) for each in text)


def secret_tokens(c: Chance) -> Iterator[Sample]:
    for made in (
        c.run(40, HEX),
        c.run(25, LOWER),
        c.run(32, BASE32),
        c.encoded(48),
        "-".join(c.run(5, UPPER) for _ in range(5)),
        c.run(22, URL64),
        c.run(128, HEX),
        c.run(12),
        uuid(c),
        c.run(32, LETTERS),
        c.run(27, URL64) + "=",
    ):
        yield made, made


def passwords(c: Chance) -> Iterator[Sample]:
    word = c.random.choice(
        ["tiger", "marigold", "falcon", "harbor", "pepper", "winter", "lantern"]
    )
    other = c.random.choice(["fence", "nova", "Kraft", "Berlin", "quartz", "delta"])
    for made in (
        f"{word.title()}{c.random.randrange(1970, 2027)}!",
        f"{word}-{other}-{c.number(2)}-{c.run(4, SMALL)}",
        c.run(8, LOWER) + c.run(1, DIGITS),
        c.run(5) + "$" + c.run(4) + "@" + c.run(3) + "?",
        word.replace("e", "3").replace("a", "4").title() + other + "#1",
        f"{word}{other}",
        f"{c.run(4, SMALL).title()}@{c.number(4)}",
        c.run(24, URL64),
        f"wo{c.run(5, SMALL)}{c.number(4)}",
    ):
        yield made, made
