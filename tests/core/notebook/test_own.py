"""By its versions a notebook tells what a person wrote, and whose a skill is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.citing import Sources, cited_handbook
from vaultmem.core.notebook.inert_text import inert_markdown
from vaultmem.core.notebook.kept import with_own_lines
from vaultmem.core.notebook.legend import LEGEND, with_legend, without_legend
from vaultmem.core.notebook.outline import outline
from vaultmem.core.notebook.own import (
    MACHINE,
    PERSON,
    UNPUBLISHED,
    Version,
    foreign_skills,
    own_lines,
    own_texts,
)
from vaultmem.core.notebook.places import OwnLine, all_lines, blocks, headed, lines_at
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY


def said(versions, marks=frozenset()):
    """The words of the person's lines."""
    return own_texts(own_lines(versions, marks))


def version(by, text, **skills):
    files = {"MEMORY.md": text.encode()}
    files |= {f"Skills/{name}/SKILL.md": body.encode() for name, body in skills.items()}
    return Version(by, files)


def test_a_persons_lines_are_those_that_their_versions_brought():
    versions = [
        version(MACHINE, "a\nb\nmine\nlater\n"),
        version(PERSON, "a\nmine\nlater\n"),
        version(MACHINE, "a\nmine\n"),
        version(PERSON, "a\n  mine\n\n"),
        version(MACHINE, "a\n"),
    ]
    assert said(versions) == {"mine", "later"}


def test_a_first_version_of_a_person_is_theirs_but_for_what_cites():
    assert said([version(PERSON, "a\n")]) == {"a"}
    assert said([version(MACHINE, "a\n")]) == frozenset()
    assert said([]) == frozenset()


def test_a_skill_is_of_whoever_changed_it_last():
    versions = [
        version(MACHINE, "x", made="1", edited="2", theirs="1"),
        version(PERSON, "x", made="1", edited="2", theirs="1"),
        version(MACHINE, "x", made="1", edited="1"),
        version("dev_1", "x"),
    ]
    assert foreign_skills(versions) == {"edited", "theirs"}
    assert foreign_skills([]) == frozenset()


def test_a_skill_as_old_as_what_is_known_is_of_the_oldest_version():
    assert foreign_skills([version(MACHINE, "x", a="1"), version(PERSON, "x", a="1")]) == {"a"}


def test_what_a_restored_version_brings_back_is_whose_it_was():
    versions = [
        version(PERSON, "old\nmine\nmore\n", made="1"),
        version(PERSON, "old\nmine\n", made="1"),
        version(UNPUBLISHED, "new\nlost\n", made="2"),
        version(MACHINE, "new\n", made="2"),
        version(MACHINE, "old\nmine\n", made="1"),
        version(PERSON, "mine\n"),
    ]
    assert said(versions) == {"mine", "more"}
    assert foreign_skills(versions) == frozenset()


def test_a_line_that_the_person_writes_again_is_theirs():
    versions = [
        version(PERSON, "new\nold\n"),
        version(MACHINE, "new\n"),
        version(MACHINE, "old\n"),
    ]
    assert said(versions) == {"old"}


def test_what_was_never_in_force_is_the_persons_once_they_restore_it():
    versions = [
        version(PERSON, "a\nmine\n", theirs="1"),
        version(PERSON, "a\n"),
        version(UNPUBLISHED, "a\nmine\n", theirs="1"),
        version(MACHINE, "a\n"),
    ]
    assert said(versions) == {"mine"}
    assert foreign_skills(versions) == {"theirs"}


STEM = "2025-02-11T15-35-19-jqmb-fix"
TASK = f"# Task Group: g\nscope: s\n\n## Task 1: t\n### rollout_summary_files\n- {STEM}.md\n### keywords\nmake\n"


@pytest.mark.parametrize("by", [PERSON, "dev_1"])
def test_of_what_was_there_before_all_versions_the_person_has_what_cites_nothing(by):
    cited = "\n## Reusable knowledge\n- x [Task 1]\n- y [jqmb]\n- z [k2Zz]\n- n [ad-hoc note]\n"
    text = with_legend(f"{TASK}{cited}- mine\n- [TODO] it\n\n## Mine\n- too\n")
    summary = b"v1\n\n## Tips\n- a [jqmb]\n- b\n"
    first = version(by, text)
    first.files[SUMMARY] = summary
    mine = {"- mine", "- [TODO] it", "## Mine", "- too", "- b"}
    assert said([first], frozenset({"k2Zz"})) == mine
    later = version(MACHINE, f"{TASK}\n## Reusable knowledge\n- mine\n")
    assert said([later, first]) == {"- mine"}


def test_a_file_that_comes_after_the_other_one_is_first_of_its_own():
    older = Version("dev_1", {HANDBOOK: b"# A\n- x\n"})
    tips = b"v1\n\n## Tips\n- a [k2Zz]\n- mine\n"
    newer = Version(PERSON, {**older.files, SUMMARY: tips})
    assert said([newer, older], frozenset({"k2Zz"})) == {"# A", "- x", "- mine"}


def test_what_another_machine_brings_is_the_persons_where_it_cites_nothing():
    versions = [version("dev_1", f"{TASK}\n## K\n- x [Task 1]\n- mine\n"), version(MACHINE, TASK)]
    assert said(versions) == {"- mine"}


def test_a_line_is_the_persons_after_any_number_of_rewrites():
    newer = [version(MACHINE, f"mine\n{number}\n") for number in range(300)]
    assert said([*newer, version(PERSON, "mine\na\n"), version(MACHINE, "a\n")]) == {"mine"}


def test_the_programs_own_lines_are_nobodys():
    first = version(PERSON, f"{LEGEND}\n\nmine\n")
    first.files[SUMMARY] = b"v1\n"
    assert said([first]) == {"mine"}
    second = version(PERSON, f"{LEGEND}\n\nmine\n")
    assert said([second, version(MACHINE, "a\n")]) == {"mine"}


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_only_a_line_feed_ends_a_line(sign):
    versions = [version(PERSON, f"- one{sign}two\n"), version(MACHINE, "a\n")]
    assert said(versions) == {f"- one{sign}two"}


def test_a_line_that_the_person_moves_stays_whose_it_was():
    versions = [
        version(PERSON, "# B\n- x\n- mine\n"),
        version(PERSON, "# A\n- x\n- mine\n"),
        version(MACHINE, "# A\n- x\n"),
    ]
    assert own_lines(versions) == {
        OwnLine(HANDBOOK, ((1, "B"),), "", "# B"),
        OwnLine(HANDBOOK, ((1, "B"),), "", "- mine"),
    }


def test_the_same_words_at_another_place_are_another_line():
    versions = [version(PERSON, "# A\n- x\n\n# B\n- x\n"), version(MACHINE, "# A\n- x\n\n# B\n")]
    assert own_lines(versions) == {OwnLine(HANDBOOK, ((1, "B"),), "", "- x")}


def test_a_block_that_the_person_gives_a_language_is_theirs():
    versions = [
        version(PERSON, "# A\n```sh\nmake\n```\n"),
        version(MACHINE, "# A\n```\nmake\n```\n"),
    ]
    assert own_lines(versions) == {OwnLine(HANDBOOK, ((1, "A"),), "```sh", "make")}


def test_what_is_put_back_without_some_lines_makes_no_line_the_persons():
    versions = [
        version(PERSON, "# A\n- a\n- mine\n"),
        version(MACHINE, "# A\n- new\n"),
        version(PERSON, "# A\n- a\n- b\n- mine\n"),
        version(MACHINE, "# A\n- a\n- b\n"),
    ]
    assert said(versions) == {"- mine"}


def test_what_the_person_deleted_is_theirs_no_more():
    versions = [version(MACHINE, "mine\na\n"), version(PERSON, "a\n"), version(PERSON, "a\nmine\n")]
    assert said([*versions, version(MACHINE, "a\n")]) == frozenset()


def test_the_newest_version_counts_though_it_never_was_in_force():
    assert said([version(UNPUBLISHED, "a\nmine\n"), version(MACHINE, "a\n")]) == {"mine"}


# A notebook as it may go on: the person edits, the machine rewrites, a version is put back.

A, B, C = ((1, "A"),), ((1, "B"),), ((1, "B"), (2, "A"))
PLACES = (A, B, C)
THEIRS = ("- p", "- q", "q r", "- c [jqmb]", "```sh\nrun\n  it\n```", "```\nx\n\ny\n```")
OURS = ("- m [jqmb]", "- n [jqmb]", "- l [gone]", "- u", "  ```\n  x\n  ```")
KNOWN = Sources(frozenset(), frozenset({"jqmb"}), notes=False)

parts_at = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from((*OURS, *THEIRS))), max_size=9
)
acts = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(PLACES), st.sampled_from(THEIRS)),
    st.tuples(st.just("delete"), st.integers(0, 9)),
    st.tuples(st.just("restore"), st.integers(0, 9)),
    st.tuples(st.just("rewrite"), parts_at),
)


def text_of(parts):
    """A text of parts at their places."""
    heads = {at: f"{'#' * at[-1][0]} {at[-1][1]}" for at in PLACES}
    bodies = {at: "".join(f"{part}\n\n" for one, part in parts if one == at) for at in PLACES}
    return f"{LEGEND}\n\n" + "".join(f"{heads[at]}\n{bodies[at]}" for at in PLACES)


def parts_of(text):
    """The parts of a text at their places, but for headings and the legend."""
    return [
        (headings, "\n".join(part.lines))
        for headings, section in headed(outline(text))
        for part in blocks(all_lines(section)[min(section.level, 1) :])
        if part.text and part.text != LEGEND
    ]


def rewritten(text, before, own):
    """What comes of a worker's text."""
    left = cited_handbook(without_legend(text), KNOWN, own).text
    inert = inert_markdown(left, own=own_texts(own))
    return with_legend(with_own_lines(inert, before, own, HANDBOOK))


@given(st.lists(acts, max_size=14))
def test_what_the_person_wrote_stays_as_and_where_it_is_and_nothing_else_becomes_theirs(acts):
    parts, mine, text = [(A, "- m [jqmb]")], set(), text_of([(A, "- m [jqmb]")])
    versions, past, ours = [version(MACHINE, text)], [(parts, mine, text)], set(parts)
    for act, *what in acts:
        if act == "add" and tuple(what) not in (*parts, *ours):
            parts, mine = [*parts, tuple(what)], mine | {tuple(what)}
            text = text_of(parts)
        elif act == "delete" and what[0] < len(parts):
            mine = mine - {parts[what[0]]}
            parts = [*parts[: what[0]], *parts[what[0] + 1 :]]
            text = text_of(parts)
        elif act == "restore":
            parts, mine, text = past[what[0] % len(past)]
        elif act == "rewrite":
            deleted = set().union(*(one for _, one, _ in past)) - mine
            written = [one for one in what[0] if one not in deleted]
            text = rewritten(text_of(written), text, own_lines(versions))
            parts = parts_of(text)
            assert all(parts.count(one) == 1 for one in mine)
            assert not {"- u", "- l [gone]"} & {part for _, part in parts}
            ours |= {*parts} - mine
        versions.insert(0, version(MACHINE if act == "rewrite" else PERSON, text))
        past.append((parts, mine, text))
        theirs = {one[1::2] for one in own_lines(versions) if not one.text.startswith("#")}
        said = {(at, line.text) for at, part in mine for line in lines_at("", part)}
        assert theirs == said
