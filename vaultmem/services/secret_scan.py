"""Secrets by our own table and by detect-secrets' patterns together, for text on its way in or out.

The detectors are imported with the first text that is scanned: that costs about 0.1 s, for the
HTTP client that detect-secrets brings along. Only their patterns are used. Their verification,
which asks the service that a secret belongs to, is never called, and their settings are never read.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from vaultmem.core.guards import Refusal, first_refusal, secret_refusal
from vaultmem.core.model import Scope
from vaultmem.core.secret_kinds import SecretKind
from vaultmem.core.secret_values import is_common
from vaultmem.core.secrets import MARK, Secret, Span, find_secrets, merge, redact_found

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

WINDOW = 600
"""Characters of a line that a pattern sees at once: some of detect-secrets' take time in proportion
to the square of a line's length."""
OVERLAP = 200
"""Characters that two windows share, so that a secret at a border is whole in one of them."""
MIN_SECRET = 6
"""Characters; a shorter group of a pattern is a prefix, as `ghp` of a GitHub token."""

DETECTORS = (
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("basic_auth", "BasicAuthDetector"),
    ("cloudant", "CloudantDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("ibm_cloud_iam", "IbmCloudIamDetector"),
    ("ibm_cos_hmac", "IbmCosHmacDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("npm", "NpmDetector"),
    ("openai", "OpenAIDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("softlayer", "SoftlayerDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
"""Module and class of each detector that is used; docs/adr/0030 says why the others are not."""


def scan(text: str) -> tuple[Secret, ...]:
    """Every secret of a text, in order and apart, as `core.secrets.find_secrets` gives them.

    Where only a pattern of detect-secrets knows a secret, its kind is `detected_secret`.
    """
    own = find_secrets(text)
    spans: list[Span] = [(one.kind, one.start, one.end) for one in own]
    return merge(text, [*spans, *_detected(text)])


def redact(text: str) -> str:
    """The text with each secret of `scan` replaced by `[redacted_secret:<kind>]`."""
    return redact_found(text, scan(text))


def refuse(text: str, *, scope: Scope = Scope.PROJECT) -> Refusal | None:
    """The first refusal of the guards of `core.guards`, with every secret that `scan` finds."""
    return secret_refusal(scan(text)) or first_refusal(text, scope=scope)


def _detected(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        for at in range(0, max(len(line) - OVERLAP, 1), WINDOW - OVERLAP):
            yield from _in_window(line[at : at + WINDOW], start + at)
        start += len(line)


def _in_window(window: str, start: int) -> Iterator[Span]:
    marks = [match.span() for match in MARK.finditer(window)]
    for pattern in _patterns():
        for match in pattern.finditer(window):
            first, last = _secret_of(match)
            marked = any(begin < last and first < end for begin, end in marks)
            if not marked and not is_common(window[first:last]):
                yield SecretKind.DETECTED, start + first, start + last


def _secret_of(match: re.Match[str]) -> tuple[int, int]:
    """Where the secret of a match is: its longest group, or all of it where no group is one."""
    spans = [match.span(number) for number in range(1, len(match.groups()) + 1)]
    start, end = max(spans, key=lambda span: span[1] - span[0], default=match.span())
    return (start, end) if end - start >= MIN_SECRET else match.span()


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """The patterns of all detectors.

    They are asked for their patterns and not for `analyze_string`, which says what a secret is but
    not where, and for some kinds gives its prefix only.
    """
    found: list[re.Pattern[str]] = []
    for module, name in DETECTORS:
        found += getattr(import_module(f"detect_secrets.plugins.{module}"), name).denylist
    return tuple(found)
