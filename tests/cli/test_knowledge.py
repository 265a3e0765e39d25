"""Knowledge notes at the terminal: suggested for what waits, linked by the person, checked."""

from __future__ import annotations

import pytest

from tests.cli.proposed import AGENT, propose
from tests.cli.terminal import write
from tests.cli.test_curate import config, put
from tests.cli.test_json import COMMANDS, LISTS
from vaultmem.notes.hints import TITLE

NOTE = "Ranking by BM25 weighs rare words more than common ones and long notes less.\n"
SAYS = "Weigh rare words more than common ones in the ranking of notes."
LINK = "[[Notes/BM25 Ranking|BM25 Ranking]]"
ADDRESS = "[BM25 Ranking](obsidian://open?vault=Wiki&file=BM25%20Ranking)"
FRUIT = ("Apples", "Berries", "Cherries", "Dates", "Elderberries", "Figs")


def stock(folder, note="Notes/BM25 Ranking.md"):
    """Write notes on fruit, and one on ranking."""
    for name in FRUIT:
        write(folder / f"Fruit/{name}.md", f"{name} are eaten raw; each has a season.\n")
    write(folder / note, NOTE)
    return folder


@pytest.fixture
def person(terminal):
    """A vault with knowledge notes."""
    stock(terminal.cwd)
    terminal.ok("sync")
    return terminal


@pytest.fixture
def wiki(terminal, tmp_path):
    """Another vault, which holds the note on ranking."""
    terminal.ok("sync")
    return stock(tmp_path / "Wiki", "BM25 Ranking.md")


def suggestions(person, **more):
    (one,) = person.ok("inbox", "--json", **more).json["candidates"]
    return one["vault_ref_suggestions"]


def codes(person):
    return [one["code"] for one in person.run("doctor", "--json").json["findings"]]


def vault_ref(person, identifier):
    return person.ok("show", identifier, "--json").json["vault_ref"]


def test_a_candidate_is_shown_with_its_knowledge_notes_and_their_reasons(person):
    propose(person, SAYS)
    (one,) = person.ok("inbox", "--json").json["candidates"]
    assert one["vault_ref_suggestions"] == [LINK]
    assert one["vault_ref"] is None
    (note,) = one["knowledge"]
    assert tuple(note) == ("link", "score", "reason")
    assert note["link"] == LINK
    assert note["reason"].startswith("words: Weigh, rare, words")
    assert f"  Knowledge notes that may say more:\n    1. {LINK} (0." in person.ok("inbox").out
    assert TITLE in (person.cwd / one["path"]).read_text()


def test_an_agent_is_shown_only_what_it_may_read(person):
    propose(person, SAYS)
    assert suggestions(person) == [LINK]
    assert suggestions(person, env=AGENT) == []
    (one,) = person.ok("inbox", "--json", env=AGENT).json["candidates"]
    shown = person.ok("show", one["id"], "--json", env=AGENT).json
    assert shown["vault_ref_suggestions"] == []
    config(person, "knowledge: [Notes]\n")
    assert suggestions(person, env=AGENT) == [LINK]


def test_a_candidate_can_be_shown_with_its_suggestions(person):
    (identifier,) = propose(person, SAYS)
    person.ok("inbox")
    assert person.ok("show", identifier, "--json").json["vault_ref_suggestions"] == [LINK]
    found = person.ok("show", identifier, "--knowledge", "--json").json["knowledge"]
    assert [one["link"] for one in found] == [LINK]


@pytest.mark.parametrize("named", ["1", "BM25 Ranking", "Notes/BM25 Ranking.md", LINK])
def test_an_approval_links_the_memory_to_the_named_note(person, named):
    (identifier,) = propose(person, SAYS)
    (done,) = person.ok("inbox", "approve", identifier, "--vault-ref", named, "--json").json[
        "decided"
    ]
    assert vault_ref(person, done["id"]) == LINK
    text = (person.cwd / done["path"]).read_text()
    assert TITLE not in text
    assert "vault_ref_suggestions" not in text
    assert "VM116" not in codes(person)


@pytest.mark.parametrize("named", ["2", "Nothing", "Memory/Settings.md"])
def test_a_note_that_is_not_there_decides_nothing(person, named):
    (identifier,) = propose(person, SAYS)
    assert person.run("inbox", "approve", identifier, "--vault-ref", named).code != 0
    assert suggestions(person) == [LINK]


def test_what_was_linked_is_said(person):
    (identifier,) = propose(person, SAYS)
    out = person.ok("inbox", "approve", identifier, "--vault-ref", "1").out
    assert f"  It links to {LINK}.\n" in out


def test_one_note_is_for_one_candidate(person):
    names = propose(person, SAYS, "Close the shop at six.")
    assert person.run("inbox", "approve", *names, "--vault-ref", "1").code == 2


def test_an_approval_that_counts_for_a_known_memory_links_that_one(person):
    known = person.ok("add", SAYS, "--category", "lesson", "--json").json["id"]
    (identifier,) = propose(person, SAYS)
    (done,) = person.ok("inbox", "approve", identifier, "--vault-ref", "1", "--json").json[
        "decided"
    ]
    assert (done["outcome"], done["id"]) == ("reinforced", known)
    assert vault_ref(person, known) == LINK


def test_a_candidate_is_linked_before_it_is_approved(person):
    (identifier,) = propose(person, SAYS)
    person.ok("inbox")
    person.ok("inbox", "edit", identifier, "--set", "vault_ref", "1")
    assert f"  It links to {LINK}.\n" in person.ok("inbox").out
    (done,) = person.ok("inbox", "approve", identifier, "--json").json["decided"]
    assert vault_ref(person, done["id"]) == LINK


def test_a_review_links_by_a_key(person):
    propose(person, SAYS)
    out = person.ok("inbox", "review", typed="l\n\nl\nnothing\nl\n1\na\n").out
    assert "No note of the vault is called 'nothing'." in out
    assert f"It links to {LINK}." in out
    (one,) = person.ok("learnings", "--json").json["learnings"]
    assert vault_ref(person, one["id"]) == LINK


def test_the_end_of_input_while_a_note_is_asked_for_leaves_the_review(person):
    propose(person, SAYS)
    assert "1 candidate still waits." in person.ok("inbox", "review", typed="l\n").out


def test_a_memory_is_shown_with_the_notes_that_may_say_more_and_linked(person):
    known = person.ok("add", SAYS, "--category", "lesson", "--json").json["id"]
    out = person.ok("show", known, "--knowledge").out
    assert f"    1. {LINK} (0." in out
    assert f'`vaultmem edit {known} --set vault_ref "LINK"`' in out
    (waits,) = propose(person, "Weigh rare words more than long ones in the ranking of notes.")
    shown = person.ok("show", waits, "--knowledge").out
    assert f'`vaultmem inbox edit {waits} --set vault_ref "LINK"`' in " ".join(shown.split())
    person.ok("edit", known, "--set", "vault_ref", "BM25 Ranking")
    assert vault_ref(person, known) == LINK
    assert "No knowledge note says more." in person.ok("show", known, "--knowledge").out
    person.ok("edit", known, "--set", "vault_ref", "")
    assert vault_ref(person, known) is None
    assert person.run("edit", known, "--set", "vault_ref", "Nothing").code != 0
    other = person.ok("add", "Close the shop at six.", "--category", "lesson", "--json").json["id"]
    assert person.ok("show", other, "--knowledge", "--json").json["knowledge"] == []


def test_an_agent_cannot_ask_which_notes_the_person_has(person):
    known = person.ok("add", SAYS, "--category", "lesson", "--json").json["id"]
    assert person.run("show", known, "--knowledge", env=AGENT).code == 40


def test_a_patch_names_the_notes_and_writes_none(person):
    put(person, SAYS)
    done = person.ok("curate", "--json").json
    (operation,) = person.ok("patch", "show", done["proposed_id"], "--json").json["operations"]
    assert operation["reason"].endswith("See also “Notes/BM25 Ranking”.")
    person.ok("patch", "apply", done["proposed_id"], "--all")
    (one,) = person.ok("learnings", "--json").json["learnings"]
    assert vault_ref(person, one["id"]) is None


def test_a_candidate_gets_the_best_note_where_the_user_config_lets_it(person):
    put(person, SAYS)
    (one,) = person.ok("inbox", "--json").json["candidates"]
    assert one["vault_ref"] is None
    config(person, "vault_report_only: false\n")
    person.ok("inbox")
    (one,) = person.ok("inbox", "--json").json["candidates"]
    assert one["vault_ref"] == LINK
    done = person.ok("curate", "--json").json
    person.ok("patch", "apply", done["proposed_id"], "--all")
    (one,) = person.ok("learnings", "--json").json["learnings"]
    assert vault_ref(person, one["id"]) == LINK


def test_a_vault_cannot_let_links_be_written(person):
    put(person, SAYS)
    text = "---\ntype: settings\nvault_report_only: false\n---\nSettings.\n"
    write(person.cwd / "Memory/Settings.md", text)
    (one,) = person.ok("inbox", "--json").json["candidates"]
    assert one["vault_ref"] is None


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", False),
        ("knowledge_vaults: ['{wiki}']\n", True),
        ("vault_path: '{wiki}'\n", False),
        ("vault_enabled: true\n", False),
        ("vault_path: '{wiki}'\nvault_enabled: true\n", True),
        ("vault_path: '{wiki}'\nvault_enabled: false\nknowledge_vaults: ['{wiki}']\n", True),
    ],
)
def test_which_other_vaults_count_is_said_in_the_user_config(terminal, wiki, text, seen):
    propose(terminal, SAYS)
    config(terminal, text.format(wiki=wiki))
    assert suggestions(terminal) == ([ADDRESS] if seen else [])


def test_a_vault_cannot_name_another_one(terminal, wiki):
    propose(terminal, SAYS)
    write(
        terminal.cwd / "Memory/Settings.md",
        f"---\ntype: settings\nvault_enabled: true\nvault_path: '{wiki}'\n---\nSettings.\n",
    )
    assert suggestions(terminal) == []


def test_the_vault_of_pi_counts_where_it_is_another_one(terminal, wiki, tmp_path):
    (identifier,) = propose(terminal, SAYS)
    before = {place: place.read_bytes() for place in wiki.rglob("*.md")}
    other = {"PI_VAULT_PATH": str(wiki)}
    assert suggestions(terminal, env=other) == [ADDRESS]
    (done,) = terminal.ok(
        "inbox", "approve", identifier, "--vault-ref", "1", "--json", env=other
    ).json["decided"]
    assert vault_ref(terminal, done["id"]) == ADDRESS
    assert {place: place.read_bytes() for place in wiki.rglob("*.md")} == before
    assert not (wiki / "Memory").exists()
    assert "VM116" not in [
        one["code"] for one in terminal.run("doctor", "--json", env=other).json["findings"]
    ]
    (wiki / "BM25 Ranking.md").rename(wiki / "Ranking.md")
    found = terminal.run("doctor", "--json", env=other).json["findings"]
    messages = [one["message"] for one in found if one["code"] == "VM116"]
    assert messages == ["The vault Wiki has no note BM25 Ranking."]
    assert "VM116" not in codes(terminal), "a machine that does not know the vault cannot tell"


def test_a_patch_names_a_note_of_another_vault_with_the_vault(terminal, wiki):
    put(terminal, SAYS)
    put(terminal, "Close the shop at six.")
    other = {"PI_VAULT_PATH": str(wiki)}
    done = terminal.ok("curate", "--json", env=other).json
    shown = terminal.ok("patch", "show", done["proposed_id"], "--json").json["operations"]
    assert [one["reason"].partition("See also ")[2] for one in shown] == [
        "“Wiki: BM25 Ranking”.",
        "",
    ]


def test_a_vault_that_is_not_there_is_a_finding(person, tmp_path):
    config(person, f"knowledge_vaults: ['{tmp_path}/none', '{person.cwd}/Notes']\n")
    assert {"VM820", "VM821"} <= set(codes(person))
    assert person.ok("inbox", "--json").json["candidates"] == []


@pytest.mark.parametrize(
    ("link", "code"),
    [
        ("[[Notes/BM25 Ranking|x]]", None),
        ("[[BM25 Ranking#Part]]", None),
        ("[[Old/BM25 Ranking]]", "VM116"),  # it was moved by something other than Obsidian
        ("[[Okapi]]", "VM116"),  # an alias is no name
        ("BM25 Ranking", "VM822"),
        ("[[BM25 Ranking]] and [[BM25 Ranking|x]]", "VM822"),
    ],
)
def test_a_link_that_leads_nowhere_is_a_finding(person, link, code):
    write(person.cwd / "Notes/BM25 Ranking.md", f"---\naliases: [Okapi]\n---\n{NOTE}")
    known = person.ok("add", SAYS, "--category", "lesson", "--json").json
    person.ok("note", "set", known["path"], "vault_ref", link)
    found = person.run("doctor", "--json").json["findings"]
    assert [one["code"] for one in found if one["path"] == known["path"]] == [code] * bool(code)
    if "Old/" in link:
        (one,) = (one for one in found if one["code"] == "VM116")
        assert f'--set vault_ref "{LINK}"' in one["remedy"]


def test_the_shapes_are_those_of_the_reference():
    assert "knowledge" in COMMANDS["show"]
    assert LISTS["knowledge` of `candidates"] == {"link", "score", "reason"}
    assert {"vault_ref_suggestions", "knowledge", "vault_ref"} <= set(LISTS["candidates"])
