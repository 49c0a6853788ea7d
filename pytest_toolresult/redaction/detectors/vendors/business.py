"""Keys of payment, shops, maps and customer services."""

from __future__ import annotations

from typing import Final

from pytest_toolresult.redaction.detectors.vendors.format import (
    alnum,
    base64,
    formats,
    hexa,
    word,
)

FORMATS: Final = (
    *formats(
        "betterleaks",
        ("stripe-key", "sk_live_ rk_test_", word(16)),
        ("square-token", "sq0csp-", word(22)),
        (
            "braintree-token",
            "access_token$",
            r"(?:production|sandbox)\$\w{16}\$[0-9a-f]{32}",
        ),
        ("gocardless-token", "sandbox_", word(38, 60)),
        ("mollie-key", "access_", alnum(30, 60)),
        ("mercado-pago-token", "APP_USR-", r"\d{12,18}-\d{6}-[0-9a-f]{32}-\d{6,12}"),
        ("polar-token", "polar_oat_ polar_pat_", word(36)),
        ("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_", word(40)),
        ("asana-token", "1/", r"\d{14,18}(?:/\d{14,18})?:[0-9a-f]{32}"),
        ("clickup-token", "pk_", r"\d{6,9}_[A-Z0-9]{30,34}"),
    ),
    *formats(
        "gitleaks",
        ("square-token", "EAAA", word(50, 70)),
        ("square-token", "sq0atp-", word(22)),
        ("shopify-token", "shpat_ shpca_ shppa_ shpss_", hexa(30, 40)),
        ("flutterwave-key", "FLWSECK_TEST-", r"[0-9A-Za-z]{12,40}(?:-X)?"),
        ("gocardless-token", "live_", word(38, 60)),
        ("mollie-key", "live_ test_", alnum(30, 60)),
        ("mercado-pago-token", "TEST-", r"\d{12,18}-\d{6}-[0-9a-f]{32}-\d{6,12}"),
        ("easypost-key", "EZAK EZTK", alnum(50, 60)),
        ("facebook-token", "EAA", alnum(60, 400)),
        ("typeform-token", "tfp_", r"[\w.=-]{40,80}"),
        ("sanity-token", "sk", alnum(150, 200)),
        ("asana-token", "2/", r"\d{14,18}(?:/\d{14,18})?:[0-9a-f]{32}"),
        ("close-key", "api_", r"[A-Za-z0-9]{18,24}\.[A-Za-z0-9]{18,24}"),
        ("adobe-secret", "p8e-", word(30, 40)),
    ),
    *formats(
        "kingfisher",
        ("stripe-key", "sk_test_", word(16)),
        ("adyen-key", "AQE", base64(80)),
        ("pagarme-key", "ak_live_", alnum(28, 40)),
        ("shippo-token", "shippo_test_", hexa(40)),
        ("flexport-key", "shltm_", word(36)),
        ("fleetbase-key", "flb_live_", alnum(20)),
        ("hubspot-token", "pat-na1-", r"[0-9a-fA-F-]{36}"),
        ("salesforce-token", "00D", r"[A-Za-z0-9]{12,15}![\w.]{80,120}"),
        ("mapbox-token", "sk.eyJ tk.eyJ", r"[\w-]{40,200}\.[\w-]{18,40}"),
        ("zoho-token", "1000.", r"[0-9a-f]{32}\.[0-9a-f]{32}"),
        ("contentful-token", "CFPAT-", word(40)),
        ("adafruit-key", "aio_", alnum(26, 32)),
        ("voiceflow-key", "VF.DM. VF.WS. VF.", r"[0-9a-f]{24}\.[A-Za-z0-9]{16}"),
    ),
    *formats(
        "noseyparker",
        ("instagram-token", "IGQ", word(100, 400)),
    ),
    *formats(
        "secretlint",
        ("stripe-key", "rk_live_", word(16)),
    ),
    *formats(
        "trufflehog",
        ("square-token", "sq0idb-", word(22)),
        ("flutterwave-key", "FLWSECK-", r"[0-9a-f]{32}-[\w]{0,20}X"),
        ("razorpay-key", "rzp_live_", alnum(14, 30)),
        ("plaid-token", "access-sandbox-", r"[0-9a-f-]{36}"),
        ("shippo-token", "shippo_live_", hexa(40)),
        ("duffel-token", "duffel_live_ duffel_test_", word(40)),
        ("hubspot-token", "pat-eu1-", r"[0-9a-fA-F-]{36}"),
    ),
    *formats(
        "https://developer.paypal.com",
        ("paypal-token", "A21AA", word(60)),
    ),
    *formats(
        "https://docs.pagar.me",
        ("pagarme-key", "ak_test_", alnum(28, 40)),
    ),
    *formats(
        "https://docs.stripe.com/keys",
        ("stripe-key", "sk_org_", word(16)),
    ),
    *formats(
        "https://docs.stripe.com/webhooks",
        ("stripe-webhook-secret", "whsec_", base64(24)),
    ),
    *formats(
        "https://plaid.com/docs",
        ("plaid-token", "access-production- access-development-", r"[0-9a-f-]{36}"),
    ),
    *formats(
        "https://razorpay.com/docs",
        ("razorpay-key", "rzp_test_", alnum(14, 30)),
    ),
)
