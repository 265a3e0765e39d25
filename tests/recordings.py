"""Terminal recordings for the docs: `python -m tests.recordings --check|--write`.

Each is a console session over a copy of the example vault, run like a transcript (see
`tests/test_transcripts.py`) and drawn by rich as `docs/assets/NAME.svg`, 80 columns wide.
"""

from __future__ import annotations

import html
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tests.conftest import not_a_persons
from tests.test_transcripts import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ASSETS = Path(__file__).resolve().parents[1] / "docs" / "assets"
WIDTH = 80
_FONTS = re.compile(r"@font-face \{\{.*?\}\}\s*", re.S)
"""Rich's frame names fonts of another host; a page of ours loads nothing from anywhere."""
_FRAME = _FONTS.sub("", re.sub(r"\s*<!--.*?-->", "", CONSOLE_SVG_FORMAT)).replace(
    "Fira Code, monospace", "monospace"
)
_WORDS = re.compile(r"<text [^>]*>(.*?)</text>", re.S)
_ASKED = "[y/N]: "
_EXIT = re.compile(r"\[\d+\]")
"""How a transcript notes an exit code; no terminal prints it."""


class Recording(NamedTuple):
    """One picture: what is typed in it, and what was typed before it began."""

    name: str
    title: str
    """What stands in the frame, and what a reader who sees no picture is told."""
    before: tuple[str, ...]
    typed: tuple[str, ...]
    """Commands after `$ `, and answers to their questions after `> `."""


_OWN = ("$ vaultmem trust .", "$ vaultmem sync")
_RATIFIED = (*_OWN, "$ vaultmem ratify --review --yes")
RECORDINGS = (
    Recording(
        "remember",
        "Remember something, and find it again",
        _RATIFIED,
        (
            '$ vaultmem add "Announce a pause of a receiver to its harbour first." --category lesson',
            '$ vaultmem search "pause of a receiver" --mode keyword --limit 2',
            '$ vaultmem why "Announce a pause of a receiver to its harbour first"',
        ),
    ),
    Recording(
        "report",
        "What an agent is told",
        _RATIFIED,
        ("$ vaultmem report --budget 260",),
    ),
    Recording(
        "inbox",
        "An agent proposes, you decide",
        _OWN,
        (
            '$ AI_AGENT=demo vaultmem add "Deploy on Friday afternoons." --category pattern',
            "$ vaultmem inbox",
            '$ vaultmem inbox approve "Deploy on Friday afternoons"',
            "$ vaultmem undo",
        ),
    ),
    Recording(
        "edit",
        "You edit notes, sync takes it in",
        _OWN,
        (
            '$ echo "Label every buoy." > Memory/Lessons/Buoys.md',
            '$ mv Memory/Lessons/Copy*.md "Memory/Patterns/"',
            "$ vaultmem sync",
        ),
    ),
    Recording(
        "guardrail",
        "What a guardrail would do with a command",
        _RATIFIED,
        ('$ vaultmem enforce test "git add ."',),
    ),
    Recording(
        "migrate",
        "A folder of notes, before anything is written",
        (
            *_OWN,
            "$ mkdir ../old-notes",
            '$ printf "# Lessons\\n\\n- Flush the queue before a deploy.\\n'
            '- The gauge at pier 4 reports in feet.\\n" > ../old-notes/lessons.md',
        ),
        ("$ vaultmem migrate markdown ../old-notes",),
    ),
    Recording(
        "purge",
        "What a purge says before you answer",
        (
            *_OWN,
            '$ vaultmem add "The staging database is called heron-two." --category lesson',
            "$ printf -- '- The staging database is called heron-two.\\n' >> Home.md",
        ),
        ('$ vaultmem forget "The staging database is called heron-two" --purge', "> n"),
    ),
    Recording(
        "doctor",
        "A broken note is named, and nothing else stops",
        (
            *_RATIFIED,
            *(f"$ vaultmem ratify {one}" for one in ("rvmvq8q2", "d3mp68jw", "rvtfsag3")),
            '$ printf -- "---\\nid: [\\n---\\nBroken.\\n" > Memory/Lessons/Broken.md',
        ),
        ("$ vaultmem doctor", "$ rm Memory/Lessons/Broken.md", "$ vaultmem doctor"),
    ),
)


def session(recording: Recording) -> list[str]:
    """The lines that the picture shows, run now."""
    typed = [one for one in recording.typed if one.startswith("$ ")]
    lines = [f"# {recording.title}", *recording.before, *recording.typed]
    with tempfile.TemporaryDirectory() as folder:
        whole = replay("\n".join(lines), Path(folder).resolve())
    shown = whole[whole.index(f"\n{typed[0]}\n") + 1 :]
    for answer in re.findall(r"^> (.*)\n", shown, re.M):
        shown = shown.replace(f"> {answer}\n", "", 1).replace(_ASKED, f"[y/N] {answer}\n", 1)
    return [line for line in shown.rstrip().splitlines() if not _EXIT.fullmatch(line)]


def drawn(recording: Recording, lines: Sequence[str]) -> str:
    """The picture of these lines."""
    console = Console(
        width=WIDTH, record=True, file=io.StringIO(), force_terminal=True, legacy_windows=False
    )
    for line in lines:
        style = "bold" if line.startswith("$ ") else ""
        console.print(Text(line, style=style), soft_wrap=False)
    svg = console.export_svg(
        title=recording.title, code_format=_FRAME, unique_id=f"terminal-{recording.name}"
    )
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def words(svg: str) -> str:
    """What a picture says, whatever version of rich drew it."""
    text = html.unescape(" ".join(_WORDS.findall(svg)))
    return " ".join(text.replace("\xa0", " ").split())


def stale(recordings: Iterable[Recording] = RECORDINGS, folder: Path = ASSETS) -> list[str]:
    """The names of pictures that are missing, or say what the commands no longer say."""
    found = []
    for one in recordings:
        place = folder / f"{one.name}.svg"
        kept = words(place.read_text(encoding="utf-8")) if place.is_file() else None
        if kept != words(drawn(one, session(one))):
            found.append(one.name)
    return found


def main(arguments: Sequence[str], folder: Path = ASSETS) -> int:
    """Check or draw the pictures; 1 if one is stale, 2 for another option."""
    if list(arguments) == ["--write"]:
        for one in RECORDINGS:
            svg = drawn(one, session(one))
            (folder / f"{one.name}.svg").write_text(svg, encoding="utf-8")
        return 0
    if list(arguments) != ["--check"]:
        print("Usage: python -m tests.recordings --check | --write")
        return 2
    names = stale(folder=folder)
    for name in names:
        print(f"docs/assets/{name}.svg is stale. Run `python -m tests.recordings --write`.")
    return 1 if names else 0


if __name__ == "__main__":
    for variable in not_a_persons():
        del os.environ[variable]
    sys.exit(main(sys.argv[1:]))
