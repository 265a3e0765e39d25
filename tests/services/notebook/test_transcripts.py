"""What of a session file reaches a model: no secret, nothing purged, nothing twice."""

from __future__ import annotations

import re

import pytest

from tests.core.fakes import fake
from tests.services.notebook.extracting import Extracting, ScriptedModel
from tests.world import NOTE, SAYS
from vaultmem.core.notebook.transcript import Speaker
from vaultmem.errors import ModelStoppedError
from vaultmem.services.notebook.asking import question
from vaultmem.services.notebook.transcripts import (
    MAX_END,
    PLACEHOLDER,
    read_transcript,
    without_secrets,
)
from vaultmem.services.purge import purge
from vaultmem.services.sessions.silence import Silence

TOKEN = "sk-" + "abcdefghijklmnopqrstuvwxyz123456"


@pytest.fixture
def world_of(sessions):
    """A vault with sessions and nothing extracted."""
    made = Extracting(sessions)
    yield made
    made.close()


def transcript(world_of, talk):
    """The transcript of a session."""
    world_of.sessions.sync()
    rows = {row.id: row for row in world_of.sessions.index.catalog.rows()}
    return read_transcript(rows[talk.id], Silence(world_of.world.here.call()))


def test_notebook_row_7_a_secret_in_a_tool_output_is_replaced(world_of):
    talk = world_of.talk("Log in.")
    talk.done("c1", "bash", f'{{"token":"{TOKEN}"}}')
    prompt = world_of.prompt()
    assert TOKEN not in prompt
    assert f'{{"token":"{PLACEHOLDER}"}}' in prompt


def test_secrets_are_taken_out_of_every_part(world_of):
    other = "gh" + "p_" + fake(36)
    talk = world_of.talk(f"My key is {TOKEN}, use it.", cwd=f"/projects/shop/{other}")
    talk.answered(f"I use {TOKEN}.", tools=(("c1", "bash", {"command": f"login {other}"}),))
    talk.compacted(f"The key was {TOKEN}.")
    talk.message("bashExecution", None, command=f"x {TOKEN}", output=f"y {other}")
    prompt = world_of.prompt(projects=[other])
    assert TOKEN not in prompt
    assert other not in prompt
    assert prompt.count(PLACEHOLDER) >= 6


def test_a_secret_that_is_split_by_what_nobody_sees_is_found(world_of):
    world_of.talk(f"My key is {TOKEN[:12]}\u200b{TOKEN[12:]}.")
    assert TOKEN[12:] not in world_of.prompt()


def test_redacting_again_changes_nothing():
    once = without_secrets(f"token={TOKEN} and postgres://u:{fake(20)}@host/db")
    assert PLACEHOLDER in once
    assert without_secrets(once) == once


@pytest.mark.parametrize("shift", range(-40, 41, 8))
def test_no_part_of_a_secret_is_left_where_a_long_text_is_cut(shift):
    for border in (MAX_END, MAX_END + 20_000):
        head, tail = "a " * ((border + shift) // 2), " b" * ((border + shift) // 2)
        kept = without_secrets(f"{head}{TOKEN}{' x' * 60_000} {TOKEN}{tail}")
        assert TOKEN[8:] not in kept
        assert TOKEN[:16] not in kept
        assert kept.startswith("a a")
        assert kept.endswith("b b")
        assert "left out here" in kept
        assert len(kept) < 2 * MAX_END + 200


def test_a_private_key_at_a_cut_leaves_nothing():
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join([fake(64)] * 20)
    key += "\n-----END RSA PRIVATE KEY-----"
    for length in range(MAX_END - 900, MAX_END + 20_100, 700):
        kept = without_secrets("x " * 60_000 + key + " y" * (length // 2))
        assert fake(64) not in kept
        kept = without_secrets("x " * (length // 2) + key + " y" * 60_000)
        assert fake(64) not in kept


def test_of_a_very_long_session_the_middle_is_never_looked_at(world_of):
    talk = world_of.talk("Begin here.")
    for number in range(40):
        talk.done(f"c{number}", "bash", f"{number} " * 15_000)
    talk.answered("Looking.", tools=(("c50", "web_fetch", {"url": "x"}),))
    for number in range(60, 100):
        talk.done(f"c{number}", "bash", f"{number} " * 10_000)
    talk.said(f"My key is {TOKEN}.")
    world_of.sessions.sync()
    (row,) = world_of.sessions.index.catalog.rows()
    silence = Silence(world_of.world.here.call())
    whole = read_transcript(row, silence)
    short = read_transcript(row, silence, most=20_000)
    assert (whole.left_out > 0, short.left_out > whole.left_out) == (True, True)
    assert sum(len(turn.text) for turn in short.turns) < 20_000 * 4 * 2 + 2 * MAX_END
    assert short.messages == ("Begin here.", f"My key is {PLACEHOLDER}.")
    assert short.tools == {"web_fetch"}, "in what was left out, too"
    (note,) = (turn.text for turn in short.turns if "left out" in turn.text)
    assert f"about {short.left_out // 4 + 1} tokens" in note
    told = question(row, short, 20_000).prompt
    assert PLACEHOLDER in told
    assert int(re.search(r"about (\d+) tokens", told)[1]) > short.left_out // 4


def test_the_reading_of_a_session_and_of_its_parent_can_be_stopped(world_of):
    first = world_of.talk("Fix the importer.")
    world_of.sessions.sync()
    (row,) = world_of.sessions.index.catalog.rows()
    silence = Silence(world_of.world.here.call())
    for parent in (None, str(first.path)):
        with pytest.raises(ModelStoppedError):
            read_transcript(row, silence, parent=parent, stop=lambda: True)
    asked = []
    with pytest.raises(ModelStoppedError):
        read_transcript(row, silence, stop=lambda: asked.append(1) or len(asked) > 2)
    assert len(asked) == 3, "while secrets are looked for, too"


def test_what_was_purged_is_not_sent(world_of):
    identifier = world_of.world.memory(NOTE, SAYS, category="lesson")
    world_of.world.here.sync()
    talk = world_of.talk(f"No, {SAYS}", "Fix the importer.")
    talk.answered(f"I will.\n{SAYS}\nSo it is.", tools=(("c1", "write", {"text": f"a\n{SAYS}"}),))
    talk.answered("I look.", tools=(("c2", "bash", {"command": f"vaultmem search\n{SAYS}"}),))
    talk.done("c2", "bash", "What vaultmem found.")
    assert SAYS in world_of.prompt()
    purge(world_of.world.here.call(), identifier)
    prompt = world_of.prompt()
    assert SAYS not in prompt
    assert "Fix the importer." in prompt
    assert "What vaultmem found." not in prompt, "nor what answers a call that says it"


def test_of_a_fork_only_what_is_new_is_sent(world_of):
    first = world_of.talk("Fix the importer.")
    fork = world_of.talk("", parentSession=str(first.path))
    lines = first.path.read_text().splitlines(keepends=True)[1:]
    header = fork.path.read_text().splitlines(keepends=True)[0]
    fork.path.write_text(header + "".join(lines))
    fork.count = 50
    fork.said("Now the exporter.")
    prompts = {one.session: one.ask.prompt for one in world_of.run(ScriptedModel(), dry=True).asks}
    assert "Fix the importer." in prompts[first.id]
    assert "Now the exporter." in prompts[fork.id]
    assert "Fix the importer." not in prompts[fork.id]


def test_a_fork_of_a_file_that_is_no_known_session_is_sent_whole(world_of):
    first = world_of.talk("Fix the importer.")
    outside = world_of.world.folder / "elsewhere.jsonl"
    outside.write_bytes(first.path.read_bytes())
    first.path.unlink()
    fork = world_of.talk("Fix the importer.", parentSession=str(outside))
    assert "Fix the importer." in world_of.prompt()
    assert world_of.sent() == [fork.id]


def test_the_users_messages_are_without_what_was_loaded(world_of):
    talk = world_of.talk()
    loaded = "# AGENTS.md instructions for /x\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
    talk.message("user", [{"type": "text", "text": loaded}, {"type": "text", "text": "Go on."}])
    talk.done("c1", "read", "Use tabs.")
    found = transcript(world_of, talk)
    assert found.messages == ("Go on.",)
    assert found.results == ("Use tabs.",)
    assert [turn.speaker for turn in found.turns] == [Speaker.USER, Speaker.RESULT]


def test_broken_and_too_long_lines_are_passed_over(world_of):
    talk = world_of.talk("Fix the importer.")
    talk.raw("broken {\n").raw(b"\xff\xfe\n").raw(
        '{"type": "message", "x": "' + "y" * (17 << 20) + '"}\n'
    )
    talk.said("Go on.")
    assert transcript(world_of, talk).messages == ("Fix the importer.", "Go on.")


def test_a_parent_that_is_gone_meanwhile_hides_nothing(world_of):
    world_of.talk("Fix the importer.")
    world_of.sessions.sync()
    (row,) = world_of.sessions.index.catalog.rows()
    silence = Silence(world_of.world.here.call())
    found = read_transcript(row, silence, parent="/nowhere/x.jsonl")
    assert found.messages == ("Fix the importer.",)
