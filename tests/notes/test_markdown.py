"""The structure of a text, with the line of every part."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import many
from tests.notes.test_statement import LINES
from vaultmem.notes import frontmatter
from vaultmem.notes.markdown import BlockId, Fence, Heading, Link, Tag, Task, structure

EXAMPLE = """\
# A *title* [[A#Part|a]] ^t1

- [ ] open #work `[[no]] #no` ^t2
- [x] done %%#no [[no]]%%
  1. [-] nested [b](Folder/B.md#Part "title")
> - [/] quoted ![[pic.png|100]]

```py
- [ ] no #no [[no]]
# no
```

Title
=====

| a | b |
| - | - |
| #cell | [[C\\|see]] |

Text \\[[no]] \\#no a#no #12 #1a (#in/brackets)
next #second [[#Here]] [[^blk]] ![i](https://x.y/z#w) [sp](<My Note.md>)
[x][y] [[]] [[|]]

^own

    - [ ] indented code #no

<div>
- [ ] html #no
</div>

~~~
open to the end
"""


def test_every_part_is_found_at_its_line() -> None:
    found = structure(EXAMPLE, first_line=10)
    assert found.headings == (Heading(10, 1, "A *title* [[A#Part|a]] ^t1"), Heading(22, 1, "Title"))
    assert found.tasks == (
        Task(12, " ", "open #work `[[no]] #no`", "t2"),
        Task(13, "x", "done", None),
        Task(14, "-", 'nested [b](Folder/B.md#Part "title")', None),
        Task(15, "/", "quoted ![[pic.png|100]]", None),
    )
    assert found.links == (
        Link(10, "A", "#Part", "a", embed=False, wiki=True),
        Link(14, "Folder/B.md", "#Part", "b", embed=False, wiki=False),
        Link(15, "pic.png", "", "100", embed=True, wiki=True),
        Link(27, "C", "", "see", embed=False, wiki=True),
        Link(30, "", "#Here", None, embed=False, wiki=True),
        Link(30, "", "^blk", None, embed=False, wiki=True),
        Link(30, "https://x.y/z#w", "", "i", embed=True, wiki=False),
        Link(30, "My Note.md", "", "sp", embed=False, wiki=False),
    )
    assert found.tags == (
        Tag(12, "work"),
        Tag(27, "cell"),
        Tag(29, "1a"),
        Tag(29, "in/brackets"),
        Tag(30, "second"),
    )
    assert found.fences == (
        Fence(17, 20, "py", "- [ ] no #no [[no]]\n# no\n"),
        Fence(41, 42, "", "open to the end\n"),
    )
    assert found.block_ids == (BlockId(10, "t1"), BlockId(12, "t2"), BlockId(33, "own"))


def test_windows_line_ends_change_no_line() -> None:
    assert structure(EXAMPLE.replace("\n", "\r\n"))._replace(fences=()) == structure(
        EXAMPLE
    )._replace(fences=())


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a #b/c #d-e_f", ["a", "b/c", "d-e_f"]),
        ("#été #漢字 #🔥x", ["été", "漢字", "🔥x"]),
        ("#123 ##x a#b http://x/#y", []),
        ("#tag, #tag2.", ["tag", "tag2"]),
        ("*#em*", ["em"]),
        ("[[A#b]] [c](#d)", []),
    ],
)
def test_tags_are_those_of_obsidian(text: str, tags: list[str]) -> None:
    assert [tag.name for tag in structure(text).tags] == tags


@many(4)
@given(
    st.lists(
        st.one_of(st.sampled_from([*LINES, *EXAMPLE.splitlines()]), st.text(max_size=6)),
        max_size=10,
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_lines_are_lines_of_the_text(lines: list[str], eol: str) -> None:
    text = eol.join(lines)
    count = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    found = structure(text)
    for parts in found:
        assert [part.line for part in parts] == sorted(part.line for part in parts)
        for part in parts:
            assert 1 <= part.line <= count
    for link in found.links:
        assert link.target in text or "\\|" in text


def test_a_text_with_a_hundred_thousand_marks_is_read() -> None:
    text = "[[a " * 25_000 + "\n" + "[b](" * 25_000 + "\n" + "`" * 99 + "#" * 25_000
    assert structure(text).links == ()


def test_the_notes_of_the_example_vault_are_read_line_by_line() -> None:
    vault = Path(__file__).parents[2] / "example-vault"
    headings = 0
    for note in vault.rglob("*.md"):
        block = frontmatter.read(note.read_bytes())
        lines = block.body.splitlines()
        for found in structure(block.body).headings:
            assert lines[found.line - 1] == f"{'#' * found.level} {found.text}"
            headings += 1
    assert headings > 50
