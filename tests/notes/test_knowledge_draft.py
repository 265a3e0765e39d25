"""The draft of a knowledge note follows the vault's template and leaves nothing to be filled in."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.notes.frontmatter import get_properties
from vaultmem.notes.knowledge_draft import PLAIN, Draft, knowledge_draft, pick_template

ROOT = Path(__file__).parent.parent.parent
DRAFT = Draft(
    title="Retries need a key",
    statement="A retried POST carries a key: #x ![[y]]",
    sources=("[[A retried POST]]", "[[2026-11-29 evidence d#^ev-1]]"),
    now=datetime(2026, 11, 29, 4, 5, 6),
)


def made(template: str) -> str:
    return knowledge_draft(DRAFT, template.encode())


@pytest.mark.parametrize(
    ("names", "picked"),
    [
        (["Meeting template", "Note template", "Daily template"], "Note template"),
        (["Note", "Concept", "Knowledge note"], "Knowledge note"),
        (["(TEMPLATE) Zettel"], "(TEMPLATE) Zettel"),
        (["Book Template", "Daily"], None),
        ([], None),
    ],
)
def test_the_template_is_the_one_that_is_named_for_knowledge(names, picked):
    assert pick_template(names) == picked


@pytest.mark.parametrize(
    "path", ["example-vault/Templates/Note template.md", "templates/vault/Knowledge note.md"]
)
def test_a_real_template_is_filled_in(path):
    text = knowledge_draft(DRAFT, (ROOT / path).read_bytes())
    properties = get_properties(text.encode())
    assert properties["aliases"] in ([], None)
    assert any(str(value).startswith("2026-11-29") for value in properties.values())
    assert "# Retries need a key\n" in text
    assert "A retried POST carries a key: \\#x !\\[\\[y]]" in text
    assert "- [[A retried POST]]\n- [[2026-11-29 evidence d#^ev-1]]" in text
    assert "{{" not in text


def test_headings_of_the_template_say_where_things_go():
    text = made("## Details\n\n## Definition\n\n## See also\n- [[Other]]\n")
    assert text == (
        "## Details\n\n## Definition\n\nA retried POST carries a key: \\#x !\\[\\[y]]\n\n"
        "## See also\n\n- [[A retried POST]]\n- [[2026-11-29 evidence d#^ev-1]]\n\n- [[Other]]\n"
    )


@pytest.mark.parametrize(
    ("template", "holds"),
    [
        ("---\na: {{date}}\n---\n", "a: 2026-11-29\n"),
        (
            "---\na: '{{date:dddd, MMMM D YYYY [at] H:m}}'\n---\n",
            "a: 'Sunday, November 29 2026 at 4:5'",
        ),
        ('---\na: "{{ time }}"\n---\n', 'a: "04:05"'),
        ("---\na: '{{time:hh:mm:ss A a h}}'\n---\n", "a: '04:05:06 AM am 4'"),
        ("---\na: {{TITLE}}\n---\n", "a: Retries need a key\n"),
        ("---\na: {{VALUE:topic}}\n---\n", "a: \n"),
        ("<%* tp.file.move('x') %>\nText\n", "Text\n"),
    ],
)
def test_placeholders_are_filled_in_and_what_is_unknown_goes(template, holds):
    assert holds in made(template)


@pytest.mark.parametrize(
    "template",
    [
        "---\nitems: [[A]], [[B]]\n---\n# {{title}}\n",
        "---\ntype: memory\n---\n# {{title}}\n",
        "---\ntype: inquiry\n---\n",
    ],
)
def test_a_template_that_cannot_be_read_or_is_ours_gives_way_to_a_plain_one(template):
    assert made(template) == knowledge_draft(DRAFT, PLAIN)


def test_bytes_that_are_no_text_give_way_as_well():
    assert knowledge_draft(DRAFT, b"\xff\xfe") == knowledge_draft(DRAFT)


def test_line_ends_and_a_mark_at_the_start_do_not_matter():
    assert made("\ufeff---\r\na: 1\r\n---\r\n# {{title}}\r\n").startswith("---\na: 1\n---\n# Ret")


def test_a_template_of_properties_alone_may_lack_its_last_line_end():
    text = made("---\nstatus: open\n---")
    assert text == made("---\nstatus: open\n---\n")
    assert get_properties(text.encode()) == {"status": "open"}


@given(
    st.text(max_size=60),
    st.text(max_size=100),
    st.sampled_from([PLAIN, b"", b'---\na: "{{title}}"\n---\n## Idea\n']),
)
def test_whatever_it_is_called_and_says_its_properties_can_be_read(title, statement, template):
    text = knowledge_draft(DRAFT._replace(title=title, statement=statement), template)
    assert not any("{{" in str(value) for value in get_properties(text.encode()).values())
