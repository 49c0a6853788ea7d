"""Keys of databases, of places for secrets and of what moves data."""

from __future__ import annotations

from typing import Final

from pytest_toolresult.redaction.detectors.vendors.format import (
    alnum,
    base64,
    formats,
    hexa,
    upper,
    word,
)

FORMATS: Final = (
    *formats(
        "betterleaks",
        (
            "infisical-token",
            "st.",
            r"[0-9a-f]{24}\.[0-9a-f]{30,64}(?:\.[0-9a-f]{32,64})?",
        ),
        (
            "bitwarden-token",
            "0.",
            r"[0-9a-f-]{36}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,40}",
        ),
        ("supabase-token", "sbp_", hexa(40)),
        ("supabase-key", "sb_secret_", word(28)),
        ("neon-key", "napi_", alnum(40)),
        ("mongodb-service-secret", "mdb_sa_sk_", word(36)),
        ("elastic-key", "essu_", base64(60)),
        ("astra-token", "AstraCS:", r"[A-Za-z]{24}:[0-9a-f]{60,70}"),
        ("posthog-key", "phx_", alnum(40)),
    ),
    *formats(
        "gitleaks",
        ("vault-token", "hvs. hvb.", word(20)),
        ("doppler-token", "dp.pt.", r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{38,46}"),
        ("1password-token", "ops_eyJ", base64(100, 2000)),
        (
            "1password-secret-key",
            "A3-",
            r"[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,5}[A-Z0-9]{5}",
        ),
        ("age-key", "AGE-SECRET-KEY-1", upper(50, 62)),
        (
            "planetscale-token",
            "pscale_tkn_ pscale_pw_ pscale_oauth_",
            r"[\w=.-]{30,64}",
        ),
        ("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?"),
        ("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{60,66}"),
        ("segment-token", "sgp_", alnum(60)),
    ),
    *formats(
        "kingfisher",
        (
            "doppler-token",
            "dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
            r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{38,46}",
        ),
        ("metabase-key", "mb_", base64(40, 60)),
        ("fullstory-key", "na1. eu1.", base64(80, 120)),
    ),
    *formats(
        "noseyparker",
        ("vault-token", "hvr.", word(20)),
    ),
    *formats(
        "trufflehog",
        ("convex-key", "prod:", r"[a-z-]{6,40}\d{0,4}\|[\w=+/]{60,300}"),
    ),
    *formats(
        "https://docs.confluent.io/cloud/current",
        ("confluent-secret", "cflt", base64(56, 64)),
    ),
    *formats(
        "https://docs.convex.dev",
        ("convex-key", "dev:", r"[a-z-]{6,40}\d{0,4}\|[\w=+/]{60,300}"),
    ),
    *formats(
        "https://docs.getdbt.com",
        ("dbt-token", "dbtc_ dbtu_", word(36)),
    ),
    *formats(
        "https://xata.io/docs",
        ("xata-key", "xau_", alnum(36)),
    ),
)
