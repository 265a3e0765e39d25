"""`vaultmem pin`, `contest` and the like: what they print, and the ratification that they ask for."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write

KEYS = {"id", "path", "statement", "status", "pinned", "force", "changed", "patch"}


@pytest.fixture
def person(terminal):
    write(terminal.cwd / "Memory/Lessons/Tea.md", "Tea is brewed at 80 degrees.\n")
    write(terminal.cwd / "Memory/Identity/Me.md", "---\nlayer: L1\n---\nI am brief.\n")
    terminal.ok("sync")
    return terminal


@pytest.mark.parametrize(
    ("arguments", "word", "key", "value"),
    [
        (["pin", "Tea"], "Pinned", "pinned", True),
        (["contest", "Tea", "--reason", "The new kettle."], "Contested", "status", "contested"),
        (["deprecate", "Tea"], "Out of use", "status", "deprecated"),
        (["exception", "Tea", "--not", "white tea"], "Narrowed", "not_when", ["white tea"]),
        (["exception", "Tea", "--when", "at home"], "Narrowed", "applies_when", ["at home"]),
        (["exception", "Tea", "--except", "iced"], "Narrowed", "exceptions", ["iced"]),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else None,
)
def test_a_word_on_a_memory_takes_effect_and_can_be_taken_back(person, arguments, word, key, value):
    before = person.ok("show", "Tea", "--json").json

    done = person.ok(*arguments).out

    assert done.startswith(f"{word}: Tea is brewed at 80 degrees.\n  Memory/Lessons/Tea.md\n")
    assert person.ok("show", "Tea", "--json").json[key] == value
    revert = done.split("Take it back with `vaultmem ")[1].split("`")[0]
    person.ok(*revert.split())
    assert person.ok("show", "Tea", "--json").json[key] == before[key]


def test_the_opposite_words(person):
    person.ok("pin", "Tea")
    assert person.ok("unpin", "Tea").out.startswith("Unpinned: ")
    person.ok("contest", "Tea")
    assert person.ok("uncontest", "Tea").out.startswith("In force again: ")
    assert person.ok("uncontest", "Tea").out == (
        "In force already: Tea is brewed at 80 degrees.\n  Memory/Lessons/Tea.md\n"
    )


def test_json_has_one_shape(person):
    for arguments in (["pin"], ["unpin"], ["contest"], ["uncontest"], ["exception"], ["deprecate"]):
        more = ["--not", "white tea"] if arguments == ["exception"] else []
        assert set(person.ok(*arguments, "Tea", *more, "--json").json) == KEYS


@pytest.mark.parametrize("arguments", [["pin", "Me"], ["exception", "Me", "--when", "writing"]])
def test_identity_asks_for_its_ratification(person, arguments):
    refused = person.run(*arguments)
    assert refused.code == 44
    assert refused.err == (
        "vaultmem: Memory/Identity/Me.md is of your identity (L1), which changes only when you "
        "ratify it. Run the command again with `--ratify`.\n"
    )
    assert person.run(*arguments, typed="n\n").code == 42
    asked = person.ok(*arguments, typed="y\n").out
    assert "Ratify it now? [y/N]" in asked
    assert person.ok("show", "Me", "--json").json["force"] is True


def test_a_flag_ratifies_in_the_same_go(person):
    person.ok("pin", "Me", "--ratify")

    assert person.ok("show", "Me", "--json").json["force"] is True


def test_a_pin_that_may_not_act_yet_says_what_to_do(person):
    note = "---\ntrigger: bash_contains boil\naction: block\n---\nNever boil it.\n"
    write(person.cwd / "Memory/Lessons/Boil.md", note)
    person.ok("sync")

    told = person.ok("pin", "Boil").out

    assert "It may not act yet: run `vaultmem ratify mem_" in told
    assert "may not act" not in person.ok("pin", "Tea").out


def test_an_exception_without_a_phrase_says_how(person):
    done = person.run("exception", "Tea")

    assert done.code == 22
    assert "`--when`, `--not` or `--except`" in done.err
