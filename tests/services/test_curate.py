"""What becomes of candidates: proposed by default, applied only as far as the settings allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.services.candidates import captured
from vaultmem.core.drafting import HOLD, Draft, Held, Hold, Reinforcement
from vaultmem.core.ids import MemoryId
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.matching import IN_DOUBT, OPPOSITE
from vaultmem.core.model import Category, Memory
from vaultmem.core.patch_rules import Applier
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import AgentRefusedError, CaptureRefusedError, NotRatifiedError
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.call import Actor
from vaultmem.services.curate import (
    apply_chosen,
    carry_out,
    curate,
    decide_one,
    look,
    proposals,
    session_end,
)
from vaultmem.services.curating.applied_alone import applied_alone
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.curating.explain_held import explain_held
from vaultmem.services.curating.proposals import MIGRATED, is_ours_to_settle
from vaultmem.services.curating.put_candidate import put_candidate
from vaultmem.services.report import report
from vaultmem.services.revert import revert
from vaultmem.services.session_start import session_start
from vaultmem.services.write import entry

BUN = "Use bun for tests."
NPM = "Never use npm for installs."
SETTINGS = "Memory/Settings.md"


def said(world, **keys):
    """Settings of the vault; they hold from the next process on."""
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
    text = world.read(SETTINGS)
    world.write(SETTINGS, text.replace("type: settings\n", f"type: settings\n{lines}"))


def allowed(world, **keys):
    """Keys of this machine's user config."""
    place = world.here.home / "config/config.yaml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(f"{key}: {value}\n" for key, value in keys.items()))


def standings(world):
    return [one.statement for one in world.here.call().vault.baseline.standings()]


def inbox(world):
    return [one.candidate.memory.statement for one in waiting(world.here.call())]


def test_a_correction_goes_from_the_inbox_into_the_next_report_by_default(ready):
    captured(ready.here.call(), BUN)
    done = session_end(ready.here.call(agent="pi"))
    assert [one.op for one in done.applied] == ["add"]
    assert standings(ready) == [BUN]
    assert inbox(ready) == []
    assert BUN in report(ready.here.call()).text
    assert ready.here.sync().changes == ()
    assert "VM330" not in [one.code for one in ready.here.sync().findings]


def test_what_was_applied_by_itself_is_told_once_with_its_revert_command(ready):
    captured(ready.here.call(), BUN)
    done = session_end(ready.here.call())
    assert [one.statement for one in applied_alone(ready.here.call())] == [BUN]
    (told,) = session_start(ready.here.call(agent="pi")).applied
    assert (told.op, told.statement) == ("add", BUN)
    assert told.revert == f"vaultmem patch revert {done.patches[0]}"
    assert session_start(ready.here.call()).applied == ()
    assert applied_alone(ready.here.call()) == []


def test_what_a_person_applied_is_not_told(ready):
    captured(ready.here.call(), BUN)
    (one,) = waiting(ready.here.call())
    call = ready.here.call()
    carry_out(call, decide_one(call, one), one, applier=Applier.PERSON, via="inbox")
    assert standings(ready) == [BUN]
    assert session_start(ready.here.call()).applied == ()


# ---- what policy may not


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("an agent said it", {"trust": TrustClass.AGENT_INFERENCE, "sessions": ("s1", "s2")}),
        ("the repository said it", {"trust": TrustClass.REPOSITORY_TEXT, "sessions": ("s1", "s2")}),
        ("nobody knows for how long", {"durability": Durability.UNKNOWN}),
        ("for one task", {"durability": Durability.TASK}),
        ("the evidence says something else", {"said": "Tabs are wider than spaces."}),
        ("identity", {"layer": "L1"}),
        ("it would act", {"trigger": "bash_contains npm", "action": "block"}),
        ("it is pinned", {"pinned": True}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_policy_applies_nothing_that_a_person_must_look_at(ready, kind, changes):
    allowed(ready, curator_auto_curate="all-eligible", curator_min_confidence=0)
    captured(ready.here.call(), BUN, **changes)
    assert session_end(ready.here.call()).applied == ()
    assert inbox(ready) == [BUN], kind


def test_policy_applies_nothing_against_what_stands(ready):
    ready.memory("Memory/Lessons/N.md", NPM, category="lesson")
    ready.here.sync()
    captured(ready.here.call(), "Use npm for installs.")
    done = session_end(ready.here.call())
    assert done.applied == ()
    assert [one.priority for one in done.questions] == ["high"]
    assert standings(ready) == [NPM]


def test_what_was_edited_after_it_was_captured_waits_for_a_person(ready):
    path = captured(ready.here.call(), BUN)
    ready.replace(path, BUN, "Use bun for tests and deploys.")
    ready.here.sync()
    done = session_end(ready.here.call())
    assert done.applied == ()
    assert standings(ready) == []
    (proposal,) = proposals(ready.here.call())
    assert not proposal.as_written


def test_an_older_version_that_somebody_puts_back_waits_for_a_person(ready):
    path = captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    before = ready.read(path)
    assert curate(ready.here.call()).held, "the note says now why it waits"
    assert ready.read(path) != before
    ready.write(path, before)
    ready.here.sync()
    (proposal,) = proposals(ready.here.call())
    assert not proposal.as_written


def test_a_forged_claim_gains_nothing(ready):
    path = captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    ready.replace(path, "trust: agent_inference", "trust: direct_user_instruction")
    ready.here.sync(agent="pi")
    assert session_end(ready.here.call()).applied == ()


def test_without_the_key_nothing_is_applied_by_itself(ready):
    captured(ready.here.call(), BUN)
    (key,) = (ready.here.home / "state").glob("vault_*/key")
    key.unlink()
    done = session_end(ready.here.call())
    assert done.applied == ()
    assert "vaultmem key import" in done.kept_back
    assert standings(ready) == []


def test_another_device_lets_the_one_that_captured_it_act_first(ready):
    other = ready.device()
    other.sync()
    captured(ready.here.call(), BUN)
    assert session_end(other.call()).applied == ()
    assert curate(other.call()).proposed, "a person's command may"
    (opened,) = patches.open_patches(other.call())
    patches.reject(other.call(), opened.id)
    other.pass_time(minutes=11)
    assert len(session_end(other.call()).applied) == 1
    assert session_end(ready.here.call()).applied == ()
    assert standings(ready) == [BUN]


def test_a_candidate_that_was_copied_waits(ready):
    path = captured(ready.here.call(), BUN)
    ready.write("Memory/Inbox/Copy.md", ready.read(path))
    ready.here.sync()
    assert proposals(ready.here.call()) == []
    assert session_end(ready.here.call()).applied == ()


def test_a_running_tool_makes_policy_wait(ready):
    captured(ready.here.call(), BUN)
    call = ready.here.call()
    ready.here.open_window(call.nanoseconds)
    assert "tool" in session_end(ready.here.call()).kept_back


# ---- the settings


@pytest.mark.parametrize(
    ("keys", "applied"),
    [
        ({}, [BUN]),
        ({"curator_auto_curate": "off"}, []),
        ({"curator_auto_curate": "all-eligible"}, [BUN, NPM]),
        ({"curator_auto_curate_high_threshold": 0.95}, []),
        ({"curator_auto_curate_high_threshold": 0.78}, [BUN, NPM]),
        ({"curator_min_confidence": 0.95}, []),
        ({"curator_min_confidence": 0.9}, [BUN]),
    ],
    ids=str,
)
def test_what_policy_applies_follows_the_settings(ready, keys, applied):
    allowed(ready, **keys)
    captured(ready.here.call(), BUN, confidence=0.9)
    captured(ready.here.call(), NPM, confidence=0.8)
    session_end(ready.here.call())
    assert sorted(standings(ready)) == sorted(applied)


def test_a_vault_can_ask_for_more_care_and_not_for_less(ready):
    said(ready, curator_auto_curate="all-eligible", curator_auto_curate_high_threshold=0.1)
    captured(ready.here.call(), NPM, confidence=0.8)
    assert session_end(ready.here.call()).applied == ()
    codes = [one.code for one in ready.here.call().vault.findings]
    assert codes == ["VM222", "VM222"]
    allowed(ready, curator_auto_curate="all-eligible", curator_auto_curate_high_threshold=0.1)
    assert len(session_end(ready.here.call()).applied) == 1
    assert ready.here.call().vault.findings == ()


@pytest.mark.parametrize(("count", "proposed"), [(1, True), (2, False)])
def test_how_many_sessions_a_candidate_of_the_agent_needs(ready, count, proposed):
    allowed(ready, curator_min_evidence_count=count)
    captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    done = curate(ready.here.call())
    assert (done.proposed is not None) is proposed
    assert [one.hold for one in done.held] == ([] if proposed else [Hold.UNCORROBORATED])


@pytest.mark.parametrize(("mode", "applied"), [("compatibility", [BUN]), ("strict", [])])
def test_what_an_older_store_brought_needs_evidence_in_strict(ready, mode, applied):
    said(ready, governance_mode=mode)
    path = captured(ready.here.call(), BUN, sessions=(), evidence_count=2)
    text = ready.read(path).replace("trust: user_correction\n", "")
    ready.write(path, text.replace("durability: project\n", ""))
    _migrated(ready, path)
    session_end(ready.here.call())
    assert standings(ready) == applied


def _migrated(world, path):
    """Sign for a candidate as a migration does."""
    call = world.here.call()
    call.vault.baseline.restat(path, (0, 0, 0, 0), 0)
    world.here.sync()
    (one,) = waiting(world.here.call())
    mac = call.vault.key.mac("content", one.data)
    line = entry(call, MIGRATED, one.id, {"after": mac, "by": "person"})
    call.vault.append(LedgerKind.ACTIVITY, [line])


@pytest.mark.parametrize(
    ("keys", "opens"),
    [({}, False), ({"curator_inbox_prompt_threshold": 1}, True)],
    ids=str,
)
def test_whether_the_inbox_opens_when_a_session_starts(ready, keys, opens):
    said(ready, **keys)
    captured(ready.here.call(), BUN)
    started = session_start(ready.here.call())
    assert (started.waiting, started.opens_inbox) == (1, opens)


def test_what_was_put_off_does_not_open_the_inbox(ready):
    said(ready, curator_inbox_prompt_threshold=0)
    path = captured(ready.here.call(), BUN)
    ready.replace(path, "decision:", "decision: defer")
    started = session_start(ready.here.call())
    assert (started.waiting, started.opens_inbox) == (0, False)
    assert proposals(ready.here.call()) == []


@pytest.mark.parametrize("mode", ["wakeup", "policy_only"])
def test_the_mode_of_the_report(ready, mode):
    ready.memory("Memory/Lessons/N.md", NPM, category="lesson")
    ready.here.sync()
    said(ready, retrieval_injection_mode=mode)
    made = report(ready.here.call())
    assert (made.mode, made.sections) == (mode, ())
    assert NPM not in made.text


def test_the_caps_of_the_report(ready):
    for number in range(3):
        ready.memory(f"Memory/Lessons/{number}.md", f"Lesson {number}.", category="lesson")
    ready.here.sync()
    for key in ("retrieval_max_records", "retrieval_max_l2_records"):
        ready.write(SETTINGS, f"---\ntype: settings\nid: {_id(ready)}\n{key}: 1\n---\n")
        ids = [one for section in report(ready.here.call()).sections for one in section.ids]
        assert len(ids) == 1, key
    ready.write(SETTINGS, f"---\nid: {_id(ready)}\nretrieval_max_l1_records: 0\n---\n")
    assert len(report(ready.here.call()).sections[0].ids) == 3


def _id(world):
    return world.here.call().vault.state.vault_id


# ---- the modes of the command


def test_by_default_a_curation_proposes(ready):
    path = captured(ready.here.call(), BUN)
    before = ready.read(path)
    done = curate(ready.here.call())
    assert done.applied == ()
    (opened,) = patches.open_patches(ready.here.call())
    assert opened.path == done.proposed
    assert [one.op for one in opened.patch.operations] == ["add"]
    assert ready.read(path) == before, "the candidate waits as it is"
    assert standings(ready) == []


def test_a_candidate_is_in_one_open_patch_only(ready):
    captured(ready.here.call(), BUN)
    assert curate(ready.here.call()).proposed
    again = curate(ready.here.call())
    assert (again.proposed, again.held) == (None, ())
    captured(ready.here.call(), NPM)
    assert curate(ready.here.call()).proposed
    assert len(patches.open_patches(ready.here.call())) == 2
    assert session_end(ready.here.call()).applied == ()


@pytest.mark.parametrize("mode", ["auto", "supervised"])
def test_an_option_can_only_ask_for_more_care(ready, mode):
    captured(ready.here.call(), BUN)
    done = curate(ready.here.call(), mode=mode)
    assert done.mode == "propose"
    assert done.applied == ()
    allowed(ready, curator_mode="auto")
    assert look(ready.here.call(), mode=mode).mode == mode


def test_auto_applies_what_is_selected_and_proposes_the_rest(ready):
    allowed(ready, curator_mode="auto")
    captured(ready.here.call(), BUN, confidence=0.8)
    captured(ready.here.call(), NPM, trust=TrustClass.AGENT_INFERENCE, sessions=("s1", "s2"))
    done = curate(ready.here.call())
    assert [one.op for one in done.applied] == ["add"]
    assert standings(ready) == [BUN]
    (opened,) = patches.open_patches(ready.here.call())
    assert opened.path == done.proposed
    assert opened.patch.operations[0].memory.statement == NPM


def test_supervised_applies_what_the_person_says_yes_to(ready):
    allowed(ready, curator_mode="supervised")
    captured(ready.here.call(), BUN)
    captured(ready.here.call(), NPM, trust=TrustClass.AGENT_INFERENCE, sessions=("s1", "s2"))
    seen = look(ready.here.call())
    ids = {one.memory.statement: one.id for one in seen.patch.operations}
    done = apply_chosen(ready.here.call(), seen, frozenset({ids[NPM]}))
    assert [one.op for one in done.applied] == ["add"]
    assert done.skipped == ()
    assert standings(ready) == [NPM]
    assert inbox(ready) == [BUN]
    assert apply_chosen(ready.here.call(), look(ready.here.call()), frozenset()).applied == ()


def test_an_agent_may_not_curate(ready):
    captured(ready.here.call(), BUN)
    seen = look(ready.here.call())
    for what in (look, curate, lambda call: apply_chosen(call, seen, frozenset())):
        with pytest.raises(AgentRefusedError, match="curate"):
            what(ready.here.call(agent="pi"))


# ---- what is known already


def test_what_is_known_counts_there_once_a_session(ready):
    known = ready.memory("Memory/Lessons/B.md", BUN, category="lesson", evidence_count=2)
    ready.here.sync()
    captured(ready.here.call(), BUN, sessions=("s1", "s2"))
    waits = curate(ready.here.call())
    assert [one.memory for one in waits.repeats] == [known], "to propose applies nothing"
    done = session_end(ready.here.call())
    assert [one.memory for one in done.counted] == [known]
    assert inbox(ready) == []
    baseline = ready.here.call().vault.baseline
    assert baseline.standing(known).evidence_count == 4
    captured(ready.here.call(), BUN, sessions=("s2",))
    session_end(ready.here.call())
    assert ready.here.call().vault.baseline.standing(known).evidence_count == 4
    assert ready.ledger().count(" repeated ") == 2
    assert ready.here.sync().changes == ()


def test_approving_what_is_known_counts_there(ready):
    known = ready.memory("Memory/Lessons/B.md", BUN, category="lesson", evidence_count=2)
    ready.here.sync()
    captured(ready.here.call(), BUN, sessions=())
    (one,) = waiting(ready.here.call())
    call = ready.here.call()
    decided = decide_one(call, one)
    assert isinstance(decided, Reinforcement)
    assert carry_out(call, decided, one, applier=Applier.PERSON, via="inbox") is None
    assert ready.here.call().vault.baseline.standing(known).evidence_count == 3
    assert inbox(ready) == []


def test_a_candidate_that_changed_meanwhile_goes_on_waiting(ready):
    ready.memory("Memory/Lessons/B.md", BUN, category="lesson")
    ready.here.sync()
    allowed(ready, curator_mode="supervised")
    path = captured(ready.here.call(), BUN)
    seen = look(ready.here.call())
    ready.replace(path, BUN, "Use bun for all tests.")
    done = apply_chosen(ready.here.call(), seen, frozenset())
    assert (len(done.counted), len(done.repeats)) == (0, 1)
    assert ready.path(path).exists()


# ---- a person's approval


def test_an_approved_candidate_starts_with_two_pieces_of_evidence(ready):
    captured(ready.here.call(), BUN, sessions=(), confidence=0.4)
    (one,) = waiting(ready.here.call())
    call = ready.here.call()
    decided = decide_one(call, one)
    assert isinstance(decided, Draft)
    assert decided.operation.memory.evidence_count == 2
    done = carry_out(call, decided, one, applier=Applier.PERSON, via="inbox")
    assert [one.op for one in done.applied] == ["add"]
    assert standings(ready) == [BUN]


def test_a_secret_is_not_approved_and_not_proposed(ready):
    from tests.core.fakes import fake

    path = captured(ready.here.call(), BUN)
    ready.replace(path, BUN, f"Use bun with gh{'p_'}{fake(36)}.")
    ready.here.sync()
    done = curate(ready.here.call())
    assert done.proposed is None
    assert "names where the secret is kept" in done.held[0].sentence
    (one,) = waiting(ready.here.call())
    with pytest.raises(CaptureRefusedError, match="secret"):
        decide_one(ready.here.call(), one)


# ---- why it waits


def test_the_note_of_what_waits_says_why(ready):
    path = captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    done = curate(ready.here.call())
    assert [one.hold for one in done.held] == [Hold.UNCORROBORATED]
    (one,) = waiting(ready.here.call())
    assert one.candidate.verification == "review_required"
    assert one.candidate.reasons == done.held[0].sentences
    before = ready.read(path)
    curate(ready.here.call())
    assert ready.read(path) == before, "nothing is written where nothing changed"
    assert ready.here.sync().changes == ()


OWN = "It says “this once”, so it may not be meant to last."


@pytest.mark.parametrize("ended", [curate, session_end], ids=["curate", "session_end"])
def test_a_reason_of_its_own_stays_and_goes_first(ready, ended):
    known = ready.memory("Memory/Lessons/N.md", NPM, category="lesson")
    ready.here.sync()
    _, path = put_candidate(
        ready.here.call(),
        Memory(id=MemoryId(""), category=Category.LESSON, statement=BUN),
        trust="agent_inference",
        reasons=[OWN, HOLD[Hold.CONFIDENCE]],
        matched=[known],
    )
    for _ in range(2):  # nothing is said twice
        ready.here.pass_time(minutes=3)
        (held,) = ended(ready.here.call()).held
        (one,) = waiting(ready.here.call())
        assert one.candidate.reasons == (OWN, *held.sentences)
        assert one.candidate.matched == ("[[N]]",)
        assert HOLD[Hold.CONFIDENCE] not in held.sentences
    before = ready.read(path)
    ended(ready.here.call())
    assert ready.read(path) == before


def test_what_a_check_said_of_another_place_is_said_anew_or_not_at_all(ready):
    put_candidate(
        ready.here.call(),
        Memory(id=MemoryId(""), category=Category.LESSON, statement=BUN),
        trust="agent_inference",
        reasons=[
            f"{OPPOSITE}the global memory 1A2B3C; approve it if it holds here instead.",
            IN_DOUBT,
        ],
        matched=[],
    )
    (held,) = curate(ready.here.call()).held
    (one,) = waiting(ready.here.call())
    assert one.candidate.reasons == held.sentences


def test_two_candidates_that_say_one_thing_name_each_other(ready):
    captured(ready.here.call(), BUN)
    second = captured(ready.here.call(), "Use bun for tests!", sessions=("s2",))
    done = curate(ready.here.call())
    assert [one.hold for one in done.held] == [Hold.REPEATED]
    assert 'matched: "[[Use bun for tests]]"' in ready.read(second).replace("\n  - ", " ")


def test_policy_leaves_a_note_alone_that_just_changed(ready):
    path = captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    before = ready.read(path)
    session_end(ready.here.call())
    assert ready.read(path) == before
    ready.here.pass_time(minutes=3)
    session_end(ready.here.call())
    assert "reasons" in ready.read(path)


def test_a_note_that_somebody_changed_is_not_signed_by_explaining_it(ready):
    path = captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    ready.replace(path, BUN, "Use bun for tests only.")
    ready.here.sync()
    text = ready.read(path)
    assert curate(ready.here.call()).held
    assert ready.read(path) == text


# ---- what changes between the look and the act


def test_of_a_patch_that_was_applied_in_part_only_that_part_is_told(ready):
    allowed(ready, curator_mode="auto")
    captured(ready.here.call(), BUN)
    path = captured(ready.here.call(), NPM)
    seen = look(ready.here.call())
    ready.replace(path, NPM, "Never use npm.")
    ready.here.sync()
    policy = ready.here.call()._replace(actor=Actor.POLICY)
    done = apply(policy, seen.patch, applier=Applier.POLICY, via="session_end")
    assert [one.code for one in done.skipped] == ["stale"]
    assert [one.statement for one in applied_alone(ready.here.call())] == [BUN]


def test_what_was_reverted_is_not_told(ready):
    captured(ready.here.call(), BUN)
    done = session_end(ready.here.call())
    revert(ready.here.call(), done.patches[0])
    assert session_start(ready.here.call()).applied == ()


def test_a_note_that_vanished_meanwhile_stops_nothing(ready):
    path = captured(ready.here.call(), BUN, trust=TrustClass.AGENT_INFERENCE)
    (one,) = waiting(ready.here.call())
    ready.path(path).unlink()
    held = Held(one.id, Hold.UNCORROBORATED)
    for actor in (Actor.PERSON, Actor.POLICY):
        explain_held(ready.here.call()._replace(actor=actor), [held], {one.id: one})
    assert not ready.path(path).exists()
    elsewhere = replace(one.candidate, device="dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2")
    assert not is_ours_to_settle(ready.here.call(), one._replace(candidate=elsewhere))


def test_a_candidate_that_would_be_first_and_is_gone_is_named_by_its_id(ready):
    path = captured(ready.here.call(), BUN)
    (one,) = waiting(ready.here.call())
    gone = ready.new_id()
    held = Held(one.id, Hold.REPEATED, memories=(gone,))
    explain_held(ready.here.call(), [held], {one.id: one})
    assert gone in ready.read(path)


@pytest.mark.parametrize("force", ["pinned: true", "rule: avoid_pattern", "layer: L1"])
def test_what_an_agent_made_act_is_approved_only_by_ratifying_it(ready, force):
    path = captured(ready.here.call(), BUN)
    ready.replace(path, "type: candidate\n", f"type: candidate\n{force}\n")
    ready.here.sync(agent="pi")
    (one,) = waiting(ready.here.call())
    with pytest.raises(NotRatifiedError, match="vaultmem ratify cand_"):
        decide_one(ready.here.call(), one)
    assert decide_one(ready.here.call(), one, ratified=True)
    ready.path(path).unlink()
    with pytest.raises(NotRatifiedError):
        decide_one(ready.here.call(), one)


def test_what_the_person_made_act_needs_their_approval_only(ready):
    path = captured(ready.here.call(), BUN)
    ready.replace(path, "type: candidate\n", "type: candidate\npinned: true\n")
    ready.here.sync()
    (one,) = waiting(ready.here.call())
    assert decide_one(ready.here.call(), one)


def test_a_decision_that_an_agent_wrote_decides_nothing_on_another_device(ready):
    other = ready.device()
    other.sync()
    path = captured(ready.here.call(), BUN)
    ready.replace(path, "decision:", "decision: approve")
    ready.here.sync(agent="pi")
    assert ready.ledger().count(" external ") == 1
    for device in (ready.here, other):
        device.pass_time(minutes=11)
        device.sync()
        device.sync()
    assert standings(ready) == []
    assert ready.ledger().count(" external ") == 2, "once for each device"


@pytest.mark.parametrize(("mode", "ticked"), [("compatibility", True), ("strict", False)])
def test_a_proposal_ticks_what_the_mode_allows(ready, mode, ticked):
    said(ready, governance_mode=mode)
    path = captured(ready.here.call(), BUN, sessions=(), evidence_count=2)
    text = ready.read(path).replace("trust: user_correction\n", "")
    ready.write(path, text.replace("durability: project\n", ""))
    _migrated(ready, path)
    curate(ready.here.call())
    (opened,) = patches.open_patches(ready.here.call())
    assert opened.patch.operations[0].selected is ticked
