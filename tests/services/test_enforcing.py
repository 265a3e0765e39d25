"""Guardrails at run time, over real vaults: what blocks, warns, runs, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.enforcement.turn import Called, Turn
from vaultmem.services.enforcing.advice import advice_on
from vaultmem.services.enforcing.audit import audit, settle_rules
from vaultmem.services.enforcing.check import Due, check_call, check_result
from vaultmem.services.enforcing.rules import block_rules
from vaultmem.services.enforcing.verify import verify
from vaultmem.services.ratify import ratify
from vaultmem.store.telemetry import erase_ids

if TYPE_CHECKING:
    from tests.world import World

ADD = {"trigger": "bash_contains git add .", "action": "block"}
ADD_ALL = {"command": "git add . && git commit"}


def guard(world: World, statement="Never run git add.", *, force=True, **properties) -> str:
    """A memory with a guardrail, ratified unless said otherwise."""
    made = world.memory(f"Memory/Lessons/{statement[:-1]}.md", statement, **(properties or ADD))
    world.here.sync()
    if force:
        ratify(world.here.call(), made)
    return made


def blocks(world: World, tool="bash", given=ADD_ALL, **around):
    return check_call(
        world.here.call(agent="pi"), tool, given, cwd=world.vault, session="s1", **around
    )


def result(world: World, tool="bash", given=ADD_ALL, *, call=None, **around):
    call = call or world.here.call(agent="pi")
    return check_result(call, tool, given, cwd=world.vault, session="s1", **around)


def acts(world: World):
    return [(one.act, one.id) for one in audit(world.here.call())]


def test_a_ratified_rule_blocks_and_says_why(ready):
    made = guard(ready)

    verdict = blocks(ready)

    assert verdict.block
    assert verdict.ids == (made,)
    assert "Never run git add." in verdict.reason
    assert acts(ready) == [("blocked", made)]
    assert not blocks(ready, given={"command": "git add src/file.py"}).block


def test_a_rule_without_force_blocks_nothing(ready):
    guard(ready, force=False)

    assert not blocks(ready).block
    assert block_rules(ready.here.call(), project="", session="s1") == ()


def test_an_edited_rule_waits_for_the_person_again(ready):
    guard(ready)
    ready.replace("Memory/Lessons/Never run git add.md", "git add .", "git push")
    ready.here.sync()

    assert not blocks(ready).block
    assert not blocks(ready, given={"command": "git push"}).block


def test_what_another_process_changed_counts_at_once(ready):
    made = guard(ready)
    call = ready.here.call(agent="pi")
    assert check_call(call, "bash", ADD_ALL, cwd=ready.vault).block

    ready.replace("Memory/Lessons/Never run git add.md", "git add .", "git push")
    ready.here.sync()
    ratify(ready.here.call(), made)

    assert not check_call(call, "bash", ADD_ALL, cwd=ready.vault).block
    assert check_call(call, "bash", {"command": "git push"}, cwd=ready.vault).block


def test_a_deleted_or_contested_rule_blocks_nothing(ready):
    guard(ready)
    note = "Memory/Lessons/Never run git add.md"
    text = ready.read(note)
    ready.replace(note, "type: memory", "type: memory\nstatus: contested")
    ready.here.sync()
    assert not blocks(ready).block

    ready.write(note, text)
    ready.here.sync()
    assert blocks(ready).block
    ready.path(note).unlink()
    ready.here.sync()
    assert not blocks(ready).block


def test_a_foreign_projects_rule_blocks_nothing(ready):
    guard(ready, project="github.com/acme/tide", **ADD)

    assert not blocks(ready, project="github.com/acme/quay").block
    assert blocks(ready, project="github.com/acme/tide").block


def test_a_condition_decides_and_keeps_a_rule_from_the_extension(ready):
    guard(ready, not_when="release branch", **ADD)

    assert blocks(ready, prompt="Commit this.").block
    assert not blocks(ready, prompt="Commit this to the release branch.").block
    assert block_rules(ready.here.call(), project="", session="s1") == ()


def test_the_extension_is_given_what_it_can_judge(ready):
    made = guard(ready)

    (rule,) = block_rules(ready.here.call(), project="", session="s1")

    assert (rule.id, rule.kind, rule.needle, rule.command) == (
        made,
        "bash_contains",
        "git add .",
        True,
    )


def test_a_pattern_is_searched_in_linear_time(ready):
    guard(ready, trigger=r"bash_regex (a|a)*b$", action="block")

    assert not blocks(ready, given={"command": "a" * 5_000 + "c"}).block  # `re` would not end
    assert blocks(ready, given={"command": "aé\ud800ab"}).block


def test_a_pattern_that_the_engine_does_not_know_blocks_nothing(ready):
    guard(ready, trigger="bash_regex (?=git)", action="block")

    assert not blocks(ready).block


def test_a_file_is_blocked_by_its_real_place(ready):
    guard(ready, "Leave the schema.", trigger="file_modified /db/**/*.sql", action="block")
    ready.write("db/v1/schema.sql", "")
    (ready.vault / "link").symlink_to(ready.vault / "db")

    for path in ("db/v1/schema.sql", "./db/x/../v1/schema.sql", str(ready.vault / "db/a.sql")):
        assert blocks(ready, "write", {"path": path}).block
    assert blocks(ready, "edit", {"path": "link/v1/schema.sql"}).block
    assert not blocks(ready, "read", {"path": "db/v1/schema.sql"}).block
    assert not blocks(ready, "write", {"path": "web/db/schema.sql"}).block
    assert not blocks(ready, "write", {"path": "db/\0.sql"}).block


def test_a_warning_is_added_to_the_result(ready):
    made = guard(ready, "Keep files small.", trigger="file_modified *.py", action="warn")

    found = result(ready, "edit", {"path": "a.py"})

    assert "- Keep files small. [" in found.append
    assert (found.ids, found.due) == ((made,), ())
    assert acts(ready) == [("warned", made)]
    assert not blocks(ready, "edit", {"path": "a.py"}).block
    assert result(ready, "edit", {"path": "a.ts"}).append == ""
    assert result(ready, "bash", {"command": "make"}, changed=["gen/b.py"]).append


def test_a_tool_that_failed_changed_no_file(ready):
    guard(ready, "Keep files small.", trigger="file_modified *.py", action="warn")

    assert result(ready, "edit", {"path": "a.py"}, is_error=True).append == ""


def test_a_command_runs_afterwards_only_where_the_user_config_lists_it(ready):
    made = guard(ready, "Test it.", trigger="file_modified *.py", action="run_after npm test")

    assert result(ready, "edit", {"path": "a.py"}).due == ()
    assert acts(ready) == [("refused", made)]

    home = ready.here.home / "config"
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text("run_after:\n  - npm test\n  - sudo ls\n")
    assert result(ready, "edit", {"path": "a.py"}).due == (Due(made, ("npm", "test")),)
    assert result(ready, "edit", {"path": "a.py"}, is_error=True).due == ()


def test_two_rules_run_a_command_once(ready):
    for name in ("One.", "Two."):
        guard(ready, name, trigger="file_modified *.py", action="run_after npm test")
    call = ready.here.call(agent="pi")
    call.vault.run_after = frozenset({("npm", "test")})

    found = result(ready, "edit", {"path": "a.py"}, call=call)

    assert len(found.due) == 1
    assert len(found.ids) == 2


def test_settings_of_a_vault_allow_no_command(ready):
    ready.replace("Memory/Settings.md", "type: settings", "type: settings\nrun_after: npm test")
    ready.here.sync()

    assert ready.here.call().vault.run_after == frozenset()


MERGE = Turn("Merge it.", (Called("bash", "gh pr merge 1"),))


def test_a_verifier_asks_for_one_retry(ready):
    made = guard(ready, "Ask before merging.", verifier="tool_called ask_user before gh pr merge")
    call = ready.here.call(agent="pi")

    first = verify(call, MERGE, session="s1")
    again = verify(call, MERGE._replace(retried=True), session="s1")

    assert first.retry
    assert "Ask before merging." in first.message
    assert [one.rule.memory_id for one in first.failures] == [made]
    assert (again.retry, again.message, len(again.failures)) == (False, "", 1)
    assert acts(ready) == [("unkept", made), ("unkept", made)]
    assert verify(call, Turn("Merge it."), session="s1").failures == ()
    assert verify(call, Turn("x", (Called("bash", "ls"),)), session="s1").failures == ()


def test_what_rules_did_is_one_line_a_memory_in_the_ledger_and_no_evidence(ready):
    made = guard(ready)
    before = ready.here.call().vault.baseline.standing(made)
    for _ in range(3):
        assert blocks(ready).block

    assert settle_rules(ready.here.call(), "s1") == (made,)
    assert settle_rules(ready.here.call(), "s1") == ()

    lines = ready.ledger("reinforcement").splitlines()
    assert len(lines) == 1
    assert "neutral" in lines[0]
    after = ready.here.call().vault.baseline.standing(made)
    assert (after.evidence_count, after.reinforced) == (before.evidence_count, before.reinforced)


def test_the_audit_is_newest_first_by_session_and_bounded(ready):
    made = guard(ready)
    blocks(ready)
    other = guard(ready, "Keep files small.", trigger="file_modified *.py", action="warn")
    result(ready, "edit", {"path": "a.py"})
    check_call(ready.here.call(agent="pi"), "bash", ADD_ALL, cwd=ready.vault, session="s2")

    assert [one.id for one in audit(ready.here.call())] == [made, other, made]
    assert [one.id for one in audit(ready.here.call(), limit=1)] == [made]
    assert [one.tool for one in audit(ready.here.call(), session="s1")] == ["edit", "bash"]
    newest = audit(ready.here.call())[0]
    assert (newest.statement, newest.session) == ("Never run git add.", "s2")


def test_nothing_that_was_run_is_kept(ready):
    guard(ready)
    blocks(ready, given={"command": "git add . # hunter2-token"})

    kept = b"".join(place.read_bytes() for place in ready.here.home.rglob("*") if place.is_file())
    assert b"hunter2" not in kept


def test_what_is_damaged_enforces_nothing_and_stops_nothing(ready):
    made, other = guard(ready), guard(ready, "Push by hand.", trigger="tool_name x", action="block")
    baseline = ready.here.call().vault.baseline
    baseline.connection.execute("UPDATE contents SET bytes = X'FF' WHERE id = ?", (made,))
    baseline.connection.execute("DELETE FROM contents WHERE id = ?", (other,))

    assert not blocks(ready).block
    assert not blocks(ready, "x", {}).block


def test_a_rule_that_is_no_rule_does_nothing(ready):
    guard(ready, trigger="when deploying", action="block")

    assert not blocks(ready).block
    assert block_rules(ready.here.call(), project="", session="s1") == ()


def test_a_path_outside_of_the_project_is_absolute(ready):
    guard(ready, "Leave hosts.", trigger="file_modified /etc/hosts", action="block")

    assert blocks(ready, "write", {"path": "/etc/hosts"}).block
    assert not blocks(ready, "write", {"path": "etc/other"}).block


def test_a_rule_that_met_nothing_is_decoded_once(ready, monkeypatch):
    guard(ready)
    call = ready.here.call(agent="pi")
    check_call(call, "bash", ADD_ALL, cwd=ready.vault)
    monkeypatch.setattr(call.vault.baseline, "content", None)

    assert check_call(call, "bash", ADD_ALL, cwd=ready.vault).block
    ready.memory("Memory/Lessons/Other.md", "Other.")
    ready.here.sync()
    assert check_call(call, "bash", ADD_ALL, cwd=ready.vault).block


def test_without_a_key_nothing_is_settled(ready):
    guard(ready)
    blocks(ready)
    call = ready.here.call()
    call.vault.key = None

    assert settle_rules(call, "s1") == ()


def test_advice_knows_the_engine_and_this_machines_list(ready):
    call = ready.here.call()
    call.vault.run_after = frozenset({("npm", "test")})

    def codes(trigger, action):
        return [one.code for one in advice_on(call, trigger, action)]

    for pattern in ("(?=git)", r"git\Z", r"(?x) git", r"\u0061", "a{1001}", "("):
        assert codes(f"bash_regex {pattern}", "block") == ["VM615"]
    assert codes(r"bash_regex \pL+ \z", "block") == []
    assert codes("bash_regex .*", "block") == ["VM614"]
    assert codes("file_modified *.py", "run_after npm test") == []
    assert codes("file_modified *.py", "run_after npm run x") == ["VM920"]
    assert codes("file_modified *.py", "run_after ") == ["VM617"]
    assert codes("file_modified src/**/*.py", "warn") == []


def test_a_purge_takes_the_memory_out_of_the_audit(ready):
    made = guard(ready)
    other = guard(ready, "Push by hand.", trigger="bash_contains git commit", action="block")
    assert blocks(ready).ids == tuple(sorted((made, other)))
    blocks(ready, given={"command": "git add ."})

    erase_ids(ready.here.call().vault.state.cache, {made})

    assert acts(ready) == [("blocked", other)]
