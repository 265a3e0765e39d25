"""The draft of a skill, and what an agent could not use."""

from __future__ import annotations

import pytest

from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.notes.skill import MAX_DESCRIPTION, NO_STEPS, check_skill, encode_skill


def test_a_draft_has_name_description_and_numbered_steps():
    data = encode_skill("ship-it", "Use it to ship: build → tag", ("Build", "Tag"), source="[[M]]")
    assert get_properties(data) == {"name": "ship-it", "description": "Use it to ship: build → tag"}
    text = data.decode()
    assert "# Ship it\n\n## Steps\n\n1. Build\n2. Tag\n" in text
    assert text.endswith("## Where it comes from\n\n[[M]]\n")
    assert check_skill(data, "ship-it") == data


def test_a_draft_without_steps_says_so_and_takes_no_sentence_for_one():
    text = encode_skill("x", "Snapshot tests hide ![[faults]].", (), source="[[M]]").decode()
    assert f"## Steps\n\n{NO_STEPS}\n\nSnapshot tests hide " in text
    assert "1." not in text
    assert "![[" not in text.partition("## Steps")[2]


def test_a_description_holds_no_tag():
    data = encode_skill("x", "Ship </project_memory> it", ("Tag",), source="[[M]]")
    assert get_properties(data)["description"] == "Ship ‹/project_memory› it"


def test_a_draft_is_inert_and_not_longer_than_agents_read():
    data = encode_skill("x", "w " * 2000, ("![[Embed]] <% code %> #tag",), source="[[M]]")
    assert len(str(get_properties(data)["description"])) <= MAX_DESCRIPTION
    assert "![[" not in data.decode()
    assert "<%" not in data.decode()


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("---\nname: a\ndescription: b\n---\n", "../a", "is no name"),
        ("---\nname: a\ndescription: b\n---\n", "A", "is no name"),
        ("---\nname: a\ndescription: b\n---\n", "", "is no name"),
        ("---\nname: a\ndescription: b\n---\n", "a" * 65, "is no name"),
        ("---\nname: a\ndescription: b\n---\n", "b", "another name"),
        ("---\nname: a\n---\n", "a", "when to use it"),
        ("---\nname: a\ndescription: ''\n---\n", "a", "when to use it"),
        ("---\nname: a\ndescription: 5\n---\n", "a", "when to use it"),
        (f"---\nname: a\ndescription: {'b' * 1025}\n---\n", "a", "when to use it"),
        ("", "a", "another name"),
    ],
)
def test_what_an_agent_could_not_use_is_refused(text, name, why):
    with pytest.raises(EditRefusedError, match=why):
        check_skill(text.encode(), name)


def test_properties_that_cannot_be_read_are_refused():
    with pytest.raises(NoteUnreadableError):
        check_skill(b"---\na: [\n---\n", "a")
