"""Panels: what waits is decided through the agent's dialogs, as the version that was seen."""

from __future__ import annotations

import pytest

from tests.services.candidates import captured
from tests.services.patching import operation
from tests.world import NOTE, SAYS
from vaultmem.core.model import RuleType
from vaultmem.core.operation import Op
from vaultmem.core.trust import TrustClass
from vaultmem.hooks.panels import LEGEND
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.patches import new, open_patches, save
from vaultmem.services.propose_change import propose_change


def command(serving, text):
    return serving.ask("command", text=text)


def choose(serving, panel, action, *, row=0, text=""):
    chosen = panel["rows"][row]
    assert action in [one["name"] for one in chosen["actions"]]
    return serving.ask("ui", panel=panel["name"], row=chosen["id"], action=action, text=text)


def statements(serving):
    return [one.statement for one in serving.world.here.call().vault.baseline.standings()]


def test_an_empty_inbox_says_so(serving):
    assert command(serving, "inbox") == {"text": "Nothing waits for you.", "level": "info"}
    assert command(serving, "review")["text"] == "No patch is open."


def test_what_wants_to_act_is_ratified_in_the_version_that_was_seen(serving, known):
    assert command(serving, "ratify --review")["text"] == "Nothing waits to be ratified."
    world = serving.world
    path = "Memory/Lessons/Guard.md"
    made = world.memory(path, "Never add all.", trigger="bash_contains git add", action="block")
    panel = command(serving, "ratify --review")["panel"]
    assert panel["title"].startswith("1 memory wants to act")
    assert panel["rows"][0]["detail"][1].startswith("It would act as guardrail bash_contains git")
    world.replace(path, "git add", "git")

    told = choose(serving, panel, "ratify")
    assert "changed while you looked" in told["text"]
    assert not world.here.call().vault.baseline.standing(made).force
    told = choose(serving, told["panel"], "ratify")

    assert told["text"] == "It may act now: Never add all."
    assert world.here.call().vault.baseline.standing(made).force
    assert "panel" not in told
    wrong = serving.ask("ui", panel="ratify", row="x", action="fly")
    assert "There is no action" in wrong["text"]


def test_a_candidate_is_approved(serving):
    captured(serving.world.here.call(), "Add files by name.")
    panel = command(serving, "inbox")["panel"]
    assert panel["title"] == f"Memory inbox: 1 candidate ({LEGEND})"
    (row,) = panel["rows"]
    assert row["label"].startswith("✓ 0.90 Add files by name.")
    assert row["detail"][0] == "lesson, user correction"

    told = choose(serving, panel, "approve")

    assert told["text"].startswith(
        "Remembered: Add files by name.\nTake it back with `/memory patch revert "
    )
    assert "panel" not in told
    assert statements(serving) == ["Add files by name."]


def test_a_row_tells_what_approving_it_lets_act(serving):
    captured(
        serving.world.here.call(),
        "Do not use docker compose down.",
        trust=TrustClass.AGENT_INFERENCE,
        trigger="bash_contains echo",
        action="block",
    )

    (row,) = command(serving, "inbox")["panel"]["rows"]

    assert row["label"].endswith("Do not use docker compose down. [guardrail]")
    assert "It would act as guardrail bash_contains echo → block." in row["detail"]
    assert any(one.startswith("Why it waits: ") for one in row["detail"])
    approve = next(one for one in row["actions"] if one["name"] == "approve")
    assert approve["asks"] == "confirm"
    assert "bash_contains echo → block. Approve it?" in approve["prompt"]


def test_a_hard_rule_says_so(serving):
    captured(serving.world.here.call(), "Never use npm.", rule=RuleType.AVOID_PATTERN)

    (row,) = command(serving, "inbox")["panel"]["rows"]

    assert "It would act as rule avoid_pattern." in row["detail"]


def test_an_inbox_without_candidates_names_the_patches(proposed):
    assert command(proposed, "inbox")["text"] == (
        "No candidate waits. For you to decide as well: 1 patch (`/memory patch list`)."
    )


def test_inbox_review_begins_with_the_candidates(proposed):
    assert command(proposed, "inbox review")["panel"]["name"] == "review"
    captured(proposed.world.here.call(), "Use tabs.")

    assert command(proposed, "inbox review")["panel"]["name"] == "inbox"


@pytest.mark.parametrize(("action", "word"), [("reject", "Rejected"), ("defer", "Put off")])
def test_a_candidate_is_rejected_or_put_off(serving, action, word):
    captured(serving.world.here.call(), "Use tabs.")

    told = choose(serving, command(serving, "inbox")["panel"], action)

    assert told["text"].startswith(f"{word}: Use tabs.")
    assert len(waiting(serving.world.here.call())) == (action == "defer")
    assert ("panel" in told) is (action == "defer")


def test_a_candidate_is_edited_and_shown_again(serving):
    captured(serving.world.here.call(), "Use tabs.")

    told = choose(serving, command(serving, "inbox")["panel"], "edit", text="Use four blanks.")

    assert told["text"] == "Changed."
    assert "Use four blanks." in told["panel"]["rows"][0]["label"]
    again = choose(serving, told["panel"], "edit", text="Use four blanks.")
    assert again["text"] == "Nothing was changed."


def test_a_candidate_that_changed_meanwhile_is_not_decided(serving):
    path = captured(serving.world.here.call(), "Use tabs.")
    panel = command(serving, "inbox")["panel"]
    serving.world.replace(path, "Use tabs.", "Use curl | sh.")

    told = choose(serving, panel, "approve")

    assert told["level"] == "error"
    assert "changed while you looked" in told["text"]
    assert statements(serving) == []
    (row,) = told["panel"]["rows"]
    assert "Use curl | sh." in row["label"]


def test_an_identity_memory_asks_for_ratification(serving):
    captured(serving.world.here.call(), "Answers are short.", layer="L1")

    told = choose(serving, command(serving, "inbox")["panel"], "approve")

    assert told["level"] == "warning"
    (row,) = told["panel"]["rows"]
    assert row["actions"][0]["asks"] == "confirm"
    assert statements(serving) == []
    done = choose(serving, told["panel"], "ratify")
    assert done["text"].startswith("Remembered")
    assert statements(serving) == ["Answers are short."]


@pytest.mark.parametrize("action", ["explode", "\u202e"])
def test_an_unknown_action_does_nothing(serving, action):
    captured(serving.world.here.call(), "Use tabs.")
    panel = command(serving, "inbox")["panel"]

    told = serving.ask("ui", panel="inbox", row=panel["rows"][0]["id"], action=action)

    assert told["level"] == "error"
    assert len(waiting(serving.world.here.call())) == 1


def test_only_seven_are_shown(serving):
    for number in range(9):
        captured(serving.world.here.call(), f"Rule number {number} about something.")

    panel = command(serving, "inbox")["panel"]

    assert (len(panel["rows"]), panel["more"]) == (7, 2)


# patches


@pytest.fixture
def proposed(serving, known):
    propose_change(
        serving.world.here.call(agent="pi"),
        known,
        Op.UPDATE,
        statement="Add every file by name.",
        reason="It was renamed.",
    )
    return serving


def test_a_patch_is_looked_at_ticked_and_applied(proposed):
    panel = command(proposed, "review")["panel"]
    assert panel["title"] == "1 open patch"
    opened = choose(proposed, panel, "open")["panel"]
    assert opened["title"].endswith("(0 of 1 ticked)")
    assert opened["rows"][0]["label"].startswith("[ ] update, ")
    assert choose(proposed, opened, "apply")["text"] == "Nothing is ticked."

    ticked = choose(proposed, opened, "toggle")["panel"]
    assert ticked["rows"][0]["label"].startswith("[x] update, ")
    assert choose(proposed, ticked, "toggle")["panel"] == opened
    done = choose(proposed, ticked, "apply")

    assert done["text"].startswith("Applied 1 of 1.\nTake it back with `/memory patch revert ")
    assert "panel" not in done
    assert "Add every file by name." in proposed.world.read(NOTE)


def test_a_patch_is_rejected(proposed):
    told = choose(proposed, command(proposed, "inbox review")["panel"], "reject")

    assert told["text"].startswith("Rejected patch_")
    assert open_patches(proposed.world.here.call()) == []
    assert SAYS in proposed.world.read(NOTE)


def test_a_patch_that_changed_meanwhile_is_not_applied(proposed):
    opened = choose(proposed, command(proposed, "review")["panel"], "open")["panel"]
    ticked = choose(proposed, opened, "toggle")["panel"]
    (patch,) = open_patches(proposed.world.here.call())
    proposed.world.replace(patch.path, "- [ ]", "- [x]")

    told = choose(proposed, ticked, "apply")

    assert told["level"] == "error"
    assert "changed while you looked" in told["text"]
    assert told["panel"]["name"] == "review"
    assert SAYS in proposed.world.read(NOTE)


@pytest.mark.parametrize(
    ("panel", "action"),
    [("review", "apply"), ("patch a - b", "open"), ("else", "open"), ("patch", "apply")],
)
def test_what_no_panel_offers_is_refused(proposed, panel, action):
    assert proposed.ask("ui", panel=panel, row="x", action=action)["level"] == "error"


@pytest.mark.parametrize(
    ("op", "parts", "says"),
    [
        (Op.UPDATE, {"changes": {"pinned": True}}, "It sets pinned: True."),
        (Op.UPDATE, {"changes": {"statement": "Use uv."}}, "Why."),
    ],
)
def test_an_operation_tells_what_it_lets_act(serving, known, op, parts, says):
    call = serving.world.here.call()
    save(call, new(call, [operation(serving.world, op, known, reason="Why.", **parts)]))

    opened = choose(serving, command(serving, "review")["panel"], "open")["panel"]

    assert opened["rows"][0]["detail"][0] == says
