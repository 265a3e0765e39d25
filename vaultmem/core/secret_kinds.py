"""The table of secrets that have a shape of their own: kind, beginning, and what it looks like."""

# ruff: noqa: S105  (the kinds are named after secrets and are none)

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class SecretKind(StrEnum):
    """What a secret is; the word stands in previews and in `[redacted_secret:<kind>]`."""

    OPENSSH_PRIVATE_KEY = "openssh_private_key"
    PEM_PRIVATE_KEY = "pem_private_key"
    PGP_PRIVATE_KEY = "pgp_private_key"
    PUTTY_PRIVATE_KEY = "putty_private_key"
    AGE_SECRET_KEY = "age_secret_key"
    GITHUB_TOKEN = "github_token"
    GITLAB_TOKEN = "gitlab_token"
    SLACK_TOKEN = "slack_token"
    SLACK_WEBHOOK = "slack_webhook"
    AWS_ACCESS_KEY = "aws_access_key"
    AWS_SECRET_KEY = "aws_secret_key"
    AZURE_KEY = "azure_key"
    GOOGLE_API_KEY = "google_api_key"
    NPM_TOKEN = "npm_token"
    PYPI_TOKEN = "pypi_token"
    STRIPE_KEY = "stripe_key"
    API_KEY = "api_key"
    SERVICE_TOKEN = "service_token"
    JWT = "jwt"
    CONNECTION_STRING = "connection_string"
    BASIC_AUTH_URL = "basic_auth_url"
    BASIC_AUTH = "basic_auth"
    BEARER_TOKEN = "bearer_token"
    OAUTH_TOKEN = "oauth_token"
    ENV_SECRET = "env_secret"
    ASSIGNED_SECRET = "assigned_secret"
    DETECTED = "detected_secret"


PRIORITY = {kind: rank for rank, kind in enumerate(SecretKind)}
"""Where two kinds overlap, the one that is listed first names the secret."""


class Shape(NamedTuple):
    """One row: a text that holds none of `hints` (case folded) needs no search.

    `pattern` has one group, the secret, or none, then all of it is. Every repetition is bounded
    and begins with letters that are its own, so a search is linear in the text.
    """

    kind: SecretKind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


_APART = r"(?<![A-Za-z0-9])"
"""What begins with a word of its own is no part of a longer word: "task-…" is no `sk-…`."""

_PREFIXED = (
    # prefix, then the least number of letters and digits
    ("do[por]_v1_", 40), ("hf_", 30), ("shp(?:at|ss|ca|pa)_", 32), ("lin_api_", 32), ("dapi", 32),
    ("gsk_", 40), ("xai-", 40), ("sbp_", 40), ("rubygems_", 48), ("ntn_", 40), ("r8_", 37),
    ("NRAK-", 27), ("rdme_", 60), ("AKC", 60), ("EAACEdEose0cBA", 20),
)  # fmt: skip
_PREFIXED_WIDE = (
    # the same for alphabets with signs in them
    ("dckr_[po]at_", 20), ("hv[sb]\\.", 24), ("sntry[su]_", 40), ("PMAK-", 50), ("AT[AC]TT3", 40),
    ("glsa_", 32), ("pscale_(?:tkn|pw)_", 32), ("HRKU-", 36), ("dp\\.(?:pt|st|ct|sa)\\.", 40),
    ("SG\\.", 60), ("sq0(?:csp|atp)-", 22), ("FlyV1 fm\\d_", 40), ("pat-(?:na|eu)\\d-", 32),
    ("tskey-(?:auth|api|client)-", 20), ("figd_", 36), ("cf[ua]t_", 36),
)  # fmt: skip

_HINT_WORDS = (
    "dckr_ do hf_ hvs. hvb. shp lin_api_ dapi gsk_ xai- sntry pmak- at nrak- glsa_ sbp_ pscale_ "
    "rubygems_ hrku- ntn_ dp. sg. r8_ sq0 eaaced flyv1 akc pat- tskey- figd_ cf rdme_"
)
_HINTS = tuple(_HINT_WORDS.split())


def _shape(kind: SecretKind, hints: str, pattern: str) -> Shape:
    return Shape(kind, tuple(hints.split()), re.compile(pattern))


def _one_of(rows: tuple[tuple[str, int], ...], alphabet: str) -> re.Pattern[str]:
    starts = "|".join(f"{start}{alphabet}{{{least},255}}" for start, least in rows)
    return re.compile(f"{_APART}(?:{starts})")


SHAPES = (
    _shape(SecretKind.AGE_SECRET_KEY, "age-secret-key-", "AGE-SECRET-KEY-1[A-Z0-9]{50,90}"),
    _shape(SecretKind.GITHUB_TOKEN, "gh", _APART + "gh[pousr]_[A-Za-z0-9_]{30,255}"),
    _shape(SecretKind.GITHUB_TOKEN, "github_pat_", "github_pat_[A-Za-z0-9_]{22,255}"),
    _shape(
        SecretKind.GITLAB_TOKEN,
        "gl gr1348941",
        _APART
        + "(?:gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|ffct)-|GR1348941)[A-Za-z0-9_.-]{20,255}",
    ),
    _shape(
        SecretKind.SLACK_TOKEN,
        "xox xapp-",
        _APART + r"(?:xox[abcdeoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,255}"
        r"|xapp-\d-[A-Za-z0-9-]{20,255})",
    ),
    _shape(
        SecretKind.SLACK_WEBHOOK,
        "hooks.slack",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/+-]{20,255}",
    ),
    _shape(
        SecretKind.AWS_ACCESS_KEY,
        "akia asia abia acca a3t",
        r"(?<![A-Za-z0-9+/])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9+/])",
    ),
    _shape(
        SecretKind.AWS_SECRET_KEY,
        "aws secret",
        r"(?i:(?:aws|secret).{0,20}key.{0,20}?)(?<![A-Za-z0-9/+])"
        r"((?=[^\s]{0,39}\d)(?=[^\s]{0,39}[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    _shape(
        SecretKind.AZURE_KEY,
        "accountkey sharedaccesskey",
        r"(?i:AccountKey|SharedAccessKey)\s{0,3}=\s{0,3}([A-Za-z0-9+/]{40,90}={0,2})",
    ),
    _shape(SecretKind.AZURE_KEY, "sig=", r"[?&;]sig=([A-Za-z0-9%/+_-]{30,255}={0,2})"),
    _shape(
        SecretKind.AZURE_KEY,
        "q~",
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,40}",
    ),
    _shape(
        SecretKind.GOOGLE_API_KEY,
        "aiza gocspx- ya29.",
        _APART
        + r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,60}|ya29\.[A-Za-z0-9_-]{20,255})",
    ),
    _shape(SecretKind.NPM_TOKEN, "npm_", _APART + "npm_[A-Za-z0-9]{30,255}"),
    _shape(SecretKind.PYPI_TOKEN, "pypi-", _APART + "pypi-[A-Za-z0-9_-]{50,255}"),
    _shape(
        SecretKind.STRIPE_KEY,
        "sk_ rk_ whsec_",
        _APART
        + "(?:(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{24,255})",
    ),
    _shape(
        SecretKind.API_KEY,
        "sk-",
        _APART + "(sk-(?:(?:proj|live|test|svcacct|admin|or-v1|ant-[a-z]{3,5}\\d\\d)-)?"
        "(?:(?=[A-Za-z_-]{0,254}\\d)[A-Za-z0-9_-]{32,255}|[A-Za-z0-9]{32,255}"
        "|(?=[A-Za-z]{0,31}\\d)[A-Za-z0-9]{16,31}))(?![A-Za-z0-9])",
    ),
    Shape(SecretKind.SERVICE_TOKEN, _HINTS, _one_of(_PREFIXED, "[A-Za-z0-9]")),
    Shape(SecretKind.SERVICE_TOKEN, _HINTS, _one_of(_PREFIXED_WIDE, "[A-Za-z0-9_.=+/-]")),
    _shape(
        SecretKind.SERVICE_TOKEN,
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/ .webhook.office.com/",
        r"(?:discord(?:app)?\.com/api/webhooks/|\.webhook\.office\.com/webhookb2/)[\w/@.-]{30,255}",
    ),
    _shape(
        SecretKind.JWT,
        "eyj",
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}",
    ),
    _shape(
        SecretKind.BASIC_AUTH,
        "authorization",
        r"(?i:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?basic\s{1,3})([A-Za-z0-9+/]{8,255}={0,2})",
    ),
    _shape(
        SecretKind.BASIC_AUTH,
        "basic ",
        r"(?i:\bbasic)[ \t]{1,4}((?=[A-Za-z0-9+/]{1,40}[A-Z])(?=[A-Za-z+/]{0,40}\d)"
        r"[A-Za-z0-9+/]{12,255}={0,2})(?![\w-])",
    ),
    _shape(
        SecretKind.BASIC_AUTH,
        "curl wget http",
        r"(?:curl|wget|https?)\b[^\n]{0,200}?\s(?:-u|--user|--proxy-user|-a|--auth)[= ]\s{0,3}"
        r"[\"']?[\w.@-]{1,80}:((?![$<{])[^\s\"']{4,120})",
    ),
    _shape(
        SecretKind.BEARER_TOKEN,
        "bearer",
        r"(?i:\bbearer)[\s:]{1,4}((?=[^\s]{0,31}[\d_.])[A-Za-z0-9._~+/-]{20,4000}={0,2}|[A-Za-z0-9._~+/-]{32,4000}={0,2})",
    ),
    _shape(
        SecretKind.OAUTH_TOKEN,
        "access refresh oauth",
        r"(?i:(?:access|refresh|oauth)_?token)[\"']?\s{0,3}(?:=>|[:=])\s{0,3}[\"']?([A-Za-z0-9._~+/-]{32,4000}={0,2})",
    ),
)
