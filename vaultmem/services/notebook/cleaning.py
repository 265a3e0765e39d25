"""What a worker wrote, as it may be published: cited, inert, without secrets and purged words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import inert_value
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.notebook.check import skill_files, skill_of
from vaultmem.core.notebook.citing import cited_handbook, cited_summary, cites_source
from vaultmem.core.notebook.inert_text import inert_markdown
from vaultmem.core.notebook.kept import with_own_lines
from vaultmem.core.notebook.legend import with_legend, without_legend
from vaultmem.core.notebook.legible import legible
from vaultmem.core.notebook.own import decoded, own_texts
from vaultmem.core.notebook.own_tasks import moved_tasks
from vaultmem.core.notebook.validation import HANDBOOK, SKILLS, SUMMARY
from vaultmem.core.visible import visible_line
from vaultmem.errors import NoteError
from vaultmem.notes.frontmatter import get_properties, new_note
from vaultmem.notes.frontmatter.fence import split
from vaultmem.notes.skill import check_skill
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.notebook.outgoing import Unsaid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.citing import Sources
    from vaultmem.core.notebook.places import OwnLine
    from vaultmem.services.call import Call


class Cleaned(NamedTuple):
    """Files that may be published, and what was left out of them."""

    files: dict[str, bytes]
    dropped: tuple[str, ...]
    """Lines without a source."""
    refused: tuple[str, ...]
    """Why a skill was left as it was, one sentence each."""
    moved: tuple[int, ...]
    """The person's lines of the handbook, from 1, that cite a task which is another one now."""
    is_bare: bool
    """Whether lines were left out of one of the two notes and none with a source is left there."""


def cleaned(
    call: Call,
    files: Mapping[str, bytes],
    before: Mapping[str, bytes],
    *,
    known: Sources,
    own: AbstractSet[OwnLine],
) -> Cleaned:
    """What of the worker's files may be published; skills that are as before stay as they are.

    Args:
        call: the circumstances.
        files: the notebook's files in the worker's folder, which `core.notebook.check` passed.
        before: the same when the work began.
        known: what a line may cite.
        own: lines that the person wrote.
    """
    is_note, unsaid = note_finder(call), Unsaid(call)
    words = own_texts(own)
    told = without_legend(_text(files[HANDBOOK], unsaid, words))
    handbook = cited_handbook(told, known, own)
    summary = cited_summary(_text(files[SUMMARY], unsaid, words), known, own)
    first, end, rest = summary.text.partition("\n")
    texts = {
        HANDBOOK: inert_markdown(handbook.text, own=words, is_note=is_note),
        SUMMARY: f"{first}{end}{inert_markdown(rest, own=words, is_note=is_note)}",
    }
    made = {
        path: with_own_lines(text, decoded(before.get(path, b"")), own, path).encode()
        for path, text in texts.items()
    }
    made[HANDBOOK] = with_legend(made[HANDBOOK].decode()).encode()
    refused: list[str] = []
    for name in sorted({skill_of(path) for path in files.keys() | before.keys()} - {""}):
        new, old = skill_files(files, name), skill_files(before, name)
        if new and new != old:
            try:
                new = _cleaned_skill(new, name, known, is_note, unsaid)
            except NoteError as error:
                refused.append(f"{_shown(name, unsaid)} stays as it was: {error.problem}")
                new = old
        made |= new
    return Cleaned(
        made,
        (*handbook.dropped, *summary.dropped),
        tuple(refused),
        moved_tasks(made[HANDBOOK].decode(), decoded(before.get(HANDBOOK, b"")), own),
        is_bare=any(one.dropped and not one.kept for one in (handbook, summary)),
    )


def note_finder(call: Call) -> Callable[[str], bool]:
    """Whether a link's target is a note that this machine knows."""

    def is_note(target: str) -> bool:
        name = target.rpartition("/")[2].removesuffix(".md")
        paths = call.vault.baseline.stems(name_key(name))
        wanted = target.removesuffix(".md").casefold()
        return any(
            f"/{path.removesuffix('.md').casefold()}".endswith(f"/{wanted}") for path in paths
        )

    return is_note


def _cleaned_skill(
    files: Mapping[str, bytes],
    name: str,
    known: Sources,
    is_note: Callable[[str], bool],
    unsaid: Unsaid,
) -> dict[str, bytes]:
    """A skill that the worker made or changed.

    Raises:
        NoteError: if an agent could not use it, it does not say where it comes from, or what it
            is called or for was purged.
    """
    main = f"{SKILLS}/{name}/SKILL.md"
    made: dict[str, bytes] = {}
    for path, data in files.items():
        if any(_is_unsaid(part, unsaid) for part in path.split("/")):
            raise NoteError(*_PURGED)
        text = _text(data, unsaid)
        if path != main:
            made[path] = inert_markdown(text, own=frozenset(), is_note=is_note).encode()
            continue
        raw = check_skill(text.encode(), name)
        body = raw[split(raw).body_start :].decode()
        if not cites_source(body, known):
            raise NoteError("It cites no session and no note.", "Write where it comes from.")
        description = visible_line(inert_value(str(get_properties(raw)["description"])))
        if unsaid.says(description):
            raise NoteError(*_PURGED)
        inert = inert_markdown(body, own=frozenset(), is_note=is_note)
        made[path] = new_note({"name": name, "description": description}, inert)
    return made


_PURGED = ("It says what was purged.", "Write about something else.")


def _is_unsaid(name: str, unsaid: Unsaid) -> bool:
    """Whether a file or folder is named by what was purged."""
    return unsaid.says(title_of(name).replace("-", " "))


def _shown(name: str, unsaid: Unsaid) -> str:
    return "A skill" if _is_unsaid(name, unsaid) else f"The skill {name}"


def _text(data: bytes, unsaid: Unsaid, own: AbstractSet[str] = frozenset()) -> str:
    """The text without secrets, what was purged and what nobody sees.

    The person's own lines are as they wrote them; the worker was given them without secrets.
    """
    lines = decoded(data).split("\n")
    text = redact("\n".join(one if one.strip() in own else legible(one) for one in lines))
    given = {redact(line): line for line in own}
    mine = (_as_written(line, given) for line in text.split("\n"))
    return unsaid.without("\n".join(mine), own)


def _as_written(line: str, given: Mapping[str, str]) -> str:
    """An own line in place of what the worker was given of it."""
    stripped = line.strip()
    return line.replace(stripped, given[stripped]) if stripped in given else line
