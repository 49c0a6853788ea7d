"""Keys of clouds, hosting and networks."""

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
        ("google-key", "AQ.Ab", word(40)),
        ("alibaba-temporary-key", "STS.", alnum(20, 40)),
        ("tencent-key", "IKID", alnum(28, 36)),
        ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", alnum(24)),
        ("render-key", "rnd_", alnum(24)),
        ("tailscale-key", "tskey-", r"[a-z]{3,12}-[A-Za-z0-9-]{16,80}"),
        ("dropbox-token", "sl.B", word(60, 1400)),
    ),
    *formats(
        "gitleaks",
        ("aws-key", "AKIA ASIA ABIA ACCA A3T", upper(16, 17)),
        ("google-key", "AIza", word(33, 40)),
        ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", hexa(60, 68)),
        ("alibaba-key", "LTAI", alnum(12, 26)),
        ("yandex-key", "AQVN", word(34, 40)),
        ("yandex-token", "t1.", r"[A-Z0-9a-z_-]{1,10}[\w=.-]{60,500}"),
        ("cloudflare-key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,200}"),
        ("heroku-key", "HRKU-AA HRKU-", word(30)),
        ("fly-token", "fo1_", word(36)),
        ("fly-token", "fm2_", base64(60)),
        ("scalingo-token", "tk-us-", word(40)),
        ("openshift-token", "sha256~", word(40, 46)),
        ("rancher-token", "token-", r"[a-z0-9]{5}:[a-z0-9]{50,60}"),
        ("dropbox-token", "sl.", word(60, 1400)),
    ),
    *formats(
        "kingfisher",
        ("google-token", "ya29.", r"[\w.-]{20,1200}"),
        ("google-refresh-token", "1//0", word(30)),
        ("google-client-secret", "GOCSPX-", word(20, 40)),
        ("tencent-key", "AKID", alnum(28, 36)),
        ("netlify-token", "nfo_", alnum(30)),
    ),
    *formats(
        "trufflehog",
        ("yandex-token", "y1_ y2_", word(40)),
        ("netlify-token", "nfp_", alnum(30)),
        ("scaleway-key", "SCW", upper(17, 17)),
        ("backblaze-key", "K001 K002 K003 K004 K005", base64(26, 28)),
        ("dropbox-token", "sl.u.", word(60, 1400)),
    ),
    *formats(
        "https://cloud.baidu.com/doc/IAM",
        ("baidu-key", "bce-v3/ALTAK-", r"[\w-]{10,40}/[0-9a-f]{30,50}"),
        ("baidu-key", "ALTAK", alnum(21, 30)),
    ),
    *formats(
        "https://answers.netlify.com/t/106146",
        ("netlify-token", "nfc_ nfo_ nfu_ nfb_", alnum(30)),
    ),
    *formats(
        "https://vercel.com/docs/vercel-blob",
        ("vercel-blob-token", "vercel_blob_rw_", word(30)),
    ),
    *formats(
        "https://www.volcengine.com/docs/6291/65568",
        ("volcengine-key", "AKLT", base64(20, 60)),
    ),
    *formats(
        "https://yandex.cloud/en/docs/iam",
        ("yandex-token", "y0_", word(40)),
    ),
)
