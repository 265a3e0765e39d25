"""What the place of a note says about it: pure rules over its path and the memory root's name."""

from __future__ import annotations

from enum import StrEnum

from vaultmem.core.category import CATEGORY_FOLDER, IDENTITY_FOLDER, Category
from vaultmem.core.settings import SETTINGS_NOTE

INBOX = "Inbox"
SYSTEM = "System"
LOG = "System/Log"
LEDGER = "System/Ledger"
EVIDENCE = "System/Evidence"
PATCHES = "System/Patches"
SESSIONS = "System/Sessions"
INQUIRIES = "Inquiries"
PROMOTIONS = "Promotions"
SKILLS = "Skills"
REVIEW = "Review"
"""Guidelines for reviews; person and machine both write there."""
ARCHIVE = "System/Archive"
SCRATCHPAD = "Scratchpad.md"
"""Person and machine both write there."""
REPORTS = "System/Reports"

FOLDERS = (IDENTITY_FOLDER, *CATEGORY_FOLDER.values(), INBOX)
"""The folders that `init` makes in the memory root."""

_OURS = {*FOLDERS, SYSTEM, INQUIRIES, PROMOTIONS, "Notes", SKILLS, REVIEW}
_OUR_NOTES = {SETTINGS_NOTE, SCRATCHPAD, "MEMORY.md", "memory_summary.md"}

_CATEGORY_OF = {folder: category for category, folder in CATEGORY_FOLDER.items()}


class Kind(StrEnum):
    """What a file of the vault is to vaultmem."""

    MEMORY = "memory"
    CANDIDATE = "candidate"
    SETTINGS = "settings"
    LOG = "log"
    LEDGER = "ledger"
    EVIDENCE = "evidence"
    """A day's evidence of one device, below `System/Evidence`."""
    PATCH = "patch"
    """An open patch: a note of `type: patch` in the inbox."""
    DECIDED = "decided"
    """A day's decided patches of one device, below `System/Patches`."""
    SESSION = "session"
    """The card of one session, below `System/Sessions`."""
    INQUIRY = "inquiry"
    """A question that waits for the person, in `Inquiries`."""
    PROMOTION = "promotion"
    """A proposal of a stronger form of a memory: a note of `type: promotion` in `Promotions`."""
    ROOT = "root"
    """Any other note in the memory root: scratchpad, notebook, reports."""
    KNOWLEDGE = "knowledge"
    """A note of the person's, outside the memory root: read, never written by the machine."""
    CONFLICT = "conflict"
    """A sync program's second copy of a note: reported, never read."""


_BELOW = (
    (LEDGER, Kind.LEDGER),
    (LOG, Kind.LOG),
    (EVIDENCE, Kind.EVIDENCE),
    (PATCHES, Kind.DECIDED),
    (SESSIONS, Kind.SESSION),
    (INQUIRIES, Kind.INQUIRY),
    (PROMOTIONS, Kind.PROMOTION),
)


def inside(path: str, root: str) -> bool:
    """Whether the vault-relative `path` lies in the memory root."""
    return path.startswith(f"{root}/")


def kind_of(path: str, root: str) -> Kind:
    """The kind that a note's place gives it.

    `type: memory` anywhere in the root can still make it a memory, `type: patch` in the inbox a
    patch.
    """
    if not inside(path, root):
        return Kind.KNOWLEDGE
    rest = path[len(root) + 1 :]
    top = rest.split("/", 1)[0]
    if rest == SETTINGS_NOTE:
        return Kind.SETTINGS
    if top in _CATEGORY_OF or top == IDENTITY_FOLDER or rest.startswith(f"{ARCHIVE}/"):
        return Kind.MEMORY
    if top == INBOX:
        return Kind.CANDIDATE
    below = (one for folder, one in _BELOW if rest.startswith(f"{folder}/"))
    return next(below, Kind.ROOT)


def is_review_note(path: str, root: str) -> bool:
    """Whether guidelines for reviews stand in a note of this place."""
    return path.startswith(f"{root}/{REVIEW}/")


def stray(path: str, root: str) -> bool:
    """Whether a note lies in the memory root where nothing of ours is kept."""
    rest = path[len(root) + 1 :]
    top, _, below = rest.partition("/")
    return inside(path, root) and (top not in _OURS if below else top not in _OUR_NOTES)


def folder_of(path: str, root: str) -> str:
    """The folder of a memory below the root, such as `Lessons` or `System/Archive`."""
    rest = path[len(root) + 1 :] if inside(path, root) else path
    return rest.rpartition("/")[0]


def folder_category(path: str, root: str) -> Category | None:
    """The category that the folder stands for, or None where the folder is no category's."""
    return _CATEGORY_OF.get(folder_of(path, root).split("/", 1)[0]) if inside(path, root) else None


def archived(path: str, root: str) -> bool:
    """Whether a memory lies in the archive: kept and linked, but cold."""
    return path.startswith(f"{root}/{ARCHIVE}/")


def home_folder(category: Category, *, identity: bool) -> str:
    """Where a new memory goes, below the memory root."""
    return IDENTITY_FOLDER if identity else CATEGORY_FOLDER[category]
