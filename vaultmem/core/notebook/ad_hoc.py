"""Ad-hoc notes, which an agent leaves when the user asks it to: their names, and whether they did.

The name is that of facts/notebook.md, section 8: `YYYY-MM-DDTHH-MM-SS-<slug>.md`, 24 to 128
characters with a slug of at most 80.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.core.own_words import own_words, plain
from vaultmem.core.words import words
from vaultmem.errors import CaptureRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_SLUG = 80
"""Characters of a slug."""
MOST_ALIKE = 99
"""Notes of one title and second that get a number."""
SHORTEST_QUOTE = 2
"""Words that a quoted request has at least."""

_NAME = re.compile(rf"(\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d)-[a-z0-9-]{{1,{MAX_SLUG}}}")
_STAMP = "%Y-%m-%dT%H-%M-%S"
_MEANT_AS_NAME = re.compile(
    r"\d{4}-\d\d-\d\dT|.*\.md\s*\Z|\.{1,2}[/\\]|[/\\]|.*[/\\]\.\.", re.I | re.S
)
_NOT_OF_A_SLUG = re.compile(r"[^a-z0-9]+")
_FALLBACK = "note"

_KEEP = re.compile(
    r"\b(?:remember|memori[sz]e|notes?|noted|jot|record|save|keep"
    r"|(?:write|put)\b.{1,60}\bdown|(?:don'?t|do not|never) forget"
    r"|merk\w*|notier\w*|festhalten|halte?\b.{1,60}\bfest|vergiss"
    r"|recuerda\w*|anota\w*|apunta\w*|guarda\w*|lembr\w*|retiens|retenir|souviens|note[rz]"
    r"|ricorda\w*|annota\w*|onthoud\w*|noteer\w*)\b"
    r"|запомни|запиши|记住|記住|记下|覚えて|メモ|기억",
    re.IGNORECASE,
)
"""How users ask that something be kept; who asks otherwise is quoted."""


def note_names(title: str, at: datetime) -> Iterator[str]:
    """Base names for a note, without `.md`, the first one wanted most.

    Args:
        title: a few words, or a whole name in the form above, which is the only one then.
        at: when the note is left, by the person's clock.

    Raises:
        CaptureRefusedError: if the title is meant as a name or a path and is not of that form.
    """
    name = title.strip()
    if _MEANT_AS_NAME.match(name):
        yield _whole_name(name.removesuffix(".md"))
        return
    stem = f"{at.strftime(_STAMP)}-{_slug(name, MAX_SLUG)}"
    yield stem
    for number in range(2, MOST_ALIKE + 1):
        yield f"{at.strftime(_STAMP)}-{_slug(name, MAX_SLUG - 3)}-{number}"


def _whole_name(name: str) -> str:
    found = _NAME.fullmatch(name)
    if found is None or not _is_moment(found[1]):
        raise CaptureRefusedError(
            "A note's name is `YYYY-MM-DDTHH-MM-SS-<slug>.md`, with a slug of a-z, 0-9 and `-` of "
            f"at most {MAX_SLUG} characters. Give a `title` of a few words, or such a name."
        )
    return name


def _is_moment(text: str) -> bool:
    try:
        datetime.strptime(text, _STAMP)
    except ValueError:
        return False
    return True


def _slug(title: str, most: int) -> str:
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = _NOT_OF_A_SLUG.sub("-", letters).strip("-")
    return slug[:most].rstrip("-") or _FALLBACK


def asked_to_keep(said: Iterable[str], request: str = "") -> bool:
    """Whether the user asked that something be kept, in their own words and not in a quotation.

    Args:
        said: the user's messages of the session.
        request: words by which they asked, as an agent quotes them; they count only where the user
            said them in this order.
    """
    quoted = " ".join(words(request))
    is_quote = len(quoted.split()) >= SHORTEST_QUOTE
    for message in said:
        own = own_words(plain(message))
        if _KEEP.search(own):
            return True
        if is_quote and f" {quoted} " in f" {' '.join(words(own))} ":
            return True
    return False
