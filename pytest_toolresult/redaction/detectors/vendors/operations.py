"""Keys of monitoring, of identity services and of security tools."""

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
        ("launchdarkly-key", "mob-", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        ("stytch-secret", "secret-live-", word(28)),
        ("apify-token", "apify_api_", alnum(30)),
        ("onesignal-key", "os_v2_app_ os_v2_org_", alnum(80, 200)),
    ),
    *formats(
        "gitleaks",
        ("new-relic-key", "NRAK-", upper(24, 40)),
        ("new-relic-key", "NRII-", word(28, 60)),
        ("grafana-token", "glsa_", r"[A-Za-z0-9]{30,34}_[0-9a-fA-F]{8}"),
        ("grafana-token", "glc_", base64(32)),
        ("grafana-key", "eyJrIjoi", base64(60, 400)),
        ("sentry-token", "sntrys_ sntryu_", base64(40)),
        ("dynatrace-token", "dt0c01.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{60,64}"),
        ("pagerduty-token", "u+", r"[\w-]{18}"),
        (
            "launchdarkly-key",
            "sdk- api-",
            r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        ),
        (
            "authress-key",
            "sc_ ext_ scauth_ authress_",
            r"[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}",
        ),
        ("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", alnum(16)),
    ),
    *formats(
        "kingfisher",
        ("nightfall-key", "NF-", alnum(32, 40)),
        ("ubidots-token", "BBFF-", alnum(28, 40)),
        ("scrapfly-key", "scp-live- scp-test-", alnum(28)),
        ("cal-key", "cal_", hexa(32)),
    ),
    *formats(
        "noseyparker",
        ("new-relic-key", "NRIQ- NRRA-", word(28, 60)),
    ),
    *formats(
        "trufflehog",
        ("new-relic-key", "NRBR-", word(28, 60)),
        ("checkly-key", "cu_", hexa(32)),
    ),
    *formats(
        "https://axiom.co/docs",
        ("axiom-token", "xaat- xapt-", r"[0-9a-f-]{36}"),
    ),
    *formats(
        "https://cal.com/docs",
        ("cal-key", "cal_live_", hexa(32)),
    ),
    *formats(
        "https://docs.apify.com",
        ("apify-token", "apify_proxy_", alnum(30)),
    ),
    *formats(
        "https://docs.dynatrace.com",
        (
            "dynatrace-token",
            "dt0s01. dt0s02. dt0s16.",
            r"[A-Z0-9]{8,24}\.[A-Z0-9]{60,64}",
        ),
    ),
    *formats(
        "https://docs.honeycomb.io",
        ("honeycomb-key", "hcaik_ hcxik_ hcamk_", r"[a-z0-9_]{50,70}"),
    ),
    *formats(
        "https://docs.n8n.io/api",
        ("n8n-key", "n8n_api_", alnum(40)),
    ),
    *formats(
        "https://docs.retool.com",
        ("retool-token", "retool_wk_", word(18)),
    ),
    *formats(
        "https://docs.ubidots.com",
        ("ubidots-token", "BBUS-", alnum(28, 40)),
    ),
    *formats(
        "https://liveblocks.io/docs",
        ("liveblocks-key", "sk_dev_", word(40)),
    ),
    *formats(
        "https://stytch.com/docs",
        ("stytch-secret", "secret-test-", word(28)),
    ),
    *formats(
        "https://www.pubnub.com/docs",
        ("pubnub-key", "sec-c-", base64(40, 60)),
    ),
)
