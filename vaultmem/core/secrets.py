"""Secrets in a text: where they are, and the text without them."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.secret_kinds import PRIORITY, SHAPES, SecretKind
from vaultmem.core.secret_values import (
    fills_env,
    is_common,
    is_placeholder,
    looks_like_phrase,
    looks_secret,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PREVIEW_ENDS = 4
"""Characters that a preview shows of either end."""
PREVIEW_FROM = 13
"""A shorter secret is not previewed at all."""
MAX_BLOCK = 20_000
"""Characters of a private key, at most; the longest in use have about 13,000."""


class Secret(NamedTuple):
    """One secret: `text[start:end]`. Only the preview may be shown."""

    kind: SecretKind
    start: int
    end: int
    preview: str


Span = tuple[SecretKind, int, int]

# A name with a telling word in it, then what a setting has between name and value. The rest of the
# name follows in `tail`; "tokenizer" and "passwords" have none that is a word of its own.
_ASSIGNED = re.compile(
    r"""
    (?P<name>pass(?:word|wd|phrase|code)|(?<![a-z0-9])(?:pass|pwd|auth)|secret|token|credentials?
      |(?:api|access|account|auth|sign(?:ing)?|encryption|master|private|service|storage|client|license|webhook|hmac)
        [ _.-]?key)
    (?P<tail>(?:[_.-][A-Za-z0-9]{1,24}){0,4}|(?-i:[A-Z][a-z]{1,16}){0,3}|\d{0,2})
    [\"'`\]]{0,2} [ \t]{0,8}
    (?:=>|:=|==|(?P<form>=)|:(?![/:])|(?P<is>\b(?:is|was)\b)|(?P<bare>(?<=[ \t])(?=[\"'`])))
    [ \t]{0,8}
    (?P<value>\"[^\"\n]{1,512}\"|'[^'\n]{1,512}'|`[^`\n]{1,512}`
      |[^\s\"'`,;&] (?:[^\s\"'`,;&]
        |&(?(form)(?![a-z_][\w.-]{0,40}=))  # ends a value of a form or of an address's query
        |[,;](?(is)|(?![a-z_][\w.-]{0,40}[:=]))  # ends one of a list
      ){0,511})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FLAG = re.compile(
    r"(?<!\S)--?(?:[a-z]{1,20}-){0,3}(?:password|passphrase|token|secret|api-?key|secret-key|access-key)"
    r"(?:=|[ \t]{1,4})[\"']?[ \t]{0,8}(?P<value>[^\s\"'`]{8,512})"
)
_NETRC = re.compile(r"\b(?:login|machine)\s{1,4}\S{1,80}\s{1,4}password\s{1,4}(?P<value>\S{4,256})")
_ENV = re.compile(
    r"(?<![A-Za-z0-9_])(?P<name>[A-Z][A-Z0-9_]{0,80})[ \t]{0,4}[=:][ \t]{0,4}"
    r"(?P<value>\"[^\"\n]{12,512}\"|'[^'\n]{12,512}'|[^\s\"'`]{12,512})"
)
_ENV_NAME = re.compile(
    "SECRET|PASSWORD|PASSWD|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|PASSPHRASE|_P(?:ASS|WD)$"
)
_NO_SECRET = re.compile(
    r"(?:^|[_.-]|(?<=[a-z]))(?:hash|sha\d*|digest|ids?|counts?|types?|ur[li]|name|fields?|files?|paths?|limits?|budget|"
    r"len(?:gth)?|size|min|max|ttl|exp(?:iry|ires?)?|policy|regex|pattern|version|header|prefix|var|"
    r"ref|label|hint|input|class|column|store|manager|scopes?|status|kind|arn|usage|endpoint|"
    r"provider|rotation|format|algorithm|alg)\d?$",
    re.IGNORECASE,
)
"""Ends of names that tell something about a secret and do not hold one."""
_UNLIKE_WORDS = re.compile(
    r"[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d|[A-Za-z]{2}\d{2,}$|[A-Za-z0-9][!$%&^~][A-Za-z0-9]"
)
_URL = re.compile(r"://(?P<user>[^\s:/@\"'<>]{0,100}):(?P<value>[^\s/\"'<>]{1,200})@[\w\[-]")
_DATABASE = re.compile(
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|"
    r"cockroachdb|kafka|nats|ldaps?|smtps?|jdbc|neo4j|bolt|influxdb|snowflake)(?:\+\w{1,20})?$",
    re.IGNORECASE,
)
_BLOCK = re.compile(
    r"-{4,5} ?BEGIN (?P<label>[A-Z0-9 ]{0,30})PRIVATE KEY(?P<pgp> BLOCK)?-{4,5}"
    r"|(?P<putty>PuTTY-User-Key-File-\d:)"
)
_ESCAPED = re.compile(r"(?<!\\)\\{1,16}[\"'`]")
"""A quote in a text that is itself quoted, as in JSON within JSON or in a shell's argument."""
MARK = re.compile(r"\[redacted_secret:[a-z_]{1,40}\]")
_CLOSE = re.compile(r"-----END [A-Z0-9 ]{0,60}-{0,5}|Private-MAC: ?\w{0,64}")
_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret of a text, in order and apart from each other.

    Where several kinds overlap, all that any of them covers is one secret, of the kind with the
    highest priority. Takes time in proportion to the text.
    """
    lowered = text.casefold()
    spans = [span for finder in _FINDERS for span in finder(text, lowered)]
    if _ESCAPED.search(text):
        plain = _ESCAPED.sub(_quote_first, text)
        spans += [span for finder in _BY_QUOTES for span in finder(plain, plain.casefold())]
    if spans and "[redacted_secret:" in text:
        marks = [match.span() for match in MARK.finditer(text)]
        spans = [span for span in spans if not _begins_in(marks, span[1])]
    return merge(text, spans)


def _quote_first(match: re.Match[str]) -> str:
    """An escaped quote as a plain one; blanks make up for the backslashes, so that places stay."""
    return match[0][-1] + " " * (len(match[0]) - 1)


def redact_found(text: str, found: tuple[Secret, ...]) -> str:
    """The text with the given secrets, in order and apart, as `[redacted_secret:<kind>]` each."""
    parts: list[str] = []
    at = 0
    for secret in found:
        parts += (text[at : secret.start], f"[redacted_secret:{secret.kind}]")
        at = secret.end
    return "".join((*parts, text[at:]))


def merge(text: str, spans: list[Span]) -> tuple[Secret, ...]:
    """Secrets from spans that may overlap: one for each stretch that they cover together."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[1], span[2])):
        kind, start, end = span
        if merged and start < merged[-1][2]:
            before = merged.pop()
            best = min(before[0], kind, key=PRIORITY.__getitem__)
            merged.append((best, before[1], max(before[2], end)))
        else:
            merged.append((kind, start, end))
    return tuple(Secret(kind, start, end, preview(text[start:end])) for kind, start, end in merged)


def _begins_in(marks: list[tuple[int, int]], start: int) -> bool:
    """Whether a span begins inside a mark of an earlier redaction, which is no secret."""
    at = bisect_right(marks, start, key=itemgetter(0))
    return at > 0 and start < marks[at - 1][1]


def preview(secret: str) -> str:
    """What may be shown of a secret: both its ends, or nothing where that would tell too much."""
    if len(secret) < PREVIEW_FROM:
        return "[redacted]"
    return f"{secret[:PREVIEW_ENDS]}…{secret[-PREVIEW_ENDS:]}"


def _blocks(text: str, _lowered: str) -> Iterator[Span]:
    """Private keys from their first line to their last, or to the end of what looks like a key."""
    at = 0
    while match := _BLOCK.search(text, at):
        at = match.end()
        close = "Private-MAC:" if match["putty"] else "-----END"
        end = text.find(close, at, at + MAX_BLOCK)
        stop = end if end >= 0 else text.find("-----BEGIN", at, at + MAX_BLOCK)
        stop = stop if stop >= 0 else at + MAX_BLOCK
        body = [run.end() for run in _BODY.finditer(text, at, stop)]
        if not body:
            continue  # only its name, as in a sentence about keys
        at = _line_end(text, end) if end >= 0 else body[-1]
        yield _block_kind(match), match.start(), at


def _line_end(text: str, at: int) -> int:
    """Behind the closing line: its dashes or its value, whatever stands for a line break."""
    match = _CLOSE.match(text, at)
    return match.end() if match else at


def _block_kind(match: re.Match[str]) -> SecretKind:
    if match["putty"]:
        return SecretKind.PUTTY_PRIVATE_KEY
    if match["pgp"]:
        return SecretKind.PGP_PRIVATE_KEY
    if match["label"].strip() == "OPENSSH":
        return SecretKind.OPENSSH_PRIVATE_KEY
    return SecretKind.PEM_PRIVATE_KEY


def _shapes(text: str, lowered: str) -> Iterator[Span]:
    for shape in SHAPES:
        if not any(hint in lowered for hint in shape.hints):
            continue
        for match in shape.pattern.finditer(text):
            start, end = match.span(shape.pattern.groups)
            if not _is_filler(text[start:end]):
                yield shape.kind, start, end


def _is_filler(token: str) -> bool:
    """Whether a token of known form holds `xxxx…` or `****` where its secret should be."""
    body = token[-16:]
    return len(set(body.casefold()) - set("x*.-_0")) == 0


def _urls(text: str, _lowered: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        if is_common(match["value"]):
            continue
        before = text[max(0, match.start() - 24) : match.start()]
        database = _DATABASE.search(before) is not None
        kind = SecretKind.CONNECTION_STRING if database else SecretKind.BASIC_AUTH_URL
        yield kind, *match.span("value")


def _environment(text: str, _lowered: str) -> Iterator[Span]:
    for match in _ENV.finditer(text):
        name = match["name"]
        if not _ENV_NAME.search(name) or _NO_SECRET.search(name):
            continue
        start, end, _ = _unquoted(match)
        if fills_env(name, text[start:end]):
            yield SecretKind.ENV_SECRET, start, end


def _assignments(text: str, _lowered: str) -> Iterator[Span]:
    for match in _ASSIGNED.finditer(text):
        if _NO_SECRET.search(match["tail"]):
            continue
        start, end, quoted = _unquoted(match)
        if _is_secret(match, text[start:end], quoted=quoted):
            yield SecretKind.ASSIGNED_SECRET, start, end


def _is_secret(match: re.Match[str], value: str, *, quoted: bool) -> bool:
    """Whether the value of an assignment is one; without quotes it may be several of a list."""
    name = match["name"].casefold()
    password = name.startswith("p")
    if quoted and name == "passphrase" and looks_like_phrase(value):
        return True
    if match["bare"] is not None:  # `password "…"`; behind "secret" and "token" stands a name
        return password and looks_secret(value, quoted=False)
    if quoted:
        return looks_secret(value, quoted=True)
    if match["is"] and not _unlike_words(value):
        return False
    pieces = re.split("[,;]", value)
    if password and _unlike_words(value):
        pieces.append(value)
    return any(looks_secret(piece, quoted=False) for piece in pieces)


def _unlike_words(value: str) -> bool:
    """Whether a value after "is" is no word of the sentence: letters mixed with digits or signs."""
    return _UNLIKE_WORDS.search(value) is not None


def _arguments(text: str, lowered: str) -> Iterator[Span]:
    if "password" not in lowered and "--" not in text:
        return
    for pattern in (_FLAG, _NETRC):
        for match in pattern.finditer(text):
            if looks_secret(match["value"], quoted=True) and not is_placeholder(match["value"]):
                yield SecretKind.ASSIGNED_SECRET, *match.span("value")


def _unquoted(match: re.Match[str]) -> tuple[int, int, bool]:
    """Where the value of an assignment is without its quotes, and whether it had any."""
    start, end = match.span("value")
    value = match["value"]
    if value[0] in "\"'`" and len(value) > 1:
        inner = value[1:-1]
        return start + 1 + len(inner) - len(inner.lstrip()), end - 1, True
    return start, start + len(value.rstrip(".,:;)]}>!?")), False


_BY_QUOTES = (_environment, _assignments, _arguments)
_FINDERS = (_blocks, _shapes, _urls, *_BY_QUOTES)
