from __future__ import annotations

import base64
import random
import string
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.redaction.masks import mask
from pytest_toolresult.redaction.scan import secrets_in

ALNUM: Final = string.ascii_letters + string.digits
SEED: Final = 20_261_201


def run(length: int, alphabet: str = ALNUM) -> str:
    """Make random characters that hold a digit and letters of both cases."""
    letters = random.Random(f"{SEED}{length}{alphabet}")  # noqa: S311 - no secret
    return "".join(letters.choice(alphabet) for _ in range(length - 3)) + "a7K"


HEX = "0123456789abcdef"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----"
LOCKED = PEM.replace("\n{}", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9F\n\n{}")
CLAIMS = base64.urlsafe_b64encode(b'{"sub": "1", "exp": 2}').decode().rstrip("=")
SECRETS = {
    "openai-key": f"sk-{run(48)}",
    "openai-key/project": f"sk-proj-{run(60)}_{run(40)}",
    "anthropic-key": f"sk-ant-api03-{run(93)}",
    "aws-key": "AKIAZ7QX3MNB5KLP2RTY",
    "github-token": f"ghp_{run(36)}",
    "github-token/fine": f"github_pat_{run(22)}_{run(59)}",
    "gitlab-token": f"glpat-{run(20)}",
    "slack-token": f"xoxb-{run(12, string.digits)}-{run(24)}",
    "stripe-key": f"sk_live_{run(24)}",
    "stripe-key/long": f"rk_live_{run(300)}",
    "google-key": f"AIza{run(35)}",
    "npm-token": f"npm_{run(36)}",
    "pypi-token": f"pypi-AgEIcHlwaS5vcmc{run(60)}",
    "sendgrid-key": f"SG.{run(22)}.{run(43)}",
    "twilio-key": f"SK{run(29, HEX)[:-3]}0a1b2c",
    "hugging-face-token": f"hf_{run(34)}",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJ{CLAIMS}.{run(43)}",
    "private-key": PEM.format(run(1_200)),
    "private-key/locked": LOCKED.format(run(1_200)),
    "private-key/escaped": PEM.format(run(900)).replace("\n", "\\n"),
    "password-hash": f"$2b$12${run(53)}",
    "password-hash/argon2": f"$argon2id$v=19$m=65536,t=3,p=4${run(22)}${run(43)}",
    "password-hash/crypt": f"$6$rounds=5000${run(16)}${run(86)}",
    "password-hash/django": f"pbkdf2_sha256$600000${run(22)}${run(43)}=",
}


@pytest.mark.parametrize(("kind", "secret"), SECRETS.items(), ids=SECRETS)
@pytest.mark.parametrize("around", ["{}", "key={}&x=1", '{{"k": "{}"}}', "is {}."])
def test_a_credential_is_found_whole(kind: str, secret: str, around: str) -> None:
    text = around.format(secret)
    masked = mask(text)
    start, _, end = around.format("\0").partition("\0")
    assert masked.startswith(
        f"{start}[{kind.partition('/')[0]}, {len(secret)} chars, #"
    )
    assert masked.endswith(f"]{end}")


HARMLESS = [
    "sk-...",
    "sk-your-key-here",
    f"sk-{'x' * 48}",
    f"ghp_{'x' * 36}",
    "ghp_YOUR_TOKEN_HERE_0123456789abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "YOUR_API_KEY",
    "<token>",
    "class=sk-estimator-doc-link-wrapper-element-12",
    "risk-3f2a9c1e4b5d6f7a8091a2b3c4d5e6f708192a3b",
    "npm_config_registry, hf_hub_download, key-value, SKU-1234",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7",
    "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    "d41d8cd98f00b204e9800998ecf8427e",
    "costs $1$ to $5$ and $6$",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_placeholders_and_identifiers_are_left_alone(text: str) -> None:
    assert secrets_in(text) == []
    assert mask(text) == text


@given(st.text(), st.sampled_from(sorted(SECRETS)), st.text())
def test_masking_twice_changes_nothing(before: str, name: str, after: str) -> None:
    once = mask(f"{before} {SECRETS[name]} {after}")
    assert mask(once) == once
    assert SECRETS[name] not in once


def test_two_secrets_have_two_fingerprints() -> None:
    one, other = SECRETS["openai-key"], SECRETS["openai-key/project"]
    masked = mask(f"{one} {other} {one}").split("] ")
    assert masked[0] == masked[2].rstrip("]")
    assert masked[0] != masked[1]
