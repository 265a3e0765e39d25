"""What keeps two alike statements apart: a number, a version, a negation or a name."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class Difference(StrEnum):
    """Why two statements must not be merged, however near their meaning seems."""

    NUMBER = "number"
    VERSION = "version"
    NEGATION = "negation"
    IDENTIFIER = "identifier"


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_COUNTED = """
zero one two three four five six seven eight nine ten eleven twelve
"""
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_COUNTED.split())} | {
    "once": "1",
    "twice": "2",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "hundred": "100",
}

_UNITS = {
    spelling: spellings.split()[0]
    for spellings in (
        "ms millisecond milliseconds msec",
        "s sec secs second seconds",
        "min mins minute minutes m",
        "h hour hours hr hrs",
        "d day days",
        "w week weeks",
        "month months",
        "y year years yr yrs",
        "% percent",
        "kb kib kilobyte kilobytes",
        "mb mib megabyte megabytes",
        "gb gib gigabyte gigabytes",
        "tb tib terabyte terabytes",
        "px pixel pixels",
    )
    for spelling in spellings.split()
}

_NEGATIONS = _set(
    "not no never nor none cannot without avoid avoids avoided avoiding refuse refuses forbid "
    "forbids forbidden prohibit prohibited except unless dont doesnt isnt arent wont mustnt "
    "shouldnt cant didnt hardly neither instead rather stop"
)

# What turns a rule around when one side says the first and the other side the second.
_OPPOSITES = tuple(
    tuple(frozenset(side.split("/")) for side in pair.split(" "))
    for pair in (
        "enable/enables/enabled/enabling disable/disables/disabled/disabling",
        "allow/allows/allowed/permit deny/denies/denied/block/blocks/blocked",
        "before after",
        "include/includes/included exclude/excludes/excluded",
        "increase/increases/raise/raises decrease/decreases/lower/lowers/reduce/reduces",
        "on off",
        "always/must never/optional/optionally",
        "required/mandatory optional",
        "true false",
        "minimum/min/least maximum/max/most",
        "tab/tabs space/spaces",
        "sync/synchronous/synchronously async/asynchronous/asynchronously",
        "public private",
        "uppercase lowercase",
        "add/adds/added/adding remove/removes/removed/removing/delete/deletes/drop/drops",
        "ascending descending",
        "internal external",
        "first last",
        "more less/fewer",
        "start/starts/open/opens stop/stops/close/closes",
        "push pull",
        "production/prod staging/development/dev/local",
        "client server",
        "left right",
        "above below",
        "up down",
        "single double",
        "accept/accepts reject/rejects",
        "lock unlock",
        "upgrade downgrade",
        "encode decode",
        "input output",
        "success failure",
        "read write",
    )
)

# Words that may stand for each other without making two statements different.
_GROUPS = (
    "use prefer employ like",
    "run execute invoke",
    "delete remove drop",
    "make create write written",
    "check verify validate",
    "change modify edit update",
    "keep kept leave store put",
    "need has",
    "fix repair resolve",
    "package dependency library",
    "function method",
    "folder directory",
    "repo repository",
    "big large huge",
    "error failure exception",
    "all everything every",
    "show display",
    "begin begun start",
)

_FILLER = _set(
    "a an and are as at be been but by can do does for from has have here how i if in into is it "
    "its just of on or our please so such that the their them then there these they this to us was "
    "we were what when where which while who will with would you your also only always must should "
    "any each every own via time happens happen anything"
)

_TOKEN = re.compile(
    r"`[^`]+`|@?[^\W_][\w./:@+#-]*[\w+#]|--?[a-z][\w-]*|[^\W_]|%|[.!?;,:\n]", re.IGNORECASE
)
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([a-z%]*)", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.-]*|v\d+", re.IGNORECASE)
_CODE_LIKE = re.compile(r"[_/@#+=]|\w[.:]\w|[a-z][A-Z]|^--?\w|\w-\w|[a-z]\d|\d[a-z]", re.ASCII)
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]+s?")
_SCOPE = 5
_FEW = 2
_ENDS = frozenset(".!?;,:\n")
_SENTENCE_ENDS = frozenset(".!?:\n")


def difference(first: str, second: str) -> Difference | None:
    """Why the two statements must stay two; None if nothing in their words says so.

    A veto, not a test of likeness: it is asked where two texts already seem to mean the same. It
    would rather keep two of a kind than lose one of two, so anything doubtful is a difference.
    Symmetric.
    """
    one, two = _tokens(first), _tokens(second)
    if _versions(one) != _versions(two):
        return Difference.VERSION
    if not _same_numbers(_numbers(one), _numbers(two)):
        return Difference.NUMBER
    if _turned_around(one, two):
        return Difference.NEGATION
    if _named_otherwise(one, two):
        return Difference.IDENTIFIER
    return None


def same_text(first: str, second: str) -> bool:
    """Whether two statements differ in nothing but case, white space, quotes and end marks."""
    return _plain(first) == _plain(second)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(re.sub(r"[`\"“”„«»]", "", text).split()).rstrip(" .!")


def _tokens(text: str) -> list[str]:
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    text = re.sub(r"(?<=n)'t\b", "t", re.sub(r"\bcan't\b", "cannot", text, flags=re.IGNORECASE))
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"'s\b|(?<=s)'(?!\w)", "", text)
    return [token.strip("`") for token in _TOKEN.findall(text)]


def _versions(tokens: list[str]) -> set[str]:
    """Dotted numbers and `v2`, without the `v` and trailing zeros' sake: as written."""
    found = {match[0] for token in tokens for match in _VERSION.finditer(token)}
    return {version.casefold().lstrip("v") for version in found}


def _numbers(tokens: list[str]) -> list[tuple[str, str]]:
    """Every number with its unit, or "" where there is none that we know; sorted."""
    numbers: list[tuple[str, str]] = []
    for token, after in zip(tokens, [*tokens, ""][1:], strict=True):
        lower = token.casefold()
        unit = _UNITS.get(after.casefold(), "")
        if lower in _NUMBER_WORDS:
            numbers.append((_NUMBER_WORDS[lower], unit))
        elif match := _NUMBER.fullmatch(lower):
            numbers.append((match[1], _UNITS.get(match[2], match[2]) or unit))
        else:
            numbers.extend((digits, "") for digits in re.findall(r"\d+", lower))
    return sorted(numbers)


def _same_numbers(one: list[tuple[str, str]], two: list[tuple[str, str]]) -> bool:
    # "one" and "once" are rarely numbers, so they count only against a number of the other side.
    values = [[number for number in side if number[0] != "1"] for side in (one, two)]
    if [value for value, _ in values[0]] != [value for value, _ in values[1]]:
        return False
    return all(a == b or not a or not b for (_, a), (_, b) in zip(*values, strict=True))


def _turned_around(one: list[str], two: list[str]) -> bool:
    negated = _scopes(one, _NEGATIONS), _scopes(two, _NEGATIONS)
    if len(negated[0]) != len(negated[1]):
        return True
    for cues in (_NEGATIONS, frozenset({"before", "after", "over", "than", "if", "until"})):
        below = [frozenset().union(*_scopes(side, cues)) for side in (one, two)]
        # The same cue over other words: "npm, not pnpm" and "pnpm, not npm".
        if below[0] and below[1] and not below[0] & below[1]:
            return True
    words = [{token.casefold() for token in side} for side in (one, two)]
    return any(
        words[at] & this
        and not words[at] & that
        and words[1 - at] & that
        and not words[1 - at] & this
        for this, that in _OPPOSITES
        for at in (0, 1)
    )


def _scopes(tokens: list[str], cues: frozenset[str]) -> list[frozenset[str]]:
    """The roots of the content words after each cue, up to the end of its clause."""
    scopes: list[frozenset[str]] = []
    for at, token in enumerate(tokens):
        if token.casefold() in cues:
            below: list[str] = []
            for word in tokens[at + 1 : at + 1 + 2 * _SCOPE]:
                if word in _ENDS or len(below) == _SCOPE:
                    break
                if word.casefold() not in _FILLER | _NEGATIONS:
                    below.append(_root(word))
            scopes.append(frozenset(below))
    return scopes


def _named_otherwise(one: list[str], two: list[str]) -> bool:
    words = [{token.casefold() for token in side} for side in (one, two)]
    for side, other in ((one, 1), (two, 0)):
        if any(name not in words[other] for name in _names(side)):
            return True
    roots = [_roots(side) for side in (one, two)]
    left, right = roots[0] - roots[1], roots[1] - roots[0]
    # Alike but for one or two words: those words are what it is about, or a condition.
    return len(left) + len(right) > 0 and max(len(left), len(right)) <= _FEW


def _names(tokens: list[str]) -> set[str]:
    """Code, paths, flags, acronyms, and words with a capital inside a sentence; case folded."""
    names: set[str] = set()
    begins = True
    for token in tokens:
        capital = token[0].isupper() and not begins
        if _says_something(token) and (
            capital or _CODE_LIKE.search(token) or _ACRONYM.fullmatch(token)
        ):
            names.add(token.casefold())
        begins = token in _SENTENCE_ENDS
    return names - {"i"}


def _roots(tokens: list[str]) -> set[str]:
    return {
        _root(token)
        for token in tokens
        if _says_something(token) and token.casefold() not in _FILLER | _NEGATIONS
    }


def _says_something(token: str) -> bool:
    """Whether it is neither punctuation nor a number, unit or version: those are compared apart."""
    lower = token.casefold()
    number = _NUMBER.fullmatch(lower)
    return not (
        token in _ENDS
        or lower in _NUMBER_WORDS
        or (lower in _UNITS and not _ACRONYM.fullmatch(token))
        or _VERSION.fullmatch(lower)
        or (number and (not number[2] or number[2] in _UNITS))
    )


def _root(word: str) -> str:
    """A word without its ending, or the group of words that may stand for it."""
    stem = _stem(word.casefold())
    return _GROUP_OF.get(stem, stem)


def _stem(word: str) -> str:
    """A crude stem; two words need only agree with themselves, not with a dictionary."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word.removesuffix(ending) + instead
            return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem
    return word


_ENDINGS = (
    ("ied", "y"),
    ("ies", "y"),
    ("ingly", ""),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
    ("ly", ""),
    ("e", ""),
)
_GROUP_OF = {_stem(word): group.split()[0] for group in _GROUPS for word in group.split()}
