"""Keys of services that run language models and what goes with them."""

from __future__ import annotations

from typing import Final

from pytest_toolresult.redaction.detectors.vendors.format import (
    alnum,
    base64,
    formats,
    hexa,
    lower,
    word,
)

FORMATS: Final = (
    *formats(
        "betterleaks",
        ("openrouter-key", "sk-or-v1- sk-or-", alnum(32)),
        ("langsmith-key", "lsv2_pt_ lsv2_sk_", word(24)),
        ("groq-key", "gsk_", alnum(36)),
        ("xai-key", "xai-", word(40)),
        ("replicate-token", "r8_", alnum(30)),
        ("nvidia-key", "nvapi-", word(48)),
        ("pinecone-key", "pcsk_", word(40)),
        ("wandb-key", "wandb_v1_", hexa(40)),
        ("together-key", "tgp_v1_", word(36)),
    ),
    *formats(
        "gitleaks",
        ("anthropic-key", "sk-ant-api sk-ant-admin", word(20)),
        ("anthropic-key", "sk-ant-", word(24)),
        ("openai-key", "sk-", alnum(20)),
        ("hugging-face-token", "hf_ api_org_", f"!{alnum(28, 80)}"),
        ("perplexity-key", "pplx-", alnum(36)),
        ("elevenlabs-key", "sk_", hexa(48)),
        ("voyage-key", "pa-", word(40)),
        ("modal-token", "as- ak-", alnum(22, 40)),
        ("bedrock-key", "ABSK", base64(80)),
        ("bedrock-key", "bedrock-api-key-", base64(40)),
    ),
    *formats(
        "kingfisher",
        ("firecrawl-key", "fc-", hexa(32)),
    ),
    *formats(
        "noseyparker",
        ("tavily-key", "tvly-", word(24)),
        ("jina-key", "jina_", alnum(40)),
    ),
    *formats(
        "trufflehog",
        ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-service-", word(24)),
        ("langfuse-key", "sk-lf-", word(24)),
        ("fireworks-key", "fw_", alnum(20, 60)),
        ("wandb-key", "local-", hexa(40)),
    ),
    *formats(
        "https://docs.anthropic.com/en/api/admin-api/apikeys/get-api-key",
        ("anthropic-key", "sk-ant-sid sk-ant-oat", word(20)),
    ),
    *formats(
        "https://docs.browserbase.com",
        ("browserbase-key", "bb_live_ bb_test_", word(20)),
    ),
    *formats(
        "https://docs.cloud.llamaindex.ai",
        ("llama-cloud-key", "llx-", alnum(40)),
    ),
    *formats(
        "https://inference-docs.cerebras.ai",
        ("cerebras-key", "csk-", lower(40)),
    ),
    *formats(
        "https://docs.mem0.ai",
        ("mem0-key", "m0-", alnum(36)),
    ),
    *formats(
        "https://docs.tavily.com",
        ("tavily-key", "tvly-dev- tvly-prod-", word(24)),
    ),
    *formats(
        "https://e2b.dev/docs",
        ("e2b-key", "e2b_", hexa(40)),
    ),
    *formats(
        "https://platform.openai.com/docs",
        ("openai-session", "sess-", alnum(36)),
    ),
)
