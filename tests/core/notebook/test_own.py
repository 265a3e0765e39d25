"""By its versions a notebook tells what a person wrote, and whose a skill is."""

from __future__ import annotations

from vaultmem.core.notebook.own import (
    MACHINE,
    PERSON,
    UNPUBLISHED,
    Version,
    foreign_skills,
    own_lines,
)


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
    assert own_lines(versions) == {"mine", "later"}


def test_a_first_version_of_a_person_is_all_theirs():
    assert own_lines([version(PERSON, "a\n")]) == {"a"}
    assert own_lines([version(MACHINE, "a\n")]) == frozenset()
    assert own_lines([]) == frozenset()


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
    assert own_lines(versions) == {"mine", "more"}
    assert foreign_skills(versions) == frozenset()


def test_a_line_that_the_person_writes_again_is_theirs():
    versions = [
        version(PERSON, "new\nold\n"),
        version(MACHINE, "new\n"),
        version(MACHINE, "old\n"),
    ]
    assert own_lines(versions) == {"old"}


def test_what_was_never_in_force_is_the_persons_once_they_restore_it():
    versions = [
        version(PERSON, "a\nmine\n", theirs="1"),
        version(PERSON, "a\n"),
        version(UNPUBLISHED, "a\nmine\n", theirs="1"),
        version(MACHINE, "a\n"),
    ]
    assert own_lines(versions) == {"mine"}
    assert foreign_skills(versions) == {"theirs"}
