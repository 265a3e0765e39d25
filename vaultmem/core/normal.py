"""Which differences between two readings of a note are a person's edit, and which only spelling.

Obsidian and linters re-spell a whole block when one property changes. What this module calls equal
is the same value in another spelling, so sync neither reports nor answers it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.values import Kind, Normal, Raw, WrongValueError, read

if TYPE_CHECKING:
    from collections.abc import Iterable


class Rule(NamedTuple):
    """How to compare one property: its kind and what its absence means."""

    kind: Kind
    default: Normal = None


TOUCHED = frozenset({"created", "updated"})
"""Properties that plugins set at every save; a difference in them alone is no edit."""

_WIKILINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_MARKDOWN_LINK = re.compile(
    r"\[[^\[\]\n]*\]"
    r"\((?:<([^<>\n]+?\.md(?:#[^<>\n]*)?)>|([^()\s]+?\.md(?:#[^()\s]*)?))\)"
)
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»″＂", '"') | dict.fromkeys("‘’‚‛‹›′＇", "'"))


def normalise(kind: Kind, value: Raw) -> Normal:
    """The form in which two spellings of one value are equal; every value has one."""
    try:
        found = read(kind, value)
    except WrongValueError:
        return f"\0{normal_text(repr(value))}"
    if isinstance(found, tuple):
        fold = _FOLDS.get(kind, normal_text)
        return tuple(fold(item) for item in found)
    if isinstance(found, str):
        return _FOLDS.get(kind, normal_text)(found)
    return float(found) if isinstance(found, int) and not isinstance(found, bool) else found


def normal_text(text: str) -> str:
    """Text without what restyling changes: NFC, straight quotes, single blanks, bare links."""
    text = unicodedata.normalize("NFC", text).translate(_QUOTES)
    return " ".join(link_key(text).split())


def statement_key(text: str) -> str:
    """The form in which two statements are one: `normal_text` without case and full stop."""
    return normal_text(text).casefold().rstrip(".")


def link_key(text: str) -> str:
    """Every link to a note reduced to its target's base name and place: `[[a]]`, `[[a#h]]`.

    `[[A]]`, `[[Folder/A|any text]]` and `[any](Folder/A.md)` become the same.
    """
    if "[" not in text:
        return text
    text = _MARKDOWN_LINK.sub(_target_of_address, text)
    return _WIKILINK.sub(lambda link: _target(link[1]), text)


def differences(
    old: Mapping[str, Raw],
    new: Mapping[str, Raw],
    *,
    rules: Mapping[str, Rule] | None = None,
    ignored: Iterable[str] = TOUCHED,
) -> dict[str, tuple[Raw, Raw]]:
    """The properties whose meaning differs, each with the value before and after.

    Args:
        old: properties as read before.
        new: properties as read now.
        rules: the kind and default of each known property (`notes.schema.rules`); any other
            property is the person's and is compared by shape: blanks, quotes, `[x]` against `x`.
        ignored: names whose differences do not count.
    """
    known = rules or {}
    skipped = frozenset(ignored)
    found: dict[str, tuple[Raw, Raw]] = {}
    for key in [*old, *(key for key in new if key not in old)]:
        before, after = old.get(key), new.get(key)
        rule = known.get(key)
        if key not in skipped and _meaning(rule, before) != _meaning(rule, after):
            found[key] = (before, after)
    return found


def _meaning(rule: Rule | None, value: Raw) -> Raw:
    if rule is None:
        return _shape(value)
    found = normalise(rule.kind, value)
    if found in (None, ()):
        found = normalise(rule.kind, rule.default)
    return None if found == () else found


def _shape(value: Raw) -> Raw:
    if isinstance(value, Mapping):
        return tuple(sorted((str(key), repr(_shape(item))) for key, item in value.items())) or None
    if isinstance(value, list | tuple):
        items = [shape for item in value if (shape := _shape(item)) is not None]
        return items[0] if len(items) == 1 else items or None
    if isinstance(value, str):
        return normal_text(value) or None
    # True equals 1 in Python and not in a note.
    return ("checkbox", value) if isinstance(value, bool) else value


def _target_of_address(link: re.Match[str]) -> str:
    from urllib.parse import unquote  # rare, and slow to import

    return _target(unquote(link[1] or link[2]))


def _target(target: str) -> str:
    path, mark, place = target.partition("#")
    name = path.strip().rsplit("/", 1)[-1].removesuffix(".md")
    return f"[[{unicodedata.normalize('NFC', f'{name}{mark}{place.strip()}').casefold()}]]"


def _fold_text(text: str) -> str:
    return normal_text(text).casefold()


_FOLDS = {Kind.ENUM: _fold_text, Kind.TAGS: _fold_text}
