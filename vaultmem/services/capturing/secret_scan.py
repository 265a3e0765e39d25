"""Secrets by our own table and by detect-secrets' patterns together, for text on its way in or out.

The detectors are imported with the first text that may hold what they look for: that costs about
0.1 s, for the HTTP client that detect-secrets brings along. Only their patterns are used. Their
verification, which asks the service that a secret belongs to, is never called, and their settings
are never read.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from vaultmem.core.ids import ULID_FORM
from vaultmem.core.secret_kinds import SecretKind
from vaultmem.core.secret_values import is_common
from vaultmem.core.secrets import MARK, Secret, Span, find_secrets, merge, redact_found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.guards import TextRefusal

WINDOW = 600
"""Characters of a line that a pattern sees at once: some of detect-secrets' take time in proportion
to the square of a line's length."""
OVERLAP = 200
"""Characters that two windows share, so that a secret at a border is whole in one of them."""
_OWN_ID = re.compile(rf"(?<![0-9A-Za-z]){ULID_FORM}(?![0-9A-Za-z])")
"""An id of ours can hold what looks like a cloud provider's key, which stands alone."""
MIN_SECRET = 6
"""Characters; a shorter group of a pattern is a prefix, as `ghp` of a GitHub token."""

_MAY_HOLD = re.compile(r"[\w+=\\-]{20}|[\w/+=\\-]{38}|//|(?i:xox[abpors]-)")
"""Something of this stands in each line that one of their patterns matches; a test compares."""

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


def refuse_fields(*fields: str) -> TextRefusal | None:
    """The refusal for a secret in any field of what is about to be written, or None.

    Each text is looked at as it came and as a reader will see it: characters that are taken out
    could hide a secret from the one form or make one in the other.
    """
    from vaultmem.core.guards import secret_refusal  # a report takes secrets out, refuses nothing
    from vaultmem.core.inert import clean

    for field in fields:
        for form in dict.fromkeys((field, clean(field).text)):
            if refusal := secret_refusal(scan(form)):
                return refusal
    return None


def _detected(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        if _MAY_HOLD.search(line) is None:
            start += len(line)
            continue
        passed = [match.span() for form in (MARK, _OWN_ID) for match in form.finditer(line)]
        for at in range(0, max(len(line) - OVERLAP, 1), WINDOW - OVERLAP):
            for first, last in _in_window(line[at : at + WINDOW]):
                if not any(begin < at + last and at + first < end for begin, end in passed):
                    yield SecretKind.DETECTED, start + at + first, start + at + last
        start += len(line)


def _in_window(window: str) -> Iterator[tuple[int, int]]:
    for pattern in _patterns():
        for match in pattern.finditer(window):
            first, last = _secret_of(match)
            if not is_common(window[first:last]):
                yield first, last


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
