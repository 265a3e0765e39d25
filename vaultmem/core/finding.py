"""A finding: something wrong or notable, with the one place that lists every code."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a finding matters: an error makes `doctor` answer "not ok"."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(NamedTuple):
    """What a finding code means; `docs/reference/findings.md` is generated from these."""

    severity: Severity
    meaning: str
    remedy: str


class Finding(NamedTuple):
    """One occurrence. `path` is relative to the vault, `line` counts from 1."""

    code: str
    severity: Severity
    path: str | None
    line: int | None
    message: str
    remedy: str


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

CODES: dict[str, Code] = {
    # VM1xx: reading one note
    "VM101": Code(_E, "The note is not valid UTF-8.", "Save it as UTF-8 in your editor."),
    "VM102": Code(_E, "The properties block is not closed.", "Add a line `---` after the properties."),
    "VM103": Code(_E, "The properties are not valid YAML.", "Correct the line; Obsidian's source mode shows it."),
    "VM104": Code(_E, "A property is written twice.", "Keep one of the two lines."),
    "VM105": Code(_E, "Two property names differ only in case.", "Keep one of the two names."),
    "VM106": Code(_E, "The properties are too large or nested too deep.", "Move the text into the body."),
    "VM107": Code(_E, "The properties are not a list of `name: value` lines.", "Write each property as `name: value`."),
    "VM108": Code(_E, "The note holds git conflict markers.", "Resolve the conflict and remove the markers."),
    "VM109": Code(_E, "The note has no statement.", "Write the statement as the first paragraph."),
    "VM110": Code(_E, "A property has a value that its type does not allow.", "Use one of the allowed values."),
    "VM111": Code(_E, "The note cannot be opened.", "Check its permissions."),
    "VM112": Code(_W, "The note is larger than 1 MB; only its head and headings are searched.", "Split it if all of it should be found."),
    "VM113": Code(_W, "The id has the wrong form.", "Remove the `id` line; the next sync gives the note a new one."),
    "VM114": Code(_W, "Hidden text was left out of the memory.", "Write it as visible text if it should count."),
    "VM115": Code(_E, "The note is a symbolic link, which is never followed.", "Put a real file in its place."),
    "VM116": Code(_W, "A link target does not exist.", "Correct the link or remove the property."),
}
"""Every code, by number; `finding` looks the severity and the usual remedy up here."""


def finding(
    code: str,
    message: str | None = None,
    *,
    path: str | None = None,
    line: int | None = None,
    remedy: str | None = None,
) -> Finding:
    """Make a finding of a known code, with its usual words where none are given.

    Raises:
        KeyError: if the code is not in `CODES`.
    """
    known = CODES[code]
    return Finding(
        code, known.severity, path, line, message or known.meaning, remedy or known.remedy
    )
