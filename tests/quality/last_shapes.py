"""A last, small set of texts by hand, written after the others' misses were mended.

No detector was changed because of it. `§` is where the secret goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.quality.redaction_values import ALNUM, DIGITS, HEX, LOWER, UPPER, Chance

if TYPE_CHECKING:
    from collections.abc import Iterator

ANYWHERE: Final = (
    '[pool-7-thread-2] TRACE c.a.s.Wire - >> "§[\\r][\\n]"',
    "npm ERR! command sh -c deploy --cred §",
    "ansible-playbook site.yml -e 'thing=§'",
    "<!-- left over from testing: § -->",
    "SELECT '§'::text AS thing;",
    "thing: >-\n  §\nother: 1\n",
    "Reminder (Kim): rotate § before the audit!",
    "这是测试环境的：§（请勿外传）",
)

KEYED: Final = (
    "SENDER_API_KEY: §",
    "--set auth.clientSecret=§ --wait",
    "X-Signature-Secret: §\r\nHost: in.corp.net",
    '{"webhook": {"url": "https://in.corp.net", "secret": "§"}}',
    "config.apiToken = '§'",
    "http://in.corp.net/a?b=1&auth_token=§",
    "the new signing secret: §",
    "应用密钥（AppSecret）：§",
)

PASSWORDS: Final = (
    "ADMIN_PASSWORD='§'",
    "password=§;encrypt=true",
    "  - name: ROOT_PASSWORD\n    value: §\n",
    '{"credentials": {"user": "ann", "password": "§"}}',
    "<Password>§</Password>",
    "psql: using user app and password §",
    "Kennwort: §",
    "初始密码：§（首次登录后修改）",
)

IDENTITIES: Final = (
    '{"applicant_national_id": "§"}',
    "nationalId: §,",
    "National ID number: §",
    "ID card: §",
    "<td>ID No.</td><td>§</td>",
    "person,id_number\nann,§\n",
    "verified national_id=§ for case 7",
    "居民身份证号码：§",
)

PHONES: Final = (
    '{"billing_phone": "§"}',
    "phoneNumber=§",
    "Mobile number: §",
    "Phone (home): §",
    "<td>Tel.</td><td>§</td>",
    "person,mobile\nann,§\n",
    "texted phone=§ at 10:15",
    "紧急联系电话：§",
)

EMAILS: Final = (
    '{"billing_email": "§"}',
    "userEmail=§",
    "forwarded from § to the team",
    "(§)",
    "<td>§</td>",
    "person,mail\nann,§\n",
    "bounced: §; reason: full",
    "请抄送 § ，谢谢",
)

LOOK_ALIKES: Final = (
    "password: $ENCRYPTED{shop/db}",
    "DB_PASSWORD_FILE=/run/secrets/db",
    "secretName: shop-tls",
    "tokenEndpoint: https://id.corp.net/oauth2/token",
    "token_endpoint_auth_method=client_secret_post",
    "X-RateLimit-Remaining: 4417",
    'Etag: "5f3c9a1e-4417"',
    "sha1-Zk9fQ2xw7LrTz3Vb8NmYc4Hd1Js=",
    "digest: sha256:5d9f0a1c3b7e2d4f6a8c0e1b3d5f7a9c1e3b5d7f9a0c2e4b6d8f1a3c5e7b9d0f",
    "go.sum h1:4417Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsPq0WeRtYuIo=",
    "shipment 1Z 999 AA1 01 2345 6784",
    "part no. 4417-2268-3509-17",
    "area 51.5 x 40.2, depth 12.75",
    "2026-11-30 10:15:02 +0000 4417226",
    "password reset requested for ann",
    "The token is invalid or has expired.",
    "please set a new password before Friday",
    "密码重置邮件已发送",
    "パスワードを忘れた場合はこちら",
    "phone lines open 09:00-17:00",
    "email delivery delayed by 4417 s",
    "noreply@shop.corp.net",
    "card declined (code 51)",
    "const TOKEN_KEY = 'token';",
    "if not verify(password, user.password_hash): return None",
)


def tokens(c: Chance) -> Iterator[str]:
    yield c.run(36)
    yield c.run(48, HEX)
    yield c.run(20, LOWER) + "." + c.run(12, LOWER)
    yield c.encoded(24)
    yield c.run(30, UPPER)


def passwords(c: Chance) -> Iterator[str]:
    yield c.run(7, LOWER) + "&" + c.run(4, DIGITS)
    yield c.run(11)
    yield "Q" + c.run(5, LOWER) + "!" + c.run(3, UPPER)
    yield c.run(4, LOWER) + "." + c.run(6, UPPER) + "." + c.run(2, DIGITS)
    yield c.run(18, ALNUM + "#%^*_")
