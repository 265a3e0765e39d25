"""`/memory …`: the command line as the person, in the agent's window."""

from __future__ import annotations

import json

import pytest

from tests.hooks.serving import SESSION
from tests.world import SAYS
from vaultmem.core.ids import short_id
from vaultmem.hooks import slash
from vaultmem.hooks.payloads import Place as At
from vaultmem.hooks.telling import NOT_HERE, in_window
from vaultmem.services.notebook.enable import enable
from vaultmem.services.switch import READ, WRITE, Place, switch, switched_off
from vaultmem.store.discovery import Rule
from vaultmem.store.user_config_edit import edit_user_config


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


def test_a_plain_search_starts_no_process_and_answers_by_words_at_once(serving, known, monkeypatch):
    monkeypatch.setattr(slash.subprocess, "run", None)

    told = command(serving, "search stage files by name")

    assert (told["level"], told["text"].splitlines()[0]) == (
        "info",
        f"- {SAYS} [{short_id(known)}]",
    )
    assert "words:" in told["text"]
    assert "Note: No embedding model is set up" in told["text"]
    assert "Nothing was found." in command(serving, "search zebra")["text"]


def test_a_search_with_options_is_the_command_itself(typing, known):
    told = command(typing, "search files --mode keyword --json")

    assert json.loads(told["text"])["hits"][0]["id"] == known


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


@pytest.mark.parametrize(
    ("off", "text", "on"),
    [
        ("off write", "add Always use uv", "on write"),
        ("off write", "reinforce s9t0v1w2", "on write"),
        ("off read", "search uv", "on read"),
        ("off read", "report", "on read"),
        ("off", "session search uv", "on read"),
    ],
)
def test_what_is_off_in_this_session_is_off_for_what_is_typed_in_it(typing, off, text, on):
    command(typing, off)

    told = command(typing, text)

    assert told["level"] == "error"
    assert "switched off in this session" in told["text"]
    assert f"`/memory {on}`" in told["text"]
    assert typing.world.here.call().vault.baseline.standings() == []
    command(typing, on)
    assert "switched off" not in command(typing, text)["text"]


def test_without_a_word_it_tells_the_status(typing):
    assert str(typing.world.vault) in command(typing, "")["text"]


@pytest.mark.parametrize("word", NOT_HERE)
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
    monkeypatch.setattr("sys.executable", str(typing.world.folder / "none"))

    assert "could not be started" in command(typing, "status")["text"]


# words: what the person reads here, they can type here


@pytest.mark.parametrize(
    ("text", "here"),
    [
        ("Run `vaultmem patch revert p`.", "Run `/memory patch revert p`."),
        ("`vaultmem why a`, `vaultmem show a`", "`/memory why a`, `/memory show a`"),
        ("Try 'vaultmem show --help' for help.", "Try '/memory show --help' for help."),
        ("Usage: vaultmem show [OPTIONS] ID", "Usage: /memory show [OPTIONS] ID"),
        ("Try 'vaultmem --help' for help.", "Try '/memory help' for help."),
        ("`vaultmem on --read --session 01a2`", "`/memory on read`"),
        ("`vaultmem on --session 01a2`", "`/memory on`"),
        ("`vaultmem on --read --project .`", "`/memory on --read --project .`"),
        # what is for a terminal, or means more there, is named as there
        ("`vaultmem init PATH`", "`vaultmem init PATH`"),
        ("`vaultmem pi install`", "`vaultmem pi install`"),
        ("`vaultmem pi status`", "`/memory pi status`"),
        ("`vaultmem on`", "`vaultmem on`"),
        ("`vaultmem on --write`", "`vaultmem on --write`"),
        ("vaultmem: it is about vaultmem search", "vaultmem: it is about vaultmem search"),
    ],
)
def test_a_command_is_named_as_it_is_typed_here(text, here):
    assert in_window(text) == here


def test_a_mistyped_word_names_the_nearest(typing):
    told = command(typing, "serach docker")

    assert told["level"] == "error"
    assert "No such command 'serach'. Did you mean `/memory search`?" in told["text"]
    assert "'/memory help'" in told["text"]
    assert "vaultmem " not in told["text"]


def test_an_error_names_what_is_typed_here(typing):
    assert "`/memory search`" in command(typing, "show nothing-like-it")["text"]


def test_the_vault_is_told_by_the_rule_that_found_it(typing):
    app = typing.here.app
    app.found = app.found._replace(why=Rule.CONFIG)

    assert "/vault (by user config)\n" in command(typing, "status")["text"]


def test_a_word_that_off_does_not_know_is_named(typing):
    told = command(typing, "off wrte")

    assert told == {
        "text": "`/memory off` takes `write`, `read`, or no word for both; not 'wrte'.",
        "level": "error",
    }
    assert not switched_off(typing.world.here.call(), WRITE, session=SESSION)


def test_on_here_does_not_speak_of_everywhere(typing):
    command(typing, "off")
    assert "`/memory on`" in command(typing, "status")["text"]

    told = command(typing, "on")["text"]

    assert told == "Remembering and recalling are on in the session, and off nowhere else."


def test_on_here_tells_what_ends_the_silence_everywhere(typing):
    switch(typing.world.here.call(), [READ], Place(), off=True)

    told = command(typing, "on")["text"]

    assert told == (
        "Recalling is off everywhere.\n"
        "Switch on what is off everywhere with `vaultmem on` in a terminal."
    )


@pytest.mark.parametrize("text", ["edit {known}", "ratify --review --json"])
def test_what_wants_a_terminal_says_so_at_once(typing, known, monkeypatch, text):
    typing.world.write("Memory/Lessons/Rule.md", RULE)
    monkeypatch.setenv("VISUAL", "sleep 60")

    told = command(typing, text.format(known=known))

    assert told["level"] == "error"
    assert "in a terminal" in told["text"]


RULE = "---\ntype: memory\ntrigger: bash_contains npm\naction: block\n---\nNever use npm.\n"


def test_the_vault_that_pi_uses_is_not_taken_from_it_in_its_own_window(serving):
    assert command(serving, "pi uninstall") == {
        "text": "Run `vaultmem pi uninstall` in a terminal.",
        "level": "warning",
    }


# the notebook


@pytest.fixture
def noting(typing):
    """The notebook is on here, and a model is named that nobody agreed to."""
    project = typing.here.project(At(session=SESSION, cwd=str(typing.world.vault)))
    enable(typing.world.here.call(), typing.shared.home, project)
    keys = {"llm": "http://127.0.0.1:9/v1", "llm_model": "small"}
    edit_user_config(typing.shared.home, lambda config: config.update(keys))
    return typing


def test_the_notebook_runs_later_where_the_person_agreed(noting):
    told = command(noting, "notebook run")
    assert told["level"] == "warning"
    assert told["text"].startswith("Nobody agreed yet to send sessions to http://127.0.0.1:9/v1")
    assert "`/memory notebook run --yes`" in told["text"]
    assert not noting.shared.notebook_wanted.is_set()

    assert command(noting, "notebook run --yes")["text"].startswith("It runs when the agent rests.")
    assert noting.shared.notebook_wanted.is_set()
    noting.shared.notebook_wanted.clear()
    assert command(noting, "notebook run")["level"] == "info"
    assert noting.shared.notebook_wanted.is_set()


def test_the_notebook_does_not_run_where_remembering_is_off(noting):
    command(noting, "notebook run --yes")
    noting.shared.notebook_wanted.clear()
    switch(noting.world.here.call(), [WRITE], Place(), off=True)
    told = command(noting, "notebook run")
    assert told["level"] == "warning"
    assert told["text"].startswith("Remembering is switched off.")
    assert not noting.shared.notebook_wanted.is_set()


def test_the_notebook_does_not_run_where_it_is_off(typing):
    told = command(typing, "notebook run")

    assert (told["level"], told["text"][:23]) == ("error", "The notebook is off for")


def test_the_status_of_the_notebook_is_the_command_s(noting):
    told = command(noting, "notebook status")

    assert (told["level"], "project" in told["text"].casefold()) == ("info", True)
