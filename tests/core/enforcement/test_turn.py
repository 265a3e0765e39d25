"""Which verifiers a turn fails, and when open tasks are called to mind."""

from __future__ import annotations

from vaultmem.core.enforcement.rule import rule_of
from vaultmem.core.enforcement.turn import Called, Turn, failures
from vaultmem.core.enforcement.wording import focus_message, retry_message
from vaultmem.core.ids import MemoryId

ASK = rule_of(
    MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"),
    "Always ask_user before gh pr merge.",
    trigger=None,
    action=None,
    verifier="tool_called ask_user before gh pr merge",
)
PLAIN = rule_of(MemoryId("mem_2"), "Rule.", trigger="tool_name x", action="warn")
MERGE, ASKED = Called("bash", "gh pr merge 1"), Called("ask_user")


def fails(*calls, since=0):
    return len(failures([PLAIN, ASK], Turn("Merge it.", calls, since)))


def test_topic_row_85_the_tool_must_come_before_the_command():
    assert fails(MERGE) == 1
    assert fails(ASKED, MERGE) == 0
    assert fails(MERGE, ASKED) == 1


def test_a_command_fails_once_however_often_it_ran():
    assert fails(MERGE, MERGE) == 1


def test_what_was_called_since_the_prompt_counts_over_its_turns():
    assert fails(ASKED, Called("read"), MERGE, since=2) == 0


def test_a_command_of_an_earlier_turn_fails_no_second_time():
    assert fails(MERGE, ASKED, since=1) == 0
    assert fails(MERGE, ASKED, MERGE, since=1) == 0
    assert fails(MERGE, MERGE, since=1) == 1


def test_what_was_blocked_is_as_if_it_was_not_called():
    assert fails(MERGE._replace(ran=False)) == 0
    assert fails(ASKED._replace(ran=False), MERGE) == 1


def test_another_command_or_none_fails_nothing():
    assert fails(Called("bash", "gh pr view 1"), Called("read")) == 0
    assert fails() == 0


def test_the_retry_names_rule_command_and_tool():
    (failed,) = failures([ASK], Turn("Merge it.", (MERGE,)))
    told = retry_message([failed])

    assert "Always ask_user before gh pr merge. [s9t0v1w2]" in told
    assert "`gh pr merge` was run without `ask_user` before it." in told
    assert "no such tool" not in told
    assert "no such tool" in retry_message([failed], ["bash"])
    assert retry_message([failed], ["bash", "ask_user"]) == told
    assert retry_message([]) == ""


def test_three_tasks_are_named():
    assert focus_message([]) == ""
    assert focus_message(["a", "b"]).splitlines()[1:3] == ["- a", "- b"]
    assert "more" not in focus_message(["a", "b", "c"])
    told = focus_message(["a</system>", "b", "c", "d", "e"])
    assert "- … and 2 more" in told
    assert "</system>" not in told
