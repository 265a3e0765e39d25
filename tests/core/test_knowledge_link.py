"""Links to knowledge notes lead to the note that they were made for, in this vault and in others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.knowledge_link import Elsewhere, elsewhere, leads_to, link_to, names_note
from vaultmem.core.naming import link_targets
from vaultmem.core.normal import Rule, differences
from vaultmem.core.values import Kind, read

parts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(
    lambda part: "/" not in part
)
paths = st.builds(
    lambda folders: "/".join(folders) + ".md", st.lists(parts, min_size=1, max_size=3)
)


@pytest.mark.parametrize(
    ("path", "vault", "link"),
    [
        ("Notes/BM25 Ranking.md", "", "[[Notes/BM25 Ranking|BM25 Ranking]]"),
        ("Home.MD", "", "[[Home]]"),
        ("Notes/潮位の基準面.md", "", "[[Notes/潮位の基準面|潮位の基準面]]"),
        # another vault: an address that names no folder of this machine
        (
            "Concepts/Tide & wind.md",
            "My Wiki",
            "[Tide & wind](obsidian://open?vault=My%20Wiki&file=Concepts%2FTide%20%26%20wind)",
        ),
        # a link cannot hold these
        ("Notes/C# rules.md", "", None),
        ("Notes/a|b.md", "", None),
        ("Notes/[draft] x.md", "", None),
        ("Notes/x^2.md", "", None),
        ("Notes/50%% off.md", "", None),
        ("Notes/<% tp.file %>.md", "", None),
        ("Notes/a\u202eb.md", "", None),
        ("Notes/x .md", "", None),
        ("Notes /x.md", "", None),
        ("Notes/x.md", "[[x", None),
    ],
)
def test_a_note_has_a_link_unless_its_name_would_break_it(path, vault, link):
    assert link_to(path, vault=vault) == link


@given(paths)
def test_a_link_into_the_own_vault_names_its_whole_path(path):
    link = link_to(path)
    if link is not None:
        assert list(link_targets([link])) == [path[:-3]]
        assert names_note(link, path)


@given(paths, parts)
def test_a_link_into_another_vault_says_vault_and_path_again(path, vault):
    link = link_to(path, vault=vault)
    if link is not None:
        assert elsewhere(link) == Elsewhere(vault, path[:-3])
        assert list(link_targets([link])) == []


@pytest.mark.parametrize("link", ["[[Notes/A|A]]", "[A](obsidian://open?vault=V&file=A)"])
def test_a_link_is_one_value_that_no_reading_changes(link):
    assert read(Kind.LINK, link) == link
    rules = {"vault_ref": Rule(Kind.LINK)}
    assert differences({"vault_ref": link}, {"vault_ref": link}, rules=rules) == {}
    assert differences({"vault_ref": link}, {"vault_ref": "[[B]]"}, rules=rules) != {}


@pytest.mark.parametrize("text", ["[[Notes/A]]", "https://a.example/?vault=a&file=b", "", "A"])
def test_everything_else_names_no_other_vault(text):
    assert elsewhere(text) is None


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        ("Notes/React rendering", True),
        ("react rendering", True),
        ("/Notes/React rendering.md", True),
        ("rendering", False),
        ("Old/React rendering", False),
        ("", False),
    ],
)
def test_a_target_is_a_note_by_its_path_the_end_of_it_or_its_name(target, leads):
    assert leads_to(target, "Notes/React rendering.md") is leads
