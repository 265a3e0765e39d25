"""Takes the properties of one note as typed values and collects what is wrong with them."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import is_id
from vaultmem.core.settings import line_of
from vaultmem.core.values import READERS, Kind, Normal, Raw, WrongValueError, has_zone
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.merge import conflict_line
from vaultmem.notes.schema import PREFIX, SCHEMAS, NoteType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.notes.frontmatter import Value
    from vaultmem.notes.property import Property

E = TypeVar("E", bound=StrEnum)

# Reading 10,000 notes looks each kind's reader up once, not once per value.
_ROWS = {
    note_type: {row.name: (row, READERS[row.kind], row.default) for row in rows}
    for note_type, rows in SCHEMAS.items()
}

MAX_PROPERTIES = 500
"""More than a person can use; such a note was made by a faulty program."""


class Reader:
    """The properties of one note of a known type; a wrong value becomes a finding and the default.

    Args:
        properties: as the frontmatter reader gives them.
        note_type: the type whose table says how to read them.
        data: the note's bytes, only to name lines.
        path: the note, for findings.
    """

    def __init__(
        self, properties: Mapping[str, Value], note_type: NoteType, *, data: bytes, path: str
    ) -> None:
        self.properties = properties
        self.note_type = note_type
        self.findings: list[Finding] = []
        self._data = data
        self._path = path
        self._rows = _ROWS[note_type]
        self._values = self._known()
        if len(properties) > MAX_PROPERTIES:
            self.report("VM121", f"The note has {len(properties)} properties.")

    def report(
        self, code: str, message: str, *, key: str | None = None, line: int | None = None
    ) -> None:
        """Add a finding, at the line of the property `key` or at `line`."""
        if key is not None:
            line = line_of(self._data.decode(), key)
        self.findings.append(finding(code, message, path=self._path, line=line))

    def identifier(self) -> str:
        """The id, or "" where the note has none or one of the wrong form."""
        value = self._value("id")
        prefix = PREFIX[self.note_type]
        if is_id(value, prefix):
            return str(value)
        if value is None:
            self.report("VM118", "The note has no id.")
        else:
            self.report(
                "VM113", f"`id` is not `{prefix}_` and 26 letters and digits of a ULID.", key="id"
            )
        return ""

    def check_type(self) -> None:
        """Report a `type` that is not the one the note is read as."""
        value = self._value("type")
        if value is not None and str(value).casefold() != self.note_type:
            known = {str(member) for member in NoteType}
            what = "another type" if str(value).casefold() in known else "no type of ours"
            self.report(
                "VM117",
                f"`type` is {_shown(value)}, which is {what}; here it should be {self.note_type}.",
                key="type",
            )

    def text(self, name: str) -> str | None:
        """The value of a TEXT, LINK or ENUM property."""
        value = self._value(name)
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """The value of a LIST, TAGS or LINKS property."""
        value = self._value(name)
        return value if isinstance(value, tuple) else ()

    def enum(self, name: str, members: type[E]) -> E | None:
        """The value of an ENUM property, its default where the table has one."""
        value = self._value(name)
        return members(value) if isinstance(value, str) else None

    def number(self, name: str) -> float:
        """The value of a NUMBER property."""
        value = self._value(name)
        return float(value) if isinstance(value, int | float) else 0.0

    def count(self, name: str) -> int:
        """The value of a COUNT property."""
        return int(self.number(name))

    def flag(self, name: str) -> bool:
        """The value of a CHECKBOX property."""
        return self._value(name) is True

    def day(self, name: str) -> date | None:
        """The value of a DATE property."""
        value = self._value(name)
        return value if isinstance(value, date) and not isinstance(value, datetime) else None

    def moment(self, name: str) -> datetime | None:
        """The value of a DATETIME property, the person's clock time."""
        value = self._value(name)
        return value if isinstance(value, datetime) else None

    def _known(self) -> dict[str, Value]:
        """The properties of ours; one in other capitals counts, as it does in Obsidian."""
        known: dict[str, Value] = {}
        for name, value in self.properties.items():
            if name in self._rows:
                known[name] = value
            elif name.lower() in self._rows:
                known[name.lower()] = value
                self.report("VM120", f"`{name}` is read as `{name.lower()}`.", key=name)
        return known

    def _value(self, name: str) -> Normal:
        row, reader, default = self._rows[name]
        raw = self._values.get(name)
        if raw is None:
            return default
        # The usual spelling of an enum needs no reading.
        if isinstance(raw, str) and raw in row.allowed:
            return raw
        return self._read(row, reader, raw)

    def _read(self, row: Property, reader: Callable[[Raw], Normal], raw: Value) -> Normal:
        try:
            value = row.checked(reader(raw))
        except WrongValueError as wrong:
            instead = (
                "it is left out" if row.default in (None, ()) else f"{_shown(row.default)} holds"
            )
            self.report("VM110", f"`{row.name}` {wrong}; until then {instead}.", key=row.name)
            return row.default
        if (row.kind is Kind.DATETIME or row.kind is Kind.DATE) and has_zone(raw):
            self.report("VM119", f"`{row.name}` names a time zone, which is ignored.", key=row.name)
        return row.default if value in (None, ()) else value


def _shown(value: Normal) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"`{value}`"


def report_conflict(block: frontmatter.Block, reader: Reader) -> None:
    """Make it a finding if git left conflict markers in the body."""
    if (conflict := conflict_line(block.body)) is not None:
        line = block.body_line + conflict - 1
        reader.report("VM108", "The note holds git conflict markers.", line=line)


def open_note(data: bytes, note_type: NoteType, *, path: str) -> tuple[frontmatter.Block, Reader]:
    """A note cut into block and body, and the reader of its properties, its `type` checked.

    Raises:
        NoteUnreadableError: the bytes or the properties cannot be read; it names `path`.
    """
    try:
        block = frontmatter.read(data)
    except NoteUnreadableError as error:
        raise error.at(path) from None
    reader = Reader(block.properties, note_type, data=data, path=path)
    reader.check_type()
    return block, reader
