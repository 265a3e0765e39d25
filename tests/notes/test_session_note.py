"""The note of a session's card: read back as it was written, inert, tolerant, changed in place."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.store.notebook.cards import DEVICE, NOW, card
from vaultmem.core.inert import fence, inert_value
from vaultmem.core.notebook.stem import card_stem
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.notes.markdown import structure
from vaultmem.notes.session import decode_session, encode_session, update_session

ID = "sess_01JDR3Z8Q4M5N6P7R8S9T0V1W5"
PATH = "Memory/System/Sessions/2025/11/x.md"
ZONE = timezone(timedelta(hours=2))
FULL = card(file="", used=3, last_used=float(int(NOW)), made=float(int(NOW) - 3600))


def decoded(data: bytes, zone=ZONE):
    read = decode_session(data, zone, path=PATH)
    assert read.card is not None, read.findings
    return read.card


def broken(data: bytes) -> list[str]:
    read = decode_session(data, ZONE, path=PATH)
    assert read.card is None
    return [one.code for one in read.findings]


def test_a_card_is_read_as_it_was_written():
    assert decoded(encode_session(FULL, ID, ZONE)) == FULL
    bare = card(
        "s.1:x@y+z-_", project="", cwd="", branch="", file="", slug=None, made=NOW - 3600.25
    )
    assert decoded(encode_session(bare, ID, ZONE)) == bare
    assert decode_session(encode_session(FULL, ID, ZONE), ZONE, path=PATH).findings == ()


def test_a_note_is_titled_by_its_slug_or_day_and_does_not_say_where_the_file_lies():
    text = encode_session(card(), ID, ZONE).decode()
    assert "\n---\n# Fix build\n\n## Summary\n" in text
    assert ".jsonl" not in text
    bare = encode_session(card(slug=None, watermark=1_764_460_800.0), ID, ZONE).decode()
    assert "\n---\n# Session of 2025-11-30\n" in bare
    never = encode_session(card(slug=None, watermark=1e300, stem="x"), ID, ZONE).decode()
    assert "\n---\n# Session\n" in never


def test_a_title_that_a_person_wrote_stays():
    text = encode_session(card(), ID, ZONE).decode().replace("# Fix build", "# Mine")
    after = update_session(text.encode(), card(slug="other"), ZONE, path=PATH).decode()
    assert "# Mine\n" in after
    assert "# Other" not in after


def test_a_person_reads_local_times_and_a_machine_the_exact_one():
    properties = get_properties(encode_session(FULL, ID, ZONE))
    assert list(properties)[:4] == ["id", "type", "device", "session"]
    local = datetime.fromtimestamp(FULL.watermark, ZONE).replace(tzinfo=None, microsecond=0)
    assert properties["watermark"] == local.isoformat()
    assert properties["watermark_seconds"] == FULL.watermark
    elsewhere = decoded(encode_session(FULL, ID, ZONE), UTC)
    assert elsewhere.watermark == FULL.watermark
    assert elsewhere.stem == FULL.stem


def test_without_the_exact_time_the_local_one_counts():
    data = encode_session(FULL, ID, ZONE)
    line = next(one for one in data.split(b"\n") if one.startswith(b"watermark_seconds"))
    read = decoded(data.replace(line + b"\n", b""))
    assert read.watermark == float(int(FULL.watermark))


@pytest.mark.parametrize("name", ["", "a b", "a/b", "../up", "x" * 201, "a\nb", "ä"])
def test_a_session_whose_id_could_stand_in_no_name_gets_no_note(name):
    with pytest.raises(ValueError, match="no session is called"):
        encode_session(card(name), ID, ZONE)


HOSTILE = (
    "[[Link]] ![[Embed]] #tag <% tp.file.title %> ```\n- [x] done\n````js\nrun()\n~~~\n"
    "%% hidden %% <img src=x> $= dv.current() ^id\n---\ntype: memory\n---\n> [!note]"
)


def test_captured_text_does_nothing():
    one = card(summary=HOSTILE, card=HOSTILE * 2, project=HOSTILE, cwd="[[x]]", slug="<% x %>")
    data = encode_session(one, ID, ZONE)
    text = data.decode()
    assert "<%" not in text
    found = structure(text.split("\n---\n", 1)[1])
    assert [len(part) for part in found[1:4]] == [0, 0, 0]  # tasks, links, tags
    assert len(found.fences) == 2
    read = decoded(data)
    assert read.summary == HOSTILE.replace("<%", "< %")
    assert "\n" not in read.project


texts = st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60
) | st.sampled_from(
    ["```", "a\n```\nb", "~~~\n````", "`" * 9, "\r\nx\r", "<%= x %>", "x\n\n", "\u2028x"]
)


@given(summary=texts, told=texts, line=texts)
@example(summary="```\n", told="x", line="---")
def test_any_text_comes_back_as_what_a_fence_leaves_of_it(summary, told, line):
    def left(text: str) -> str:
        body = fence(text).split("\n", 1)[1]
        return body.rpartition("\n")[0]

    one = card(summary=f"a{summary}", card=f"{told}b", project=line, cwd=line, slug=line)
    read = decoded(encode_session(one, ID, ZONE))
    assert (read.summary, read.card) == (left(f"a{summary}"), left(f"{told}b"))
    assert (read.project, read.cwd) == (inert_value(line), inert_value(line))
    assert decoded(encode_session(read, ID, ZONE)) == read


@given(data=st.binary(max_size=300))
def test_no_bytes_break_the_reader(data):
    try:
        decode_session(data, ZONE, path=PATH)
        decode_session(b"---\ntype: session\n---\n" + data, ZONE, path=PATH)
    except NoteUnreadableError:
        pass


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        (f"id: {ID}\n", "", ["VM118"]),
        (f"id: {ID}\n", "id: mem_x\n", ["VM113"]),
        ("type: session\n", "type: memory\n", ["VM117"]),
        ("session: s1\n", "", ["VM951"]),
        ("session: s1\n", "session: ../../etc\n", ["VM951"]),
        (f"device: {DEVICE}\n", "device: laptop\n", ["VM951"]),
        ("The build was fixed.\n```", "The build was fixed.\n", ["VM951"]),
        ("The build was fixed.", " ", ["VM951"]),
        ("## Card", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b", ["VM108"]),
    ],
)
def test_a_note_that_lacks_a_part_is_no_card_but_a_finding(old, new, codes):
    text = encode_session(FULL, ID, ZONE).decode()
    assert old in text
    assert broken(text.replace(old, new).encode()) == codes


def test_a_note_without_any_time_is_no_card():
    text = encode_session(FULL, ID, ZONE).decode()
    lines = [one for one in text.split("\n") if not one.startswith("watermark")]
    assert broken("\n".join(lines).encode()) == ["VM951"]
    far = "\n".join([lines[0], "watermark: 1066-01-01T00:00:00", *lines[1:]])
    assert broken(far.encode()) == ["VM110", "VM951"]


def test_a_wrong_number_is_a_finding_and_the_card_counts():
    text = encode_session(FULL, ID, ZONE).decode()
    read = decode_session(text.replace("used: 3", "used: often").encode(), ZONE, path=PATH)
    assert [one.code for one in read.findings] == ["VM110"]
    assert read.card == replace(FULL, used=0)


def test_times_of_no_calendar_are_left_out():
    one = card(watermark=NOW, made=-5.0, last_used=1e18)
    data = encode_session(one, ID, ZONE)
    assert "created" not in get_properties(data)
    assert "last_used" not in get_properties(data)
    assert decoded(data).made == NOW


def test_what_cannot_be_read_at_all_names_the_note():
    with pytest.raises(NoteUnreadableError, match=r"x\.md"):
        decode_session(b"---\na: b", ZONE, path=PATH)


# A newer version


def test_a_newer_version_changes_only_its_parts():
    text = encode_session(FULL, ID, ZONE).decode()
    text = text.replace(
        "---\n# Fix build", "mine: yes\ntags:\n  - good\n---\nMy own words.\n# Fix build"
    )
    text += "\nAnd a last line of mine.\n"
    newer = card(watermark=NOW + 5, summary="```\nNew\n```", card="Also new.", slug=None, branch="")
    newer = replace(newer, stem=card_stem("s1", NOW + 5, None), used=9, made=NOW - 0.25, file="")
    data = update_session(text.encode(), newer, ZONE, path=PATH)
    assert decoded(data) == newer
    after = data.decode()
    assert "# Session of 2025-11-30\n" in after
    assert "# Fix build" not in after
    for kept in ("mine: yes", "  - good", "\nMy own words.\n", "\nAnd a last line of mine.\n"):
        assert kept in after
    assert "The build was fixed" not in after
    assert get_properties(data)["branch"] is None
    assert update_session(data, newer, ZONE, path=PATH) == data


def test_line_ends_of_another_system_are_read_and_kept():
    data = encode_session(FULL, ID, ZONE).replace(b"\n", b"\r\n")
    assert decoded(data) == FULL
    newer = replace(FULL, used=4)
    assert decoded(update_session(data, newer, ZONE, path=PATH)) == newer


def test_a_note_without_its_blocks_is_not_written_over():
    data = encode_session(FULL, ID, ZONE).replace(b"```", b"")
    with pytest.raises(ValueError, match="lacks its summary"):
        update_session(data, FULL, ZONE, path=PATH)
