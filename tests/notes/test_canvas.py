"""A canvas is read and written without loss; what is no canvas is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.canvas import Canvas, Card, Line
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.canvas import decode_canvas, encode_canvas

EXAMPLE = """{
	"nodes":[
		{"id":"a1","type":"group","label":"accepted","color":"4","x":-40,"y":-40,"width":900,"height":420},
		{"id":"a2","type":"file","file":"Memory/Build.md","subpath":"#^why","x":0,"y":0,"width":360,"height":240}
	],
	"edges":[
		{"id":"e1","fromNode":"a1","toNode":"a2","fromSide":"left","toEnd":"arrow","label":"see"}
	],
	"metadata":{"version":"1.0"}
}
"""


def read(text: str | bytes) -> Canvas:
    data = text if isinstance(text, bytes) else text.encode()
    return decode_canvas(data, path="Memory/System/Reports/C.canvas")


def test_what_obsidian_wrote_comes_back_byte_by_byte():
    assert encode_canvas(read(EXAMPLE)).decode() == EXAMPLE


def test_an_empty_file_is_an_empty_canvas():
    assert read(b" \n") == Canvas()
    assert encode_canvas(Canvas()) == b'{\n\t"nodes":[],\n\t"edges":[]\n}\n'


def test_lists_that_are_missing_are_empty():
    assert read("{}") == Canvas()


def test_a_place_that_is_no_whole_number_is_kept():
    text = '{"id":"a","x":1.6,"y":2,"width":100.5,"height":4}'
    assert text in encode_canvas(read(f'{{"nodes":[{text}]}}')).decode()


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[]",
        '"text"',
        '{"nodes":7}',
        '{"nodes":[7]}',
        '{"nodes":[{"id":"a"}]}',
        '{"nodes":[{"id":7,"x":1,"y":2,"width":3,"height":4}]}',
        '{"nodes":[{"id":"a","x":"1","y":2,"width":3,"height":4}]}',
        '{"nodes":[{"id":"a","x":true,"y":2,"width":3,"height":4}]}',
        '{"nodes":[{"id":"a","x":NaN,"y":2,"width":3,"height":4}]}',
        '{"nodes":[{"id":"a","x":1e999,"y":2,"width":3,"height":4}]}',
        '{"nodes":[{"id":"a","x":1,"y":2,"width":3,"height":4},{"id":"a","x":1,"y":2,"width":3,"height":4}]}',
        '{"edges":[{"id":"e"}]}',
        "[" * 100_000,
        b"\xff\xfe\xff",
    ],
)
def test_what_is_no_canvas_is_refused(text):
    with pytest.raises(NoteUnreadableError) as refused:
        read(text)
    assert refused.value.path == "Memory/System/Reports/C.canvas"


_TEXTS = st.text(max_size=8)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)
_REST = st.dictionaries(
    _TEXTS.filter(lambda key: key not in ("id", "x", "y", "width", "height")), _JSON
)
_NUMBER = st.integers(-(10**6), 10**6) | st.floats(-(10**6), 10**6)


@given(
    st.lists(
        st.builds(Card, _TEXTS, _NUMBER, _NUMBER, _NUMBER, _NUMBER, _REST),
        max_size=3,
        unique_by=lambda one: one.id,
    ),
    st.dictionaries(_TEXTS.filter(lambda key: key not in ("nodes", "edges")), _JSON, max_size=2),
)
def test_every_canvas_comes_back(cards, rest):
    ends = [Line("line", one.id, one.id, {"label": "x"}) for one in cards[:1] if one.id != "line"]
    made = Canvas(
        tuple(cards), tuple(ends) if "line" not in {one.id for one in cards} else (), rest
    )
    assert decode_canvas(encode_canvas(made), path="C.canvas") == made


def test_what_cannot_be_seen_is_spelled_by_number():
    text = '{"nodes":[{"id":"a","x":1,"y":2,"width":3,"height":4,"file":"a\\u202e\\u009b.md"}]}'
    assert encode_canvas(read(text)).decode().isascii()
    assert read(encode_canvas(read(text))) == read(text)


def test_half_a_character_stays_half_a_character():
    text = '{"nodes":[{"id":"\\ud800","x":1,"y":2,"width":3,"height":4}]}'
    again = encode_canvas(read(text))
    assert json.loads(again)["nodes"][0]["id"] == "\ud800"
