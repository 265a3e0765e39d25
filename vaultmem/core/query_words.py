"""The words that give a prompt's class away, with what must and must not stand beside them.

A word with a second, everyday meaning ("release the lock", "merge sort", "tag cloud") counts only
beside a word that settles it. Places are counted in words, articles left out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_VERSION = re.compile(r"v?\d+(?:\.\d+)+|v\d+")
_WORD = re.compile(rf"{_VERSION.pattern}|[^\W_]+")
_RAISED = re.compile(r"[a-z](?:Error|Exception)\b")
_APOSTROPHES = str.maketrans("", "", "'’")

_NONE: frozenset[str] = frozenset()

_REACH = 3
"""How many words before and after a word belong to its surroundings."""

_SOON = 2
"""How many words after a word can be its object: "release held locks"."""


class Signal(NamedTuple):
    """A word in all its forms; every condition that is not empty must hold.

    Attributes:
        forms: its inflections.
        beside: one of these stands among the `_REACH` words before or after it.
        then: one of these is the next word.
        not_then: none of these is among the next `_SOON` words.
        not_next: none of these is the next word.
        not_after: none of these is the word before.
    """

    forms: frozenset[str]
    beside: frozenset[str] = _NONE
    then: frozenset[str] = _NONE
    not_then: frozenset[str] = _NONE
    not_next: frozenset[str] = _NONE
    not_after: frozenset[str] = _NONE

    def holds(self, words: list[str], place: int) -> bool:
        """Whether the words around `place` let the word there count."""
        after = words[place + 1 : place + 1 + _REACH]
        before = words[max(place - _REACH, 0) : place]
        if self.beside and self.beside.isdisjoint(after) and self.beside.isdisjoint(before):
            return False
        if self.then and self.then.isdisjoint(after[:1]):
            return False
        return (
            self.not_then.isdisjoint(after[:_SOON])
            and self.not_next.isdisjoint(after[:1])
            and self.not_after.isdisjoint(before[-1:])
        )


def said(text: str) -> list[str]:
    """The words without articles and apostrophes; a version number is the word "version"."""
    found = _WORD.findall(text.casefold().translate(_APOSTROPHES))
    kept = [word for word in found if word not in _ARTICLES]
    return ["version" if _VERSION.fullmatch(word) else word for word in kept]


def gives_away(words: list[str], signals: tuple[Signal, ...]) -> bool:
    """Whether one of the words is one of the signals where it stands."""
    known = frozenset(words)
    return any(
        word in signal.forms and signal.holds(words, place)
        for signal in signals
        if not known.isdisjoint(signal.forms)
        for place, word in enumerate(words)
    )


def names_exception(text: str) -> bool:
    """Whether a class name out of a traceback occurs: KeyError, NullPointerException."""
    return _RAISED.search(text) is not None


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES = _set("a all an any its my our some that the these this those your")
_REMOTE = _set(
    "git github gitlab origin upstream remote remotes main master develop trunk branch branches "
    "commit commits committed committing rebase rebased rebasing"
)
_VERSIONED = _set("version versions release releases released releasing semver changelog")
_SHIPPED = _VERSIONED | _set("npm pypi crate crates registry package packages wheel")
_HELD = _set(
    "lock locks mutex mutexes semaphore semaphores memory resource resources handle handles buffer "
    "buffers connection connections pointer pointers gil button mouse key keys lease leases slots"
)
_WORKING = _set("work start build compile load run connect boot respond")

PR_REVIEW: tuple[Signal, ...] = (
    Signal(_set("pr prs")),
    Signal(_set("pull merge"), then=_set("request requests")),
    Signal(
        _set("review reviews reviewed reviewing reviewer reviewers"),
        beside=_set(
            "code mr mrs diff diffs patch patches changeset changes branch branches commit commits "
            "comment comments feedback"
        ),
    ),
)

GIT_RELEASE: tuple[Signal, ...] = (
    Signal(
        _set("commit commits committed committing"),
        not_next=_set("transaction transactions offset offsets"),
        not_after=_set("session conn connection cursor db transaction transactions offset"),
    ),
    Signal(_set("rebase rebases rebased rebasing")),
    Signal(_set("changelog changelogs semver")),
    Signal(_set("deploy deploys deployed deploying deployment deployments")),
    Signal(_set("redeploy redeploys redeployed redeploying redeployment")),
    Signal(_set("release releases released releasing prerelease"), not_then=_HELD),
    Signal(
        _set("push pushes pushed pushing"),
        beside=_REMOTE | _VERSIONED | _set("force tag tags it everything now"),
        not_then=_set("notification notifications button value item element"),
    ),
    Signal(
        _set("tag tags tagged tagging"),
        beside=_VERSIONED | _set("git github origin commit commits push pushing pushed"),
    ),
    Signal(
        _set("merge merges merged merging"),
        beside=_REMOTE | _set("conflict conflicts squash"),
        not_next=_set("sort"),
    ),
    Signal(_set("publish publishes published publishing"), beside=_SHIPPED),
    Signal(_set("bump bumps bumped bumping"), beside=_SHIPPED),
    Signal(_set("cherry"), then=_set("pick picks picked picking")),
    Signal(_set("squash squashes squashed squashing"), beside=_REMOTE | _set("merge")),
)

DEBUG: tuple[Signal, ...] = (
    Signal(
        _set("error errors errored erroring"),
        not_next=_set("free handling handler handlers boundary boundaries"),
        not_after=_set("no without zero"),
    ),
    Signal(_set("stacktrace stacktraces traceback tracebacks backtrace backtraces")),
    Signal(_set("stack"), then=_set("trace traces overflow overflows")),
    Signal(
        _set("fail fails failed failing failure failures"),
        not_next=_set("safe fast closed open over"),
    ),
    Signal(_set("exception exceptions"), not_next=_set("of to")),
    Signal(_set("bug bugs buggy debug debugs debugged debugging debugger")),
    Signal(_set("segfault segfaults segfaulted segfaulting")),
    Signal(_set("segmentation"), then=_set("fault faults")),
    Signal(_set("panic panics panicked panicking")),
    Signal(_set("crash crashes crashed crashing")),
    Signal(_set("hang hangs hung hanging"), not_next=_set("on out")),
    Signal(_set("deadlock deadlocks deadlocked")),
    Signal(_set("leak leaks leaked leaking flaky broken broke")),
    Signal(
        _set("regression regressions"),
        not_next=_set("test tests suite model models"),
        not_after=_set("linear logistic"),
    ),
    Signal(_set("times timed timing"), then=_set("out")),
    Signal(_set("doesnt didnt wont cant"), then=_WORKING),
    Signal(_set("not isnt stopped"), then=_set("working")),
)
