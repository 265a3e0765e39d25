"""`/memory …`: the command line as the person, in the agent's window."""

from __future__ import annotations

import pytest

from tests.hooks.serving import SESSION
from tests.world import SAYS
from vaultmem.hooks import slash
from vaultmem.services.switch import READ, WRITE, Place, switched_off


def command(serving, text):
    return serving.ask("command", text=text)


@pytest.fixture
def typing(serving, monkeypatch):
    """The commands' own processes use the same folders."""
    monkeypatch.setenv("VAULTMEM_HOME", str(serving.world.here.home))
    monkeypatch.setenv("AI_AGENT", "pi")
    monkeypatch.setenv("PI_CODING_AGENT", "true")
    return serving


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("search how files are added", ["search", "--", "how files are added"]),
        ("search files --limit 3", ["search", "--limit", "3", "--", "files"]),
        ("report", ["report"]),
        ("report fix the build", ["report", "--prompt", "fix the build"]),
        ("pin s8t9v0w1", ["pin", "s8t9v0w1"]),
        (
            "add -n is wrong --category mistake",
            ["add", "--category", "mistake", "--", "-n is wrong"],
        ),
        ("off", ["off", "--session", SESSION]),
        ("off write", ["off", "--write", "--session", SESSION]),
        ("on read --project .", ["on", "--read", "--project", "."]),
        ("show 'a b'", ["show", "a b"]),
    ],
)
def test_words_become_the_arguments_of_the_command_line(text, arguments):
    import shlex

    assert slash._arguments(shlex.split(text), SESSION) == arguments


def test_a_sentence_without_a_category_gets_the_one_that_capture_would_choose():
    name, *rest = slash._arguments(["add", "I", "prefer", "uv", "over", "pip"], SESSION)

    assert (name, rest) == ("add", ["--category", "preference", "--", "I prefer uv over pip"])


def test_the_person_acts_although_an_agent_is_around(typing):
    told = command(typing, "add Rebuild indexes concurrently --category lesson")

    assert (told["level"], told["text"].split(":")[0]) == ("info", "Remembered")
    assert [one.statement for one in typing.world.here.call().vault.baseline.standings()] == [
        "Rebuild indexes concurrently"
    ]


def test_what_is_wrong_is_told_as_an_error(typing):
    told = command(typing, "show nothing-like-it")

    assert told["level"] == "error"
    assert "No memory is called" in told["text"]


def test_what_asks_says_which_option_answers(typing, known):
    told = command(typing, f"forget {known} --purge")

    assert told["level"] == "error"
    assert "--yes" in told["text"]
    assert SAYS in [one.statement for one in typing.world.here.call().vault.baseline.standings()]


def test_it_is_off_in_this_session_only(typing):
    assert command(typing, "off write")["level"] == "info"

    call = typing.world.here.call()
    assert switched_off(call, WRITE, session=SESSION)
    assert not switched_off(call, READ, session=SESSION)
    assert not switched_off(call, WRITE, session="another")
    assert Place(session=SESSION)


def test_without_a_word_it_tells_the_status(typing):
    assert str(typing.world.vault) in command(typing, "")["text"]


@pytest.mark.parametrize("word", slash.NOT_HERE)
def test_what_makes_no_sense_here_names_the_terminal(serving, word):
    assert command(serving, f"{word} x") == {
        "text": f"Run `vaultmem {word}` in a terminal.",
        "level": "warning",
    }


def test_words_are_listed(serving):
    text = command(serving, "help")["text"]

    assert "inbox" in text
    assert text.endswith("Any other word of the command line works as well.")


def test_a_lost_quotation_mark_is_named(serving):
    assert command(serving, "add 'x")["text"] == "A quotation mark is missing."


def test_a_command_that_takes_too_long_is_ended(typing, monkeypatch):
    monkeypatch.setattr(slash, "SECONDS", 0.001)

    told = command(typing, "status")

    assert "took longer than" in told["text"]


def test_a_command_that_cannot_start_says_so(typing, monkeypatch):
    monkeypatch.setattr(slash.sys, "executable", str(typing.world.folder / "none"))

    assert "could not be started" in command(typing, "status")["text"]
