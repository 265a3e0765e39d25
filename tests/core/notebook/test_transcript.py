"""What of a session is sent, and how it is cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.budget import tokens
from vaultmem.core.notebook.legible import legible
from vaultmem.core.notebook.session_turns import USERS_COMMAND, turns_of
from vaultmem.core.notebook.transcript import (
    MOST_TOKENS,
    OWN_TOOL,
    Speaker,
    Turn,
    both_ends,
    cleaned,
    cut_middle,
    most_tokens,
    rendered,
)
from vaultmem.core.session_entry import MAX_NAME

AGENTS = "# AGENTS.md instructions for /projects/shop\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
SKILL = "<skill>\n<name>release</name>\nTag it.\n</skill>"
ENVIRONMENT = "<environment_context>\n  <cwd>/projects/shop</cwd>\n</environment_context>"
NOTICE = '<subagent_notification>{"status":"completed"}</subagent_notification>'


def user(*parts: str) -> Turn:
    """A message of the user."""
    return Turn(entry="1", speaker=Speaker.USER, parts=parts)


def left_of(*turns: Turn) -> list[tuple[str, ...]]:
    """The parts that are left of turns."""
    return [turn.parts for turn in cleaned(turns)]


@pytest.mark.parametrize(
    "fragment",
    [
        AGENTS,
        f"  \n{AGENTS}\n ",
        AGENTS.replace("# AGENTS.md instructions for", "# agents.MD Instructions For"),
        SKILL,
        f"\n{SKILL.upper()}",
        '<skill name="release" location="/x">\nTag it.\n</skill>',
        AGENTS.replace("Use tabs.", "</INSTRUCTIONS>\nAlways use tabs."),
        SKILL + AGENTS,
    ],
)
def test_notebook_row_4_what_the_program_loaded_is_left_out(fragment):
    assert left_of(user(fragment), user("Hello.")) == [("Hello.",)]
    assert left_of(user(fragment, "Hello.")) == [("Hello.",)]


def test_what_the_user_writes_behind_a_loaded_text_stays():
    assert left_of(user(f"{SKILL}\n\nRelease it now.")) == [("Release it now.",)]


@pytest.mark.parametrize(
    "text",
    [
        "See # AGENTS.md instructions for details </INSTRUCTIONS>",
        "# AGENTS.md instructions for me: write less.",
        "<skills>\nmany\n</skills>",
        "<skill> is what I want.",
    ],
)
def test_what_only_looks_alike_stays(text):
    assert left_of(user(text)) == [(text,)]


def test_notebook_row_5_surroundings_and_notices_of_sub_agents_stay():
    assert left_of(user(ENVIRONMENT), user(NOTICE)) == [(ENVIRONMENT,), (NOTICE,)]


def test_notebook_row_6_of_instructions_and_surroundings_only_the_latter_are_left():
    assert left_of(user(AGENTS, ENVIRONMENT)) == [(ENVIRONMENT,)]
    assert left_of(user(f"{AGENTS}\n{ENVIRONMENT}")) == [(ENVIRONMENT,)]


def test_messages_of_the_program_and_empty_ones_are_left_out():
    developer = Turn(entry="1", speaker=Speaker.DEVELOPER, parts=("Be brief.",))
    silent = Turn(entry="2", speaker=Speaker.AGENT, parts=(" ",))
    call = Turn(entry="2", speaker=Speaker.CALL, parts=(), name="look")
    assert left_of(developer, silent, call) == [()]


def test_instructions_that_a_tool_reads_are_no_message_of_the_program():
    result = Turn(entry="1", speaker=Speaker.RESULT, parts=(AGENTS,), name="read")
    assert left_of(result) == [(AGENTS,)]


def call_and_result(name: str, argument: str, call: str = "c1") -> tuple[Turn, Turn]:
    """A call of a tool and what came of it."""
    return (
        Turn(entry="1", speaker=Speaker.CALL, parts=(argument,), name=name, call=call),
        Turn(entry="2", speaker=Speaker.RESULT, parts=("the result",), name=name, call=call),
    )


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("memory_search", "query: tabs"),
        ("notebook_read", "path: MEMORY.md"),
        ("session_read", "id: x"),
        ("scratchpad", ""),
        ("mcp__vaultmem__memory_add", "text: x"),
        ("bash", "command: vaultmem report"),
        ("bash", "command: cd /x && /opt/bin/vaultmem search tabs"),
        ("bash", "command: python -m vaultmem show x"),
    ],
)
def test_what_vaultmem_was_asked_and_answered_is_left_out(name, argument):
    assert left_of(*call_and_result(name, argument)) == []


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("bash", "command: cd ~/vaultmem && ls"),
        ("bash", "command: grep vaultmem"),
        ("session_start", "x"),
        ("memorize", "x"),
    ],
)
def test_other_tools_stay(name, argument):
    assert left_of(*call_and_result(name, argument)) == [(argument,), ("the result",)]


def test_a_result_without_an_id_is_ours_only_by_its_name():
    command, _ = call_and_result("bash", "command: vaultmem report", call="")
    _, result = call_and_result("bash", "x", call="")
    assert left_of(command, result) == [("the result",)]


def test_every_tool_of_the_extension_is_known_as_ours():
    tools = json.loads(Path("templates/pi/tools.json").read_text(encoding="utf-8"))["tools"]
    assert all(OWN_TOOL.fullmatch(tool["name"]) for tool in tools)


def test_turns_are_told_with_their_speaker():
    turns = (user("a", "b"), *call_and_result("bash", "command: ls"))
    assert rendered(turns) == (
        "[user]\na\nb\n\n[tool call bash]\ncommand: ls\n\n[tool result bash]\nthe result"
    )


# Cutting


def test_notebook_row_8_a_long_transcript_keeps_its_start_and_its_end():
    text = "start " + "x" * 1_400_000 + " end"
    limit = most_tokens(123_000)
    cut = cut_middle(text, limit)
    assert limit == 86_100
    assert tokens(cut) <= limit
    assert tokens(cut) > limit - 10
    assert cut.startswith("start x")
    assert cut.endswith("x end")
    assert "about 263903 tokens were left out" in cut


def test_notebook_row_9_without_a_window_the_limit_is_150_000_tokens():
    assert most_tokens(None) == MOST_TOKENS == 150_000


def test_what_fits_is_not_cut():
    assert cut_middle("x" * 400, 100) == "x" * 400
    assert cut_middle("x" * 401, 100) != "x" * 401
    assert cut_middle("x" * 401, 5) == "", "there is no room for the note"


def test_what_was_left_out_before_counts_in_the_note():
    assert "about 101 tokens" in cut_middle("x" * 800, 100)
    assert "about 1101 tokens" in cut_middle("x" * 800, 100, left_out=4_000)


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 30))
def test_both_ends_of_many_turns_are_kept_and_the_rest_is_counted(sizes, room):
    turns = [user("x" * size) for size in sizes]
    ends = both_ends(turns, room, lambda turn: len(turn.text))
    first, last = list(ends.first), list(ends.last)
    between = turns[len(first) : len(turns) - len(last)]
    assert first + between + last == turns
    assert sum(len(turn.text) for turn in between) == ends.left_out
    assert not last or sum(len(turn.text) for turn in first) >= room
    if between:
        assert sum(len(turn.text) for turn in last) >= room
        assert sum(len(turn.text) for turn in last[1:]) < room


def test_tools_that_were_called_in_the_middle_are_known():
    calls = [one for name in "abc" for one in call_and_result(name, "x" * 10)]
    ends = both_ends(calls, 5, lambda turn: len(turn.text))
    assert (ends.tools, len(ends.first), len(ends.last)) == ({"a", "b", "c"}, 1, 1)


def test_an_own_command_is_looked_for_in_one_go():
    """At every sign before a path, the search went on to the end of the text once."""
    assert list(cleaned((*call_and_result("write", "f(a/b;c(d)/e);" * 100_000),)))
    assert left_of(*call_and_result("bash", "x=1;./bin/vaultmem sync")) == []


@given(st.text(alphabet=st.sampled_from("aé漢😀\n한"), max_size=400), st.integers(-1, 120))
def test_a_cut_never_passes_its_limit_and_is_made_of_both_ends(text, most):
    cut = cut_middle(text, most)
    assert tokens(cut) <= max(most, 0)
    if cut not in (text, ""):
        head, _, rest = cut.partition("\n\n[… about ")
        tail = rest.partition("…]\n\n")[2]
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) < len(text)


def test_wide_characters_count_as_the_budget_counts_them():
    cut = cut_middle("漢" * 1_000, 100)
    assert tokens(cut) <= 100
    assert cut.count("漢") > 80


# Characters


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("\tkept\n", "\tkept\n"),
        ("a\x1b[1;31mred\x1b[0m\x1b]0;title\x07b", "aredb"),
        ("x\u200by\u202ez\U000e0049\ufeff\x00\xad", "xyz"),
        ("\ud83d", "?"),
        ("क्‍ष 👩‍👩‍👧", "क्‍ष 👩‍👩‍👧"),
    ],
)
def test_only_what_is_seen_is_kept(text, seen):
    assert legible(text) == seen


@given(st.text())
def test_legible_text_stays_as_it_is_and_can_be_written(text):
    assert legible(legible(text)) == legible(text)
    legible(text).encode()


# Lines of session files


def line(**fields) -> bytes:
    """An entry with a message, or another one."""
    return json.dumps({"id": "e1", **fields}).encode()


def message(role: str, content: object, **fields) -> bytes:
    """An entry with a message."""
    return line(type="message", message={"role": role, "content": content, **fields})


TEXT = [{"type": "text", "text": "one"}, {"type": "image", "data": "AAAA"}, "x", {"type": "text"}]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (message("user", "hello"), [("user", ("hello",), "")]),
        (message("user", TEXT), [("user", ("one", ""), "")]),
        (message("system", ""), [("developer", ("",), "")]),
        (message("developer", "x"), [("developer", ("x",), "")]),
        (
            message("toolResult", TEXT, toolName=" read ", toolCallId="c1"),
            [("tool result", ("one", ""), "read")],
        ),
        (line(type="compaction", summary="so far"), [("summary", ("so far",), "")]),
        (line(type="branch_summary", summary=7), [("summary", ("",), "")]),
        (
            message("bashExecution", None, command="ls", output="a b"),
            [("tool call", ("ls",), USERS_COMMAND), ("tool result", ("a b",), USERS_COMMAND)],
        ),
        (message("bashExecution", None, command="ls", excludeFromContext=True), []),
        (message("custom", "injected"), []),
        (message(["user"], "x"), []),
        (line(type="custom_message", customType="vaultmem", content="injected"), []),
        (line(type="message", message="x"), []),
        (b"[]", []),
        (b"broken {", []),
        (b"[" * 100_000, []),
    ],
)
def test_the_turns_of_a_line(data, found):
    assert [(turn.speaker, turn.parts, turn.name) for turn in turns_of(data)] == found


def test_calls_follow_the_answer_that_makes_them():
    content = [
        {"type": "thinking", "thinking": "secret plans"},
        {"type": "text", "text": "I look."},
        {
            "type": "toolCall",
            "id": "c1",
            "name": "read",
            "arguments": {"path": "/x", "n": [1, "é"]},
        },
        {"type": "toolCall", "id": "c2", "name": "n" * 300, "arguments": "broken"},
        "x",
    ]
    said, first, second = turns_of(message("assistant", content))
    assert (said.speaker, said.parts) == (Speaker.AGENT, ("I look.",))
    assert (first.parts, first.name, first.call) == (("path: /x", 'n: [1, "é"]'), "read", "c1")
    assert (second.parts, len(second.name)) == ((), MAX_NAME)
    assert turns_of(message("assistant", "text"))[0].text == "text"


@given(
    st.binary() | st.dictionaries(st.text(), st.text() | st.none()).map(json.dumps).map(str.encode)
)
def test_any_line_has_turns_or_none(data):
    turns_of(data)
