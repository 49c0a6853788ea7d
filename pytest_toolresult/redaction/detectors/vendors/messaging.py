"""Tokens of chat and of mail."""

from __future__ import annotations

from typing import Final

from pytest_toolresult.redaction.detectors.vendors.format import (
    alnum,
    formats,
    hexa,
    upper,
    word,
)

FORMATS: Final = (
    *formats(
        "betterleaks",
        ("slack-token", "xoxc- xoxd-", r"[A-Za-z0-9%-]{12,600}"),
        (
            "feishu-webhook",
            "open.larksuite.com/",
            r"open-apis/bot/v2/hook/[0-9a-f-]{36}",
        ),
        ("resend-key", "re_", r"[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,40}"),
        ("courier-key", "pk_test_", upper(26, 32)),
        ("mailersend-token", "mlsn.", hexa(64)),
        ("klaviyo-key", "pk_", r"[0-9a-f]{34}"),
    ),
    *formats(
        "gitleaks",
        (
            "slack-token",
            "xoxb- xoxe- xoxp- xoxe.xoxb- xoxe.xoxp-",
            r"[A-Za-z0-9%-]{12,600}",
        ),
        ("slack-token", "xapp-", r"\d-[A-Z0-9]{6,20}-[A-Za-z0-9-]{20,120}"),
        (
            "slack-webhook",
            "hooks.slack.com/",
            r"(?:services|workflows|triggers)/[A-Z0-9]{6,14}/[A-Z0-9]{6,16}/\w{16,60}",
        ),
        (
            "teams-webhook",
            "webhook.office.com/",
            r"webhookb2/[\w@-]{60,120}/IncomingWebhook/[\w/-]{40,120}",
        ),
        ("twilio-key", "SK", r"[0-9a-f]{32}"),
        ("sendgrid-key", "SG.", r"[\w-]{16,32}\.[\w-]{32,64}"),
        ("mailgun-key", "key-", hexa(32)),
        ("brevo-key", "xkeysib-", r"[0-9a-f]{60,68}-[A-Za-z0-9]{14,20}"),
        ("pushbullet-token", "o.", alnum(32, 34)),
    ),
    *formats(
        "kingfisher",
        (
            "discord-webhook",
            "discord.com/api/",
            r"(?:v\d{1,2}/)?webhooks/\d{15,22}/[\w-]{40,120}",
        ),
        ("zapier-webhook", "hooks.zapier.com/", r"hooks/catch/\d{4,12}/\w{5,20}"),
        ("courier-key", "pk_prod_", upper(26, 32)),
    ),
    *formats(
        "noseyparker",
        ("slack-token", "xoxa- xoxr-", r"[A-Za-z0-9%-]{12,600}"),
    ),
    *formats(
        "trufflehog",
        ("matrix-token", "mat_", word(24)),
    ),
    *formats(
        "https://developer.work.weixin.qq.com/document/path/91770",
        (
            "wecom-webhook",
            "qyapi.weixin.qq.com/",
            r"cgi-bin/webhook/send\?key=[0-9a-f-]{36}",
        ),
    ),
    *formats(
        "https://developers.brevo.com",
        ("brevo-key", "xsmtpsib-", r"[0-9a-f]{60,68}-[A-Za-z0-9]{14,20}"),
    ),
    *formats(
        "https://developers.telnyx.com",
        ("telnyx-key", "KEY01", r"[0-9A-F]{20,40}_\w{16,40}"),
    ),
    *formats(
        "https://discord.com/developers/docs/resources/webhook",
        (
            "discord-webhook",
            "discordapp.com/api/",
            r"(?:v\d{1,2}/)?webhooks/\d{15,22}/[\w-]{40,120}",
        ),
    ),
    *formats(
        "https://docs.slack.dev/authentication/tokens",
        ("slack-token", "xoxo- xoxs-", r"[A-Za-z0-9%-]{12,600}"),
    ),
    *formats(
        "https://element-hq.github.io/matrix-authentication-service",
        ("matrix-token", "syt_", word(24)),
    ),
    *formats(
        "https://open.dingtalk.com/document/robots/custom-robot-access",
        (
            "dingtalk-webhook",
            "oapi.dingtalk.com/",
            r"robot/send\?access_token=[0-9a-f]{40,64}",
        ),
    ),
    *formats(
        "https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot",
        ("feishu-webhook", "open.feishu.cn/", r"open-apis/bot/v2/hook/[0-9a-f-]{36}"),
    ),
)
