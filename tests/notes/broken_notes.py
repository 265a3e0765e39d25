"""Every kind of broken note that we know of, with the finding it must become.

`tests/fixtures/broken_notes/` holds the small ones as files, for people who want to open them;
`python -m tests.notes.broken_notes` writes them anew, and a test compares the two.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "fixtures" / "broken_notes"
LARGEST_FILE = 4096
ID = "id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"


class Broken(NamedTuple):
    """One kind: its bytes, the code and line of its finding, and whether it can be read at all."""

    data: bytes
    code: str
    line: int | None
    readable: bool = True


def _note(properties: str, body: str = "Words that stand.\n") -> bytes:
    return f"---\n{ID}\ntype: memory\n{properties}---\n{body}".encode()


def _body(body: str) -> bytes:
    return _note("", body)


def _unreadable(data: bytes | str, code: str, line: int | None) -> Broken:
    return Broken(data.encode() if isinstance(data, str) else data, code, line, readable=False)


def _property(line: str, code: str = "VM110") -> Broken:
    return Broken(_note(f"{line}\n"), code, 4)


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

KINDS: dict[str, Broken] = {
    # the bytes
    "not-utf-8": _unreadable(b"---\n" + ID.encode() + b"\nproject: caf\xe9\n---\nWords.\n", "VM101", 3),
    "not-utf-8-in-body": _unreadable(_note("", "Words.\n\n") + b"caf\xe9\n", "VM101", 7),
    "utf-16": _unreadable("---\ntype: memory\n---\nWords.\n".encode("utf-16"), "VM101", 1),
    "nul-in-body": _unreadable(b"Words\x00.\n", "VM101", 1),
    "nul-in-properties": _unreadable(_note("project: a\x00b\n"), "VM103", None),
    "cut-in-a-character": _unreadable("---\ntype: memory\n---\nWörter".encode()[:-5], "VM101", 4),
    "overlong-encoding": _unreadable(b"Words \xc0\xaf.\n", "VM101", 1),
    "encoded-surrogate": _unreadable(b"Words \xed\xa0\x80.\n", "VM101", 1),
    "carriage-returns-only": _unreadable(f"---\r{ID}\rtype: memory\r---\rWords.\r", "VM107", 1),
    # the fences
    "unclosed": _unreadable(f"---\n{ID}\ntype: memory\n\nWords.\n", "VM102", 1),
    "closed-by-dots": _unreadable(f"---\n{ID}\ntype: memory\n...\nWords.\n", "VM102", 1),
    "closed-by-four-dashes": _unreadable(f"---\n{ID}\n----\nWords.\n", "VM102", 1),
    "closed-indented": _unreadable(f"---\n{ID}\n  ---\nWords.\n", "VM102", 1),
    "opened-in-second-line": _unreadable(f"\n---\n{ID}\ntype: memory\n---\nWords.\n", "VM107", 2),
    "opened-by-four-dashes": _unreadable(f"----\n{ID}\n----\nWords.\n", "VM107", 1),
    "opened-indented": _unreadable(f" ---\n{ID}\n---\nWords.\n", "VM107", 1),
    # the YAML
    "two-colons": _unreadable(_note("project: a: b: c\n"), "VM103", 4),
    "tab-indentation": _unreadable(_note("tags:\n\t- a\n"), "VM103", 5),
    "reserved-sign": _unreadable(_note("project: @home\n"), "VM103", 4),
    "backtick-value": _unreadable(_note("project: `x`\n"), "VM103", 4),
    "two-links-unquoted": _unreadable(_note("supersedes: [[A]] [[B]]\n"), "VM103", 4),
    "open-quote": _unreadable(_note('project: "x\n'), "VM103", None),
    "open-bracket": _unreadable(_note("tags: [a, b\n"), "VM103", None),
    "undefined-alias": _unreadable(_note("project: *nowhere\n"), "VM103", 4),
    "bad-escape": _unreadable(_note('project: "\\q"\n'), "VM103", 4),
    "duplicate-property": _unreadable(_note("status: active\nstatus: deprecated\n"), "VM104", 5),
    "names-differ-in-case": _unreadable(_note("status: active\nStatus: deprecated\n"), "VM105", 5),
    "only-a-list": _unreadable("---\n- a\n- b\n---\nWords.\n", "VM107", 2),
    "only-a-text": _unreadable("---\njust words\n---\nWords.\n", "VM107", 2),
    "two-documents": _unreadable(f"---\n{ID}\n--- x\ntype: memory\n---\nWords.\n", "VM107", None),
    "key-without-blank": _unreadable(_note("project:x\n"), "VM103", None),
    "huge-block": _unreadable(_note(f"project: {'x' * 300_000}\n"), "VM106", 1),
    "deep-nesting": _unreadable(_note(f"mine: {_deep(500)}\n"), "VM106", 4),
    "alias-bomb": Broken(_note(_BOMB, "- only a list\n"), "VM109", 14),
    "conflict-in-properties": _unreadable(
        f"---\n{ID}\n<<<<<<< HEAD\nstatus: active\n=======\nstatus: contested\n>>>>>>> x\n---\nWords.\n", "VM108", 3
    ),
    # the properties
    "unknown-type": Broken(b"---\n" + ID.encode() + b"\ntype: wish\n---\nWords.\n", "VM117", 3),
    "other-type": Broken(b"---\n" + ID.encode() + b"\ntype: ledger\n---\nWords.\n", "VM117", 3),
    "type-is-a-list": Broken(b"---\n" + ID.encode() + b"\ntype: [memory, log]\n---\nWords.\n", "VM110", 3),
    "no-id": Broken(b"---\ntype: memory\n---\nWords.\n", "VM118", None),
    "id-of-a-candidate": Broken(b"---\nid: cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\n---\nWords.\n", "VM113", 2),
    "id-too-short": Broken(b"---\nid: mem_01JDR3\ntype: memory\n---\nWords.\n", "VM113", 2),
    "id-with-a-path": Broken(b"---\nid: ../../etc/passwd\ntype: memory\n---\nWords.\n", "VM113", 2),
    "id-as-number": Broken(b"---\nid: 123456789012345678901234567890\ntype: memory\n---\nWords.\n", "VM113", 2),
    "enum-unknown": _property("status: finished"),
    "enum-is-a-map": _property("status: {active: true}"),
    "number-is-words": _property("confidence: very"),
    "number-out-of-range": _property("confidence: 95"),
    "number-not-finite": _property("confidence: .inf"),
    "count-negative": _property("evidence_count: -3"),
    "count-is-a-fraction": _property("evidence_count: 1.5"),
    "checkbox-is-yes": _property("pinned: yes"),
    "date-impossible": _property("review: 2026-02-30"),
    "date-in-words": _property("review: next week"),
    "date-before-computers": _property("created: 0001-01-01T00:00:00"),
    "date-beyond-reason": _property("expires: 9999-12-31T23:59:59"),
    "date-with-a-zone": _property("created: 2026-09-03T10:12:00+02:00", "VM119"),
    "date-template": _property("created: {{date}}"),
    "text-is-a-list": _property("project: [a, b]"),
    "list-of-maps": _property("domains: [{a: 1}]"),
    "tags-are-a-map": _property("tags: {a: 1}"),
    "link-is-a-map": _property("vault_ref: {a: 1}"),
    "links-in-lists": _property("supersedes: [[A, B]]"),
    "capital-name": _property("Status: active", "VM120"),
    "five-thousand-properties": Broken(_note("".join(f"p{n}: {n}\n" for n in range(5000))), "VM121", None),
    # the body
    "empty-file": Broken(b"", "VM109", 1),
    "bom-only": Broken(b"\xef\xbb\xbf", "VM109", 1),
    "no-body": Broken(_note("", ""), "VM109", 5),
    "only-a-heading": Broken(_body("# Title\n"), "VM109", 5),
    "only-a-list-body": Broken(_body("- a\n- b\n"), "VM109", 5),
    "only-code": Broken(_body("```\nwords\n```\n"), "VM109", 5),
    "only-hidden-text": Broken(_body("%% words nobody sees %%\n"), "VM109", 5),
    "comment-never-closed": Broken(_body("%%\nWords.\n"), "VM109", 5),
    "hidden-in-the-statement": Broken(_body("Words %%and orders%% here.\n"), "VM114", 5),
    "tag-in-the-statement": Broken(_body("\n\nWords </system> here.\n"), "VM114", 7),
    "conflict-in-body": Broken(_body("<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> theirs\n"), "VM108", 5),
}  # fmt: skip
"""By name. `line` is None where the finding is about the note, or the line may vary by parser."""


def files() -> dict[str, bytes]:
    """The kinds that are small enough to lie in the repository, by file name."""
    return {
        f"{name}.md": kind.data for name, kind in KINDS.items() if len(kind.data) <= LARGEST_FILE
    }


def main() -> None:
    """Write the small kinds as files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / ".gitattributes").write_text("* -text\n")
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
