"""What a process remembers of a session is bounded, and told once."""

from __future__ import annotations

from vaultmem.hooks.known import MOST_CALLS, MOST_NOTICES, MOST_SAID, MOST_SESSIONS, Known, Sessions
from vaultmem.hooks.payloads import UsedTool


def used(name: str) -> UsedTool:
    return UsedTool(tool="bash", call=name, input={}, is_error=False, ran=True)


def test_what_the_person_said_is_kept_up_to_a_limit():
    known = Known()
    for number in range(MOST_SAID + 5):
        known.hear(f"{number} {'x' * 9_000}")

    assert len(known.said) == MOST_SAID
    assert known.said[0].startswith("5 ")
    assert len(known.said[0]) == 4_000


def test_a_prompt_begins_a_run():
    known = Known()
    assert known.call((used("a"),)) == 0
    assert known.call((used("b"), used("c"))) == 1
    known.retried = known.focused = True
    known.blocked.add("a")

    known.begin("next")

    assert (known.prompt, known.calls, known.blocked) == ("next", [], set())
    assert not known.retried
    assert not known.focused


def test_the_calls_of_an_endless_run_are_bounded():
    known = Known()

    since = [known.call((used(str(number)),)) for number in range(MOST_CALLS + 3)]

    assert len(known.calls) == MOST_CALLS
    assert since[-1] == MOST_CALLS - 1


def test_notices_and_changes_are_told_once_and_bounded():
    known = Known()
    known.notice(tuple(map(str, range(MOST_NOTICES + 1))))
    known.change(("a", "b", "a"))

    assert len(known.take_notices()) == MOST_NOTICES
    assert known.take_notices() == ()
    assert known.take_changes() == ("a", "b")
    assert known.take_changes() == ()


def test_the_sessions_of_a_process_are_bounded_the_oldest_forgotten():
    sessions = Sessions()
    assert sessions.newest().prompt == ""
    first = sessions.of("0")
    for number in range(1, MOST_SESSIONS):
        sessions.of(str(number))
    assert sessions.of("0") is first
    sessions.of("new")

    assert sessions.of("0") is first
    assert sessions.newest() is first
    sessions.of("1").prompt = "x"
    assert sessions.of("1").prompt == "x"
