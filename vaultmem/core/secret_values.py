"""Whether the value of `password: …` or `API_KEY=…` is a secret, a placeholder, code or prose."""

from __future__ import annotations

import re

_PLACEHOLDER = re.compile(
    r"""[<{\[(].{0,80}[>}\])]  # <token>, ${TOKEN}, {{ token }}, [redacted]
    | \A%\w{1,80}% | \A[^A-Za-z0-9\s]{0,3}\$\w | [:/=_-]\$[A-Z]  # %TOKEN%, $TOKEN, v1-$TOKEN
    | \*{3} | \.{3} | … | •
    | (?i:x{4,}|example|placeholder|change[-_]?me|redacted|your[-_]|insert[-_]|replace[-_]|dummy
      |something)
    """,
    re.VERBOSE,
)
_CODE = re.compile(
    r"""[A-Za-z_][\w.:-]{0,80}[(\[]  # a call or an index
    | (?:os|process|self|this|config|settings|env|secrets|vars|ctx|options|args|params|req|request
      |context|import|module|data|var|local|inputs|github|Astro|Deno|Bun)(?:\.|\?\.)\w
    | [A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$  # a dotted name
    | [\w.-]+\.(?:py|ts|js|tsx|jsx|md|json|ya?ml|toml|txt|env|go|rs|sh|cfg|ini|pem|key)$
    | (?:~|\.{1,2})?/(?:[\w.-]+/)*[\w.-]*$  # a path
    | (?:[a-z]+:)?//
    | v?\d+(?:\.\d+)+$ | \d{4}-\d\d-\d\d
    """,
    re.VERBOSE,
)
_NAME = re.compile(r"[A-Za-z]+(?:[_-]+[A-Za-z]+)*|[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+\d?")
_QUANTITY = re.compile(r"[\d.,_]+\s?(?:[a-zA-Z]{1,3}|%|bits?|bytes?|chars?|days?|hours?|minutes?)?")
_SENTENCE = re.compile(
    r"\b(?:must|should|least|most|characters?|chars|words?|letters?|digits?|is|are|the|your|an?)\b",
    re.IGNORECASE,
)
_COMMON_WORDS = (
    "pass password passwd secret postgres root admin user test guest token none null true false "
    "x-oauth-basic mysql redis pw pwd rabbitmq mongo minioadmin localhost undefined string"
)
_COMMON = frozenset(_COMMON_WORDS.split())
"""Passwords of the examples and development defaults that every page shows."""


def is_placeholder(value: str) -> bool:
    """Whether it stands for a secret (`<token>`, `$TOKEN`, `xxxx`, `changeme`) or is one sign."""
    return len(set(value)) < 2 or _PLACEHOLDER.search(value) is not None


def is_common(value: str) -> bool:
    """Whether it is a word that stands in every example, as the password in a connection string."""
    return value.casefold() in _COMMON or is_placeholder(value)


def looks_secret(value: str, *, quoted: bool) -> bool:
    """Whether the value of a setting with a telling name is a secret.

    Args:
        value: the value without its quotes.
        quoted: in quotes it is text; without them, prose and code use the same form.
    """
    if not 6 <= len(value) <= 512 or is_common(value) or _CODE.match(value):
        return False
    if _NAME.fullmatch(value) or _QUANTITY.fullmatch(value):
        return False
    digit = any(letter.isdigit() for letter in value)
    letter = any(letter.isalpha() for letter in value)
    if quoted:
        return " " not in value and (digit or not value.isalnum())
    return len(value) >= 8 and digit and letter


def looks_like_phrase(value: str) -> bool:
    """Whether the quoted value of a passphrase is one, of several words, and no sentence."""
    return (
        len(value) >= 12
        and len(value.split()) >= 3
        and any(map(str.isdigit, value))
        and not is_placeholder(value)
        and _SENTENCE.search(value) is None
    )


def fills_env(name: str, value: str) -> bool:
    """Whether the value of `…_PASSWORD=` is more than a reference, a number or the name again."""
    if is_placeholder(value) or _CODE.match(value) or _QUANTITY.fullmatch(value):
        return False
    return _letters(value) not in _letters(name)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
