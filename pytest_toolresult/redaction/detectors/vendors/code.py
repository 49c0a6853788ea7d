"""Tokens of code hosts, package registries and build services."""

from __future__ import annotations

from typing import Final

from pytest_toolresult.redaction.detectors.vendors.format import (
    alnum,
    base64,
    formats,
    hexa,
    lower,
    upper,
    word,
)

FORMATS: Final = (
    *formats(
        "betterleaks",
        ("crates-token", "cio", alnum(32, 32)),
        ("docker-token", "dckr_pat_ dckr_oat_", word(24)),
        ("circleci-token", "CCIPAT_", word(40)),
        ("buildkite-token", "bkua_ bkaj_ bkct_ bkpt_", lower(36)),
        ("figma-token", "figd_", word(36)),
        ("ionic-token", "ion_", lower(40)),
    ),
    *formats(
        "gitleaks",
        ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", alnum(30)),
        ("github-token", "github_pat_", word(30)),
        (
            "gitlab-token",
            (
                "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent- gloas- "
                "glffct-"
            ),
            r"[\w-]{18,320}(?:\.[\w-]{6,12})?",
        ),
        ("gitlab-runner-token", "GR1348941", word(18)),
        ("atlassian-token", "ATATT3", r"[\w=-]{40,300}"),
        ("npm-token", "npm_", alnum(36)),
        ("pypi-token", "pypi-AgE pypi-", word(50, 1000)),
        ("rubygems-key", "rubygems_", hexa(40, 52)),
        ("clojars-token", "CLOJARS_", lower(50)),
        ("jfrog-key", "AKCp", alnum(60, 80)),
        ("jfrog-token", "cmVmd", alnum(55, 64)),
        ("octopus-key", "API-", upper(26, 32)),
        ("pulumi-token", "pul-", hexa(40)),
        ("sonarqube-token", "squ_ sqp_ sqa_", hexa(40)),
        ("sourcegraph-token", "sgp_", r"(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}"),
        ("infracost-key", "ico-", alnum(32, 32)),
        ("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{30,36}"),
        ("harness-key", "pat. sat.", r"[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
        ("prefect-key", "pnu_", alnum(30)),
        ("readme-key", "rdme_", lower(60)),
        ("linear-key", "lin_api_", alnum(32)),
        ("notion-token", "ntn_", alnum(40)),
        ("notion-token", "secret_", alnum(40, 50)),
        ("frameio-token", "fio-u-", word(50)),
    ),
    *formats(
        "kingfisher",
        ("nuget-key", "oy2", lower(43, 43)),
        ("sourcegraph-token", "slk_", hexa(64)),
        ("stackhawk-key", "hawk.", r"[\w-]{20}\.[\w-]{20}"),
        ("dependency-track-key", "odt_", alnum(32)),
    ),
    *formats(
        "noseyparker",
        ("bitbucket-token", "ATBB", alnum(24, 40)),
    ),
    *formats(
        "trufflehog",
        ("atlassian-token", "ATCTT3", r"[\w=-]{40,300}"),
        ("bitbucket-token", "BBDC-", base64(30)),
        ("figma-token", "figr_", word(36)),
    ),
    *formats(
        "https://docs.snyk.io",
        ("snyk-token", "snyk_uat. snyk_sat.", r"[\w.-]{30,400}"),
    ),
    *formats(
        "https://linear.app/developers",
        ("linear-key", "lin_oauth_", alnum(32)),
    ),
)
