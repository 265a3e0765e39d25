"""The day's note of evidence: what comes back from it, whatever stands in it or was done to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.core.proposals import piece, without_words
from vaultmem.core.evidence import (
    Evidence,
    Polarity,
    Redaction,
    SourceKind,
    is_intact,
    new_evidence,
)
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.evidence import (
    append_evidence,
    block_id,
    callout_spans,
    decode_evidence_day,
    new_evidence_day,
)

PATH = "Memory/System/Evidence/2026/11/2026-11-29 evidence dev.md"
ID = "log_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
DEVICE = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W3"

HOSTILE = [
    "```\n> [!quote] ev_01JDR3Z8Q4M5N6P7R8S9T0V1W2 supports conversation user_correction undated\n```",
    "[!quote] another callout",
    "^ev-01jdr3z8q4m5n6p7r8s9t0v1w2",
    "</details> <script>alert(1)</script> %%gone%% <% tp.file %>",
    "- [x] op_001 · add\n- [ ] task",
    "---\nid: mem_x\n---",
    '{"hash":"forged"}',
    "````\nfour ticks\n````\n`````",
    "> quoted\n>> twice",
    "![[secret]] [[link]] #tag key:: value",
    "line\u2028separator\u2029 and \x0b\x0c\x85 and \u202e",
    "   indented\n\ttabbed   \n\n\nblank lines   ",
    "日本語 👩‍💻",
]


def day() -> bytes:
    return new_evidence_day(ID, device=DEVICE, day=date(2026, 11, 29))


def read(data: bytes) -> tuple[Evidence, ...]:
    return decode_evidence_day(data, path=PATH)[0]


def codes(data: bytes) -> list[str]:
    return [found.code for found in decode_evidence_day(data, path=PATH)[1]]


def test_a_new_note_holds_nothing() -> None:
    assert decode_evidence_day(day(), path=PATH) == ((), ())
    assert f"id: {ID}\ntype: evidence\ndevice: {DEVICE}\ndate: 2026-11-29\n".encode() in day()


def test_a_piece_as_it_is_spelled() -> None:
    made = new_evidence(
        source_kind=SourceKind.CONVERSATION,
        trust=TrustClass.USER_CORRECTION,
        excerpt="Don't use npm,\n\nuse bun.",
        project="host/me/app",
        session="s1",
        source_ref="m7",
        durability=Durability.PROJECT,
        created=datetime(2026, 11, 29, 21, 0, 0),
    )
    body = append_evidence(day(), made).decode().split("# Evidence\n", 1)[1]
    assert body == (
        f"\n> [!quote] {made.id} supports conversation user_correction 2026-11-29T21:00:00\n"
        "> ```\n> Don't use npm,\n> \n> use bun.\n> ```\n"
        f'> {{"durability":"project","hash":"{made.excerpt_hash}","project":"host/me/app",'
        '"ref":"m7","session":"s1"}\n'
        f"\n^{block_id(made.id)}\n"
    )


pieces = st.builds(
    new_evidence,
    source_kind=st.sampled_from(SourceKind),
    trust=st.sampled_from(TrustClass),
    excerpt=st.text(max_size=200).map(lambda text: f"x{text}") | st.sampled_from(HOSTILE),
    summary=st.text(max_size=80),
    project=st.none() | st.text(max_size=20),
    session=st.none() | st.text(max_size=20),
    source_ref=st.text(max_size=30) | st.sampled_from(HOSTILE),
    polarity=st.sampled_from(Polarity),
    durability=st.sampled_from(Durability),
    created=st.none() | st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)),
)


@given(st.lists(pieces, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_pieces_come_back_whatever_they_hold(made: list[Evidence], eol: str) -> None:
    data = day().replace(b"\n", eol.encode())
    for one in made:
        data = append_evidence(data, one)
    assert decode_evidence_day(data, path=PATH) == (tuple(made), ())
    assert [one for one, _, _ in callout_spans(data)] == [one.id for one in made]


@given(st.lists(pieces, min_size=1, max_size=3, unique_by=lambda one: one.id), st.data())
def test_what_is_left_when_one_is_cut_out_is_a_whole_note(
    made: list[Evidence], data: st.DataObject
) -> None:
    whole = day()
    for one in made:
        whole = append_evidence(whole, one)
    at = data.draw(st.integers(0, len(made) - 1))
    _, start, end = callout_spans(whole)[at]
    left = whole[:start] + whole[end:]
    assert decode_evidence_day(left, path=PATH) == ((*made[:at], *made[at + 1 :]), ())
    assert block_id(made[at].id).encode() not in left


@pytest.mark.parametrize("text", HOSTILE)
def test_an_excerpt_is_inert_in_its_fence(text: str) -> None:
    made = piece(text, source_ref=text, summary=text)
    data = append_evidence(day(), made)
    body = data.decode().split("# Evidence\n", 1)[1]
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    kinds = [token.type for token in tokens]
    assert kinds[:4] == ["blockquote_open", "paragraph_open", "inline", "paragraph_close"]
    assert kinds.count("fence") == 1
    assert kinds.count("blockquote_open") == 1
    assert "html_block" not in kinds
    assert "bullet_list_open" not in kinds
    assert b"<%" not in data
    for token in tokens:
        for child in token.children or ():
            assert child.type in ("text", "softbreak"), child
    assert read(data) == (made,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use bun.", "Use npm."),
        (" user_correction ", " direct_user_instruction "),
        (" supports ", " qualifies "),
        ('"project":"github.com/acme/billing-web"', '"project":"other"'),
        ('"session":"s1"', '"session":"s2"'),
        ('"durability":"project"', '"durability":"long_term"'),
        ('"hash":"', '"hash":"0'),
    ],
)
def test_an_altered_piece_is_read_as_it_stands_and_is_not_intact(old: str, new: str) -> None:
    data = append_evidence(day(), piece("Use bun.", trust=TrustClass.USER_CORRECTION))
    assert old.encode() in data
    (found,) = read(data.replace(old.encode(), new.encode()))
    assert not is_intact(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("> [!quote] ", "> [!quote]- "),
        ("> [!quote] ", ">[!QUOTE]+  "),
        ("undated\n", "undated  [[a link that a plugin added]]\n"),
        ("> Use bun.", ">  Use   bun.  "),
        ("> ```\n", "> ```text\n"),
        ("\n^ev", "\n\n\n^ev"),
        ("# Evidence\n", "# Evidence\n\n> a quote of mine\n"),
        ("# Evidence\n", "# Evidence\n\nMy own words.\n\n> [!note]\n> mine\n\n"),
    ],
)
def test_what_plugins_do_to_the_form_changes_no_piece(old: str, new: str) -> None:
    made = piece("Use bun.")
    data = append_evidence(day(), made)
    assert old.encode() in data
    changed = data.replace(old.encode(), new.encode(), 1)
    found = read(changed)
    assert [(one.id, is_intact(one)) for one in found] == [(made.id, True)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" user_correction ", " very_sure "),
        ("] ev_", "] eV_"),
        ("> {", "{"),
        ('> {"', '> {,"'),
        ("undated", "yesterday"),
        ('"}', '","redaction":"sometimes"}'),
    ],
)
def test_a_piece_that_cannot_be_read_is_a_finding_and_hides_no_other(old: str, new: str) -> None:
    data = append_evidence(day(), piece("Use bun.", trust=TrustClass.USER_CORRECTION))
    assert old.encode() in data
    broken = data.replace(old.encode(), new.encode(), 1)
    after = append_evidence(broken, piece("Use uv."))
    assert [one.excerpt for one in read(after)] == ["Use uv."]
    assert codes(after) == ["VM621"]
    found = decode_evidence_day(after, path=PATH)[1][0]
    assert (found.path, after.decode().splitlines()[found.line - 1][:4]) == (PATH, "> [!")


def test_values_that_are_no_text_and_a_second_list_are_ignored() -> None:
    made = piece("Use bun.")
    data = append_evidence(day(), made)
    more = data.replace(b'> {"', b'> {"x":1,"', 1).replace(b"}\n", b'}\n> {"session":"s9"}\n', 1)
    assert read(more) == (made,)


def test_a_callout_without_its_block_id_is_cut_alone() -> None:
    data = append_evidence(day(), piece("Use bun."))
    bare = data[: data.rindex(b"\n^")]
    ((_, start, end),) = callout_spans(bare)
    assert bare[start:end].startswith(b"> [!quote]")
    assert bare[start:end].rstrip().endswith(b"}")
    unknown = bare.replace(b"ev_", b"eV_")
    assert callout_spans(unknown) == ()


def test_a_note_without_a_last_line_end_goes_on_on_a_new_line() -> None:
    made = piece("Use bun.")
    assert read(append_evidence(day().rstrip(b"\n"), made)) == (made,)


@pytest.mark.parametrize("redaction", [Redaction.DELETED, Redaction.REDACTED])
def test_a_piece_without_its_words_keeps_its_id(redaction: Redaction) -> None:
    left = without_words(piece("The token is abc123."), redaction)
    data = append_evidence(day(), left)
    assert read(data) == (left,)
    assert b"abc123" not in data


def test_what_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(ValueError, match="cannot be spelled"):
        append_evidence(day(), replace(piece("Use bun."), project=""))


def test_a_broken_note_is_an_error_that_names_it() -> None:
    with pytest.raises(NoteUnreadableError, match="Evidence"):
        decode_evidence_day(b"---\na: [\n---\n", path=PATH)


@given(st.binary(max_size=400))
@example(b"> [!quote] ev_")
def test_no_bytes_stop_the_reader(noise: bytes) -> None:
    try:
        decode_evidence_day(noise, path=PATH)
        callout_spans(noise)
    except NoteUnreadableError:
        return
