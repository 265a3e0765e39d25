"""What each event of the agent does in a real vault, and what it answers."""

from __future__ import annotations

import time

import pytest

from tests.hooks.serving import SESSION, Serving
from tests.services.candidates import captured
from tests.world import NOTE, SAYS
from vaultmem.app import App
from vaultmem.config import Environment
from vaultmem.core.citation import TAG
from vaultmem.core.ids import short_id
from vaultmem.hooks.dispatch import NO_VAULT, NO_VAULT_FOR_TOOLS
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.ratify import ratify
from vaultmem.services.reviewing.guidelines import add_guideline
from vaultmem.services.session_use import session_use
from vaultmem.services.switch import READ, WRITE, Place, switch
from vaultmem.store.ended import read_ended
from vaultmem.store.project import project_identity

SAID = "Always run the linter before pushing to main."


def inbox(serving):
    return [one.candidate.memory.statement for one in waiting(serving.world.here.call())]


def prompt(serving, text="which files do I add by name?", **payload):
    return serving.ask("before_agent_start", prompt=text, **payload)


# session_start


def test_a_start_tells_that_the_user_config_cannot_be_read_and_the_agent_goes_on(serving):
    file = serving.world.here.app().home.config_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("vault: ~/Notes\ntrusted: [unclosed\n")
    (told,) = serving.ask("session_start", reason="startup", mode="tui")["notices"]
    assert "The user config is not valid YAML" in told
    assert f"of {file}" in told
    assert "It is line " in told
    assert "sections" in prompt(serving)


def test_a_start_looks_at_the_vault_and_counts_what_waits(serving):
    captured(serving.world.here.call(), "Use tabs.")
    serving.world.write("Memory/Lessons/New.md", "New one.\n")
    serving.world.here.pass_time(hours=1)

    told = serving.ask("session_start", reason="startup", mode="tui")

    assert told["notices"] == ["1 candidate waits in the inbox: `/memory inbox`.\n- Use tabs."]
    assert "panel" not in told
    assert told["program"]
    assert "New one." in prompt(serving)["sections"]["project_memory"]


def test_the_inbox_opens_where_enough_wait_and_somebody_can_answer(serving):
    for number in range(9):
        captured(serving.world.here.call(), f"Statement number {number} of many.")

    told = serving.ask("session_start", mode="tui")
    assert told["panel"]["name"] == "inbox"
    assert (len(told["panel"]["rows"]), told["panel"]["more"]) == (7, 2)
    assert "panel" not in serving.ask("session_start", mode="print")


def test_what_was_applied_by_itself_is_told_to_a_person_and_only_once(serving):
    captured(serving.world.here.call(), "Add files by name.")
    serving.ask("session_shutdown", reason="quit")

    told = serving.ask("session_start", mode="print")
    assert told["notices"] == [], "nobody sees them there"
    first, *_ = serving.ask("session_start", mode="tui")["notices"]
    assert "Add files by name." in first
    assert "/memory patch revert patch_" in first
    assert serving.ask("session_start", mode="tui")["notices"] == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("no, use pnpm", "It is 0.72 sure; only from 0.85 is it applied by itself"),
        ("Don't use npm here", "It was meant for now and not to last"),
        ("I prefer dark themes.", "It does not say that it is to last"),
    ],
)
def test_what_still_waits_at_the_next_start_is_told_with_why(serving, said, why):
    serving.ask("input", text=said, source="interactive", entry="m1")
    serving.settle()
    serving.ask("session_shutdown", reason="quit")

    (told,) = serving.ask("session_start", mode="tui")["notices"]

    assert f" ({why}" in told.split("\n")[1]


def test_a_restart_tells_nothing_again(serving):
    captured(serving.world.here.call(), "Use tabs.")

    assert serving.ask("session_start", reason="restart", mode="tui")["notices"] == []


def test_without_a_vault_the_person_is_told_once_and_nothing_else_happens(world):
    (world.vault / "Memory/Settings.md").unlink()
    serving = Serving(world)

    (notice,) = serving.ask("session_start", mode="tui")["notices"]

    assert notice.startswith("vaultmem: ")
    assert serving.ask("before_agent_start", prompt="x")["error"]["code"] == "failed"
    assert serving.ask("input", text=SAID, source="rpc") == {}
    assert "no memory root" in serving.refusal("memory_topics")
    serving.close()


# input


def test_a_correction_is_heard_applied_at_the_end_and_told_in_the_next_session(serving):
    serving.ask("session_start", mode="tui")
    assert serving.ask("input", text=SAID, source="interactive") == {}
    serving.settle()
    assert inbox(serving) == [SAID]
    serving.ask("session_shutdown", reason="quit")

    serving.ask("session_start", session="next", mode="tui")

    told = serving.ask("before_agent_start", session="next", prompt="push it")
    assert SAID in told["sections"]["project_memory"]


@pytest.mark.parametrize(
    "payload",
    [
        {"text": SAID, "source": "extension"},
        {"text": "What time is it?", "source": "interactive"},
    ],
)
def test_what_no_person_said_or_nobody_wants_kept_is_not_heard(serving, payload):
    serving.ask("input", **payload)
    serving.settle()

    assert inbox(serving) == []


def test_in_a_nested_agent_nobody_types(serving):
    serving.ask("session_start", nested=True)
    serving.ask("input", text=SAID, source="interactive")
    serving.settle()

    assert inbox(serving) == []


def test_a_process_that_a_tool_started_hears_nobody(world):
    world.here.sync()
    serving = Serving(world, typed=False)
    serving.ask("input", text=SAID, source="interactive")
    serving.settle()

    assert inbox(serving) == []
    for event, payload in (
        ("command", {"text": "status"}),
        ("ui", {"panel": "inbox", "action": "approve"}),
    ):
        assert serving.ask(event, **payload)["error"]["code"] == "refused"
    serving.close()


def test_what_we_told_is_not_learned_from(serving, known):
    prompt(serving)
    serving.ask("input", text=SAYS, source="interactive")
    serving.settle()

    assert inbox(serving) == []


# before_agent_start


def test_the_sections_are_told_and_remembered(serving, known):
    told = prompt(serving)

    assert list(told["sections"]) == ["project_memory"]
    assert SAYS in told["sections"]["project_memory"]
    assert session_use(serving.world.here.call(), SESSION).shown == (known,)


def test_the_same_prompt_gives_the_same_bytes(serving, known):
    assert prompt(serving) == prompt(serving)


def test_a_sub_agent_is_given_the_report_only(serving, known):
    told = prompt(serving, sub_agent=True)

    assert list(told["sections"]) == ["project_memory"]
    assert told["sections"]["project_memory"].startswith("You are a sub-agent")
    assert SAYS in told["sections"]["project_memory"]


@pytest.mark.parametrize("sub_agent", [False, True])
def test_who_reviews_is_told_the_guidelines_and_who_does_not_is_not(serving, known, sub_agent):
    call = serving.world.here.call()
    add_guideline(call, "Ask for tests.", project_identity(serving.world.vault).id)

    asked = prompt(serving, "Please review this PR", sub_agent=sub_agent)["sections"]
    assert "## Review guidelines\n- Ask for tests." in asked["project_memory"]
    other = prompt(serving, "Build it.", sub_agent=sub_agent)["sections"]
    assert "Ask for tests" not in str(other)


def test_where_recalling_is_off_nothing_is_told(serving, known):
    switch(serving.world.here.call(), [READ], Place(session=SESSION), off=True)

    assert prompt(serving)["sections"] == {}
    assert prompt(serving, sub_agent=True)["sections"] == {}
    assert prompt(serving, session="another")["sections"]


def test_an_edit_is_told_at_the_next_prompt_while_nobody_watches(serving, known):
    prompt(serving)
    serving.world.replace(NOTE, SAYS, "Add every file by its name.")

    assert "Add every file by its name." in prompt(serving)["sections"]["project_memory"]


def test_settings_of_the_vault_hold_from_the_next_event_on(serving, known):
    assert prompt(serving)["sections"]
    serving.world.replace(
        "Memory/Settings.md",
        "type: settings",
        "type: settings\nretrieval_injection_mode: policy_only",
    )

    assert SAYS not in prompt(serving)["sections"]["project_memory"]


def test_notices_that_came_too_late_come_with_the_next_prompt(serving):
    serving.shared.sessions.of(SESSION).notice(("Late.",))

    assert prompt(serving)["notices"] == ["Late."]
    assert prompt(serving)["notices"] == []


# tool_call, tool_result


def enforced(serving, **properties):
    """A guardrail with force."""
    path = "Memory/Lessons/Never stage everything.md"
    identifier = serving.world.memory(path, "Never stage everything at once.", **properties)
    serving.world.here.sync()
    ratify(serving.world.here.call(), identifier)
    return identifier


def test_a_rule_blocks_the_tool_and_is_handed_to_the_extension(serving):
    identifier = enforced(serving, trigger="bash_contains git add .", action="block")

    told = serving.ask(
        "tool_call", tool="bash", call="c1", input={"command": "git add . && git commit"}
    )

    assert told["block"]
    assert short_id(identifier) in told["reason"]
    assert "Never stage everything at once." in told["reason"]
    held = serving.ask("rules")["rules"]
    assert [one for one in held["block"] if one["id"] == identifier]
    assert prompt(serving)["rules"] == held
    assert (
        serving.ask("tool_call", tool="bash", call="c2", input={"command": "git add src/a"}) == {}
    )


def test_the_guard_comes_first(serving):
    told = serving.ask(
        "tool_call", tool="write", call="c1", input={"path": "Memory/Identity/x.md", "content": "x"}
    )

    assert told["block"]
    assert "memory" in told["reason"].casefold()


def test_a_rule_warns_after_the_tool(serving):
    enforced(serving, trigger="file_modified Dockerfile", action="warn")

    told = serving.ask(
        "tool_result", tool="edit", call="c1", input={"path": "Dockerfile"}, text="Edited."
    )

    assert "Never stage everything at once." in told["append"]
    assert serving.ask("tool_result", tool="edit", call="c2", input={"path": "README"}) == {}


@pytest.mark.parametrize("is_error", [False, True])
def test_a_rule_warns_of_a_file_that_a_command_names_and_changed(serving, is_error):
    enforced(serving, trigger="file_modified Dockerfile", action="warn")
    serving.world.write("Dockerfile", "FROM a")
    used = {"tool": "bash", "input": {"command": "cat x; sed -i s/a/b/ Dockerfile"}}
    time.sleep(0.05)  # the clock of files ticks

    serving.ask("tool_call", call="c1", **used)
    assert serving.ask("tool_result", call="c1", **used) == {}, "it was not changed"
    serving.ask("tool_call", call="c2", **used)
    serving.world.write("Dockerfile", "FROM b")
    told = serving.ask("tool_result", call="c2", is_error=is_error, **used)

    assert "Never stage everything at once." in told["append"]
    assert serving.ask("tool_result", call="c2", **used) == {}, "nobody saw it begin"


def test_what_a_tool_wrote_into_the_vault_is_external_and_told_once(serving, known):
    serving.ask("tool_call", tool="bash", call="c1", input={"command": "sed -i s/a/b/ x"})
    serving.world.replace(NOTE, SAYS, "Add everything.")
    serving.ask("tool_result", tool="bash", call="c1", input={"command": "sed -i s/a/b/ x"})
    serving.settle()

    assert serving.world.here.call().vault.baseline.standing(known).statement == SAYS
    told = serving.ask("turn_end", turn=0)
    assert [one["content"] for one in told["messages"]] == [
        f"[vaultmem] {NOTE} changed while a tool ran. Nothing of it is in force; it waits in the "
        "inbox for the user. Use memory_edit or memory_add to propose a change."
    ]
    assert serving.ask("turn_end", turn=1)["messages"] == []


def test_the_look_after_a_tool_is_queued_last_and_even_where_rules_fail(world, monkeypatch):
    world.here.sync()
    serving, queued = Serving(world), []

    def broken(*_):
        queued.append(len(serving.shared.left))
        raise ZeroDivisionError

    monkeypatch.setattr("vaultmem.hooks.enforcing.followed", broken)

    assert serving.ask("tool_result", tool="write", call="c1")["error"]["code"] == "bug"
    assert queued == [0]
    assert len(serving.shared.left) == 1
    serving.close()


# message_end


def test_a_citation_is_counted_and_taken_out(serving, known):
    prompt(serving)
    text = f"Done.\n\n<{TAG}>\n{short_id(known)}\n</{TAG}>"

    assert serving.ask("message_end", role="assistant", text=text) == {"text": "Done."}
    assert session_use(serving.world.here.call(), SESSION).used == {known: 1}
    assert serving.ask("message_end", role="assistant", text="Plain.") == {}
    assert serving.ask("message_end", role="user", text=text) == {}


# turn_end


def test_a_verifier_sends_the_agent_back_once(serving):
    enforced(serving, verifier="tool_called ask_user before gh pr merge")
    prompt(serving, "merge it")
    tools = [{"tool": "bash", "call": "c1", "input": {"command": "gh pr merge 12"}}]

    told = serving.ask("turn_end", turn=0, tools=tools, text="Merged.")

    assert told["retry"]
    assert "ask_user" in told["messages"][-1]["content"]
    assert told["messages"][-1]["customType"] == "vaultmem"
    again = serving.ask("turn_end", turn=0, tools=tools, by_user=False)
    assert again == {"messages": [], "retry": False}


def test_a_run_that_was_sent_back_before_a_restart_is_sent_back_no_second_time(serving):
    enforced(serving, verifier="tool_called ask_user before gh pr merge")
    tools = [{"tool": "bash", "call": "c1", "input": {"command": "gh pr merge 12"}}]

    told = serving.ask("turn_end", turn=0, tools=tools, retried=True, by_user=False)

    assert told == {"messages": [], "retry": False}


def test_a_verifier_of_a_tool_that_is_not_there_sends_the_agent_to_the_user(serving):
    enforced(serving, verifier="tool_called ask_user before gh pr merge")
    prompt(serving, "merge it")
    tools = [{"tool": "bash", "call": "c1", "input": {"command": "gh pr merge 12"}}]

    told = serving.ask("turn_end", turn=0, tools=tools, available=["bash", "read"])

    assert "There is no such tool here" in told["messages"][-1]["content"]


def test_a_turn_that_was_aborted_is_not_checked(serving):
    enforced(serving, verifier="tool_called ask_user before gh pr merge")
    prompt(serving, "merge it")
    tools = [{"tool": "bash", "call": "c1", "input": {"command": "gh pr merge 12"}}]

    assert serving.ask("turn_end", turn=0, tools=tools, outcome="aborted") == {
        "messages": [],
        "retry": False,
    }


def test_what_was_blocked_counts_as_not_done(serving):
    enforced(serving, verifier="tool_called ask_user before gh pr merge")
    prompt(serving, "merge it")
    tools = [{"tool": "bash", "call": "c1", "input": {"command": "gh pr merge 12"}, "ran": False}]

    assert not serving.ask("turn_end", turn=0, tools=tools)["retry"]


def test_open_items_are_told_once_where_the_agent_only_talked(serving):
    serving.tool("scratchpad", op="add", text="Measure the pooler")
    prompt(serving, "what shall we do about the pooler?")
    assert serving.ask("turn_end", turn=0, text="Measure it.")["messages"] == []
    prompt(serving, "Measure the pooler, please")

    told = serving.ask("turn_end", turn=0, text="Let us see.")

    assert "Measure the pooler" in told["messages"][0]["content"]
    assert not told["retry"]
    assert serving.ask("turn_end", turn=0)["messages"] == []


# the end


def test_a_session_that_ends_is_queued_and_settled_later(serving):
    captured(serving.world.here.call(), "Add files by name.")

    assert serving.ask("session_shutdown", reason="quit") == {}
    folder = serving.world.here.call().vault.state.folder
    assert [one.session for one in read_ended(folder)] == [SESSION]
    serving.settle()

    assert read_ended(folder) == []
    assert inbox(serving) == []


def test_a_reload_ends_no_session(serving):
    serving.ask("session_shutdown", reason="reload")

    assert read_ended(serving.world.here.call().vault.state.folder) == []


def test_where_remembering_is_off_nothing_is_heard(serving):
    switch(serving.world.here.call(), [WRITE], Place(session=SESSION), off=True)
    serving.ask("input", text=SAID, source="interactive")
    serving.settle()

    assert inbox(serving) == []


# the boundary


def test_a_bug_is_logged_and_answered(world, monkeypatch):
    world.here.sync()
    serving = Serving(world)

    def broken(_here, _event):
        raise ZeroDivisionError

    from vaultmem.hooks import dispatch
    from vaultmem.hooks.payloads import Compacting

    monkeypatch.setitem(dispatch._HANDLERS, Compacting, broken)

    told = serving.ask("session_before_compact")

    assert told["error"]["code"] == "bug"
    assert "ZeroDivisionError" in serving.crash
    assert serving.ask("session_compact") == {}
    serving.close()


def test_until_the_index_is_up_a_prompt_recalls_by_what_it_holds(serving, known, monkeypatch):
    brought_up = []
    monkeypatch.setattr(
        "vaultmem.services.recalling.refresh", lambda *_: brought_up.append("index")
    )
    serving.shared.warm.clear()

    assert list(prompt(serving)["sections"]) == ["project_memory"]
    assert session_use(serving.world.here.call(), SESSION).shown == (known,)
    assert brought_up == []
    serving.shared.warm.set()
    prompt(serving)
    assert brought_up == ["index"]


def test_the_first_prompt_does_not_wait_for_the_index_of_sessions(serving):
    asked = "prepared statements and the pooler in transaction mode"
    serving.talk("How does the pooler work in transaction mode with prepared statements?")
    serving.ask("session_start")
    serving.settle()
    serving.shared.calm.clear()

    assert "past_sessions" not in prompt(serving, asked)["sections"]
    serving.shared.calm.set()
    assert "past_sessions" in prompt(serving, asked)["sections"]


def test_what_the_next_session_does_as_well_is_not_begun_at_the_end(serving):
    serving.talk("How does the pooler work in transaction mode with prepared statements?")
    serving.ask("session_start")
    serving.shared.stopping.set()

    serving.settle()

    assert not serving.here.past.catalog.exists


def test_without_a_vault_the_person_and_the_model_get_one_short_sentence(world):
    serving = Serving(world)
    serving.shared._open_app = lambda _model: App(
        env=Environment(home=str(world.folder / "elsewhere"), agent=None), cwd=world.folder
    )

    assert serving.ask("session_start", mode="tui")["notices"] == [NO_VAULT]
    told = serving.ask("tool", name="memory_search", call="c", arguments={"query": "x"})
    assert told == {"text": NO_VAULT_FOR_TOOLS, "is_error": True}
    serving.close()


def test_earlier_sessions_near_the_prompt_are_told(serving):
    serving.talk("How does the pooler work in transaction mode with prepared statements?")
    serving.ask("session_start")
    serving.settle()

    told = prompt(serving, "prepared statements and the pooler in transaction mode")

    assert "prepared statements" in told["sections"]["past_sessions"]
    assert prompt(serving, "ok")["sections"]["past_sessions"] == told["sections"]["past_sessions"]


def test_a_part_that_fails_costs_only_itself(world, known, monkeypatch):
    serving = Serving(world)

    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("vaultmem.hooks.past.section", broken)

    assert SAYS in prompt(serving)["sections"]["project_memory"]
    assert "ZeroDivisionError" in serving.crash
    serving.close()


def test_what_may_run_after_a_tool_runs_in_a_window_of_its_own(serving):
    config = serving.world.here.home / "config/config.yaml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("run_after:\n  - sh after.sh\n")
    serving.world.write("after.sh", "echo Agents. > Memory/Lessons/Ran.md\necho live-ok\n")
    enforced(serving, trigger="tool_name deploy", action="run_after sh after.sh")
    assert serving.ask("session_start")["rules"]["result_seconds"] > 2

    told = serving.ask("tool_result", tool="deploy", call="c1", text="Deployed.")
    serving.settle()

    assert "| live-ok" in told["append"]
    said = [one.statement for one in serving.world.here.call().vault.baseline.standings()]
    assert "Agents." not in said


def test_a_tool_that_ran_unseen_is_known_of_after_a_restart(serving, known):
    began = int(time.time() * 1000) - 50
    serving.world.replace(NOTE, SAYS, "Add everything.")
    missed = [{"tool": "bash", "call": "c1", "at": began}]
    serving.ask("session_start", reason="restart", missed=missed)
    serving.ask("turn_end")
    serving.ask("session_start", session="next")

    assert serving.world.here.call().vault.baseline.standing(known).statement == SAYS


def test_the_day_s_work_is_done_when_nobody_waits(serving, monkeypatch):
    from types import SimpleNamespace

    done = SimpleNamespace(proposed="Memory/Inbox/Patch.md")
    monkeypatch.setattr("vaultmem.services.session_start.daily_work", lambda _call: done)
    serving.ask("session_start", mode="tui")
    serving.settle()

    assert prompt(serving)["notices"] == [
        "The day's maintenance proposes changes: `/memory review`."
    ]


def test_of_many_changes_the_first_are_told_one_by_one(serving):
    for text in ("Rebuild indexes concurrently.", "Answer in English.", "Sort imports.",
                 "Sign every release.", "Prefer small commits."):  # fmt: skip
        captured(serving.world.here.call(), text)
    serving.ask("session_shutdown", reason="quit")

    notices = serving.ask("session_start", mode="rpc")["notices"]

    (told,) = [one for one in notices if one.startswith("Applied by itself, 5 changes")]
    head, *lines = told.splitlines()
    assert head.count("/memory patch revert patch_") == 1
    assert "take all of them back" in head
    assert len(lines) == 4
    assert lines[-1].startswith("- and 2 more: `/memory patch show patch_")


def test_a_log_of_bugs_does_not_grow_for_ever(tmp_path, monkeypatch):
    from vaultmem.store import crash_log

    monkeypatch.setattr(crash_log, "MAX_BYTES", 300)
    log = tmp_path / "state/crash.log"
    for _ in range(9):
        try:
            raise KeyError("once")
        except KeyError:
            assert crash_log.log_crash(log) == ""
    assert log.stat().st_size < 900
    assert log.stat().st_mode & 0o777 == 0o600
    log.unlink()
    log.parent.rmdir()
    log.parent.write_text("no folder")
    try:
        raise KeyError("once")
    except KeyError:
        assert "KeyError" in crash_log.log_crash(log)


def test_a_session_that_begins_in_silence_says_so_and_opens_no_inbox(serving):
    for number in range(9):
        captured(serving.world.here.call(), f"Rule number {number} about something.")
    assert "panel" in serving.ask("session_start", reason="startup", mode="rpc", file="")
    switch(serving.world.here.call(), [READ], Place(), off=True)

    told = serving.ask("session_start", reason="startup", mode="rpc", file="")

    assert told["notices"][0] == (
        "Recalling is switched off. The person can switch it on with `vaultmem on --read`."
    )
    assert "panel" not in told


# several sessions in one process


def test_two_sessions_in_one_process_do_not_meet(serving, known):
    for one in ("first", "second"):
        serving.ask("session_start", session=one, mode="tui")
    serving.shared.sessions.of("first").notice(("Only for the first.",))
    assert prompt(serving, session="second")["notices"] == []
    assert prompt(serving, session="first")["notices"] == ["Only for the first."]

    switch(serving.world.here.call(), [READ], Place(session="first"), off=True)
    assert SAYS not in str(prompt(serving, session="first"))
    assert SAYS in str(prompt(serving, session="second"))
    assert session_use(serving.world.here.call(), "first").shown == (known,), "before"

    serving.ask("tool_call", session="first", tool="bash", call="c1", input={"command": "x"})
    serving.world.replace(NOTE, SAYS, "Add everything.")
    serving.ask("tool_result", session="first", tool="bash", call="c1", input={"command": "x"})
    serving.settle()
    assert serving.ask("turn_end", session="second", turn=0)["messages"] == []
    assert serving.ask("turn_end", session="first", turn=0)["messages"] != []
