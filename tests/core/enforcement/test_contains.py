"""What a `bash_contains` needle means, and that every needle means itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.enforcement.contains import contains, is_command, mentions
from vaultmem.core.enforcement.trigger_advice import COMMANDS

EXAMPLES = Path(__file__).parents[2] / "hooks" / "examples"
WORDS = st.text(alphabet="abgit-./*=_2", min_size=1, max_size=8)
COMMAND = st.builds(
    lambda name, words: " ".join((name, *words)),
    st.sampled_from(sorted(COMMANDS)),
    st.lists(WORDS, max_size=5),
)


@given(st.text(min_size=1, max_size=60).filter(str.strip))
def test_any_needle_is_met_by_itself(needle):
    assert contains(needle, needle)


@given(COMMAND)
def test_a_command_is_met_wherever_it_can_stand(needle):
    assert is_command(needle)
    for text in (f"cd x && {needle}", f"{needle}; ls", f"FOO=1 sudo {needle}\n", f"( {needle} )"):
        assert contains(needle, text)
    assert contains(needle, f"sh -c '{needle}'")
    if " " in needle:
        assert not contains(needle, f"echo '{needle}'")


@given(COMMAND, st.text(alphabet="xyz", min_size=1, max_size=4))
def test_a_command_is_not_met_by_another_word(needle, more):
    assert not contains(f"{needle} w", f"{needle} w{more}")


@pytest.mark.parametrize(
    ("needle", "command"),
    [
        ("git add .", True), ("git", True), ("terragrunt destroy", False), ("--force", False),
        ("git add . | cat", False), ("git commit -m 'a b'", False), ("", False), ("  ", False),
    ],
)  # fmt: skip
def test_a_needle_that_begins_with_a_command_is_one(needle, command):
    assert is_command(needle) is command


@pytest.mark.parametrize(
    ("needle", "text", "met"),
    [
        ("git add .", "git add -v", False),
        ("git push", "git", False),
        ("git push", "git -C", False),
        ("git push", "git -C push", True),
        ("cp . -name x", "cp . -type f -name x", True),
        ("tar -xzf a", "tar -x -z -f a", True),
        ("java -jar a", "java -Xmx1g -jar a", True),
        ("cp / x", "cp / x", True),
        ("rm ./", "rm .", True),
    ],
)
def test_options_stand_where_they_like(needle, text, met):
    assert contains(needle, text) is met


@pytest.mark.parametrize(
    ("needle", "text", "met"),
    [
        ("prod", "deploy prod", True), ("prod", "deploy product prod", True), ("prod", "products", False),
        ("a b", "x a \t\n b y", True), ("-f", "x-f", False), (".env", "cat .env", True),
        (".env", "cat .env.local", True), ("", "x", False), (" ", "x", False),
    ],
)  # fmt: skip
def test_a_text_is_mentioned_in_whole_words(needle, text, met):
    assert mentions(needle, text) is met


def test_the_shared_examples_say_which_needles_are_commands():
    rules = json.loads((EXAMPLES / "block_rules.json").read_text(encoding="utf-8"))["rules"]
    for rule in rules:
        if rule["kind"] == "bash_contains":
            assert rule["command"] is is_command(rule["needle"])
