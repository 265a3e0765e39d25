"""Clauses of a statement that permit, demand or forbid an action, reduced to comparable stems."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import clause_words as w
from vaultmem.core.quoted import QUOTED, straight
from vaultmem.core.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CLAUSES = 60
"""Clauses of one text that are looked at; a statement has one or two."""
READ_AT_MOST = 4_000
"""Characters of one text that are looked at; a statement has at most 2,000."""


class Clause(NamedTuple):
    """What one clause says about one action.

    Attributes:
        permits: True where it permits or demands the action, False where it forbids or drops it.
        verb: the stem of the verb; "use" for all that say no more, "" where none is named.
        bag: the stems of verb, objects and circumstances, without words that say nothing.
        late: those of `bag` that the clause puts after the action ("before the tests pass").
        universal: whether it leaves no room for exceptions: it forbids, or says "always".
        exceptions: stems of each "except …" or "unless …".
        text: the sentence, for people.
    """

    permits: bool
    verb: str
    bag: frozenset[str]
    late: frozenset[str]
    universal: bool
    exceptions: tuple[frozenset[str], ...]
    text: str


class _Part(NamedTuple):
    """A stretch of words between two borders."""

    words: list[str]
    permits: bool
    universal: bool
    weak_verb: bool

    def verb(self) -> list[str]:
        """Its first verb, for the next part that has none; empty where it has none itself."""
        return [word for word in self.words if stem(word) in w.VERBS][:1]

    def objects(self) -> list[str]:
        """Its words without the verb, for the "them" of the next part."""
        return [word for word in self.words if stem(word) not in w.VERBS]


USE = "use"
_SIGNS = frozenset((w.INSTEAD, w.WITHOUT, "not"))
_TOKEN = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*|\.?[\w@]+(?:['./:+#@][\w@]+)*(?:\+\+|#)?|[,;:!?()⊖⊕⊛⊗⊘⊜—–→▢]|\.(?=\s|$)"
)
_ENDS = frozenset(".;:!?()—–→")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_QUESTION = re.compile(
    r"^\W*(?:do|does|did|should|can|could|may|is|are|why|what|when|how|who|which|will|would)\b[^?]*\?\s*$",
    re.IGNORECASE,
)
_MARKS = frozenset((w.NO, w.YES, w.ALL))
_OURS = dict.fromkeys(map(ord, (*_MARKS, w.WITHOUT, w.EXCEPT, w.INSTEAD, w.MUTE)))
"""Our own signs are taken out of a text: whoever writes them must not steer its reading."""


@lru_cache(maxsize=4_096)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that say what may, must or must not be done; () where none does."""
    found: list[Clause] = []
    for sentence in _SENTENCE.split(_visible(text[:READ_AT_MOST])):
        if not _QUESTION.match(sentence):
            found += _of_sentence(sentence)
    return tuple(found[:MAX_CLAUSES])


def _visible(text: str) -> str:
    """The text with short quotations as words without polarity, and long ones as one mark."""

    def shown(match: re.Match[str]) -> str:
        inner = re.findall(r"[\w.+/#@-]*\w[\w+#]*", match[0])
        block = match["fence"] or match[0].lstrip().startswith(">")
        if block or len(inner) > w.QUOTED_WORDS:
            return " ▢ "
        return " " + " ".join(w.MUTE + word for word in inner) + " "

    return QUOTED.sub(shown, straight(text).translate(_OURS))


def _of_sentence(sentence: str) -> Iterator[Clause]:
    marked = sentence.casefold()
    for pattern, instead in w.MARKERS:
        marked = pattern.sub(instead, marked)
    said = " ".join(sentence.replace(w.MUTE, "").split()).rstrip(" .!")
    circumstances: list[str] = []
    before: _Part | None = None
    for words, comma in _stretches(_TOKEN.findall(marked)):
        part = _part(words, before, comma=comma)
        if part is None:
            if words[0] in w.CONDITIONS:
                circumstances += words[1:]
            continue
        yield from _of_part(part, circumstances, said)
        before = part


def _stretches(tokens: list[str]) -> Iterator[tuple[list[str], bool]]:
    """The words between clause borders, and whether a comma or stronger sign stood before."""
    now: list[str] = []
    comma = True
    for at, word in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else ""
        joint = word in w.JOINTS and (after in _MARKS or after in w.VERB_WORDS)
        if word in _ENDS or word == "," or joint:
            if now:
                yield now, comma
            now, comma = [], not joint or (comma and not now)
        else:
            now.append(word)
    if now:
        yield now, comma


def _part(words: list[str], before: _Part | None, *, comma: bool) -> _Part | None:
    """The stretch with its polarity; None where it says nothing about what is to be done."""
    marked = w.NO in words or w.YES in words
    plain = [word for word in words if word not in _MARKS]
    if not plain:
        return None
    if plain[0] == "not":
        return _part_not(plain[1:], before)
    if plain[0] == "no":
        return _Part(plain[1:], permits=False, universal=True, weak_verb=False)
    if not marked and not _orders(plain):
        return None
    if before is not None and words[0] == w.NO and not _verb(_stems(plain)):
        plain = [*before.verb(), *plain]
    if before is not None and plain[-1] in w.PRONOUNS:
        plain = [*plain[:-1], *before.objects()]
    permits = words.count(w.NO) % 2 == 0
    if before is not None and not marked and not comma:
        permits = before.permits  # "never commit and push": one marker for both
    universal = not permits or w.ALL in words
    return _Part(plain, permits, universal, weak_verb=_verb(_stems(plain)) == USE)


def _part_not(words: list[str], before: _Part | None) -> _Part | None:
    """What follows a bare "not": "use tabs, not spaces" has one verb for both."""
    if before is None or not words or words[0] in w.QUESTIONS:
        return None
    return before._replace(words=before.verb() + words, permits=not before.permits, universal=True)


def _orders(plain: list[str]) -> bool:
    """Whether it begins with a verb that says what to do, not what was done or what happens."""
    lead = _leading(plain)
    return stem(lead) in w.VERBS and not lead.endswith(("ed", "ing"))


def _lead(plain: list[str]) -> str:
    """The stem of what would be the verb of an order or of "we …"; "" after an article."""
    return stem(_leading(plain))


def _leading(plain: list[str]) -> str:
    if not plain or plain[0] in w.DETERMINERS:
        return ""
    return next((word for word in plain if word not in w.SUBJECTS), "")


def _of_part(part: _Part, circumstances: list[str], said: str) -> Iterator[Clause]:
    """The clauses of one part: the action, and what stands against it or is asked besides."""
    words, exceptions = _exceptions(part.words)
    for side in _sides(words, part):
        stems = [*_stems(side.words), *_stems(circumstances)]
        at = side.words.index("before") if "before" in side.words else len(side.words)
        late = frozenset(_stems(side.words[at:]))
        bag = frozenset(stems) - w.WEAK
        if bag:
            yield Clause(side.permits, _verb(stems), bag, late, side.universal, exceptions, said)


def _sides(words: list[str], part: _Part) -> Iterator[_Part]:
    """The part cut at "instead of", "over", "not" and "without"; each piece has its polarity."""
    sign = next((word for word in words if word in _signs(words)), None)
    if sign is None:
        yield part._replace(words=words)
        if part.permits and "with" in words:
            # who may commit with a flag may use the flag
            tool, _ = _circumstances(words[words.index("with") + 1 :])
            yield _Part([USE, *tool], permits=True, universal=False, weak_verb=True)
        return
    at = words.index(sign)
    left, right = words[:at], words[at + 1 :]
    if sign == w.WITHOUT:
        if part.permits:
            yield part._replace(words=left)
        yield _Part(right + left, not part.permits, universal=True, weak_verb=False)
        return
    right, tail = _circumstances(right)
    yield part._replace(words=left + tail)
    verb = [] if _leading(right).endswith("ing") and _lead(right) in w.VERBS else [USE]
    if part.weak_verb or not verb:
        firm = part.permits and _lead(left) not in w.HEDGED
        yield _Part(verb + right + tail, not part.permits, universal=firm, weak_verb=True)


def _signs(words: list[str]) -> frozenset[str]:
    """The signs that part these words: "over" and "to" do so after "prefer" only."""
    if _lead(words) not in w.HEDGED:
        return _SIGNS
    return _SIGNS | ({"over", "to"} if "to" in words[2:] else {"over"})


def _circumstances(words: list[str]) -> tuple[list[str], list[str]]:
    """The words up to a circumstance, and the circumstance."""
    at = next((n for n, word in enumerate(words) if n and word in w.CONDITIONS), len(words))
    return words[:at], words[at:]


def _exceptions(words: list[str]) -> tuple[list[str], tuple[frozenset[str], ...]]:
    """The words without "unless …", and the stems of that."""
    if w.EXCEPT not in words:
        return words, ()
    at = words.index(w.EXCEPT)
    spared = frozenset(_stems(words[at:]))
    return words[:at], (spared,) if spared else ()


def _stems(words: list[str]) -> list[str]:
    """The stems that say something, in order; of words of like meaning, those of the first."""
    said = (word.removeprefix(w.MUTE) for word in words if word not in w.STOP)
    stems = (stem(word.strip("'")) for word in said if word[:1].isalnum() or word[:1] in "-.@_")
    return [w.SYNONYM.get(one, one) for one in stems]


def _verb(stems: list[str]) -> str:
    """The first verb among the stems: "use" for a weak one, "" where none is."""
    found = next((one for one in stems if one in w.VERBS), "")
    return USE if found in w.WEAK else found
