"""What a run would send, in full: for `--dry-run`, and for the question before the first time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import tokens
from vaultmem.errors import NotebookOffError
from vaultmem.llm.tools import declared
from vaultmem.store.notebook_agreed import agree_destination, is_agreed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vaultmem.llm.model import Ask, Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.consolidated import Work


_INSTRUCTIONS, _FORM, _TOOLS = ": instructions", ": form of the answer", ": tools"


class Part(NamedTuple):
    """One text that would be sent, or be there for the worker to read.

    Attributes:
        what: what it is, for the person.
        tokens: about how many it takes.
        text: all of it.
    """

    what: str
    tokens: int
    text: str

    @property
    def is_instruction(self) -> bool:
        """Whether it is ours, and says nothing of the person's."""
        return self.what.endswith((_INSTRUCTIONS, _FORM, _TOOLS))


class Planned(NamedTuple):
    """What would be sent, and where.

    Attributes:
        destination: as the model tells it.
        model: its name.
        agreed: whether the person said yes to the destination on this machine.
        parts: in the order in which they would be sent; empty where nothing is due.
        note: why nothing is due, or what is sent after it; "" for nothing to say.
        follows: whether the note says what the same run sends once an earlier step is done.
    """

    destination: str
    model: str
    agreed: bool
    parts: tuple[Part, ...]
    note: str = ""
    follows: bool = False

    @property
    def is_unagreed(self) -> bool:
        """Whether there is a destination, and a run would ask the person about it first."""
        return bool(self.destination) and not self.agreed

    @property
    def tokens(self) -> int:
        """About how many tokens all of it takes; a worker may read a file twice, or not at all."""
        return sum(one.tokens for one in self.parts)


def question_parts(what: str, ask: Ask) -> tuple[Part, ...]:
    """The texts of one question, and the form that its answer is asked for in.

    Args:
        what: what it is about, such as a session.
        ask: the question.
    """
    texts = (_part(f"{what}{_INSTRUCTIONS}", ask.system), _part(what, ask.prompt))
    if ask.schema is None:
        return texts
    return (*texts, _part(f"{what}{_FORM}", json.dumps(ask.schema, ensure_ascii=False)))


def task_parts(what: str, work: Work) -> Iterator[Part]:
    """What a worker is told, the tools that it has, and the files that it would find."""
    yield _part(f"{what}{_INSTRUCTIONS}", work.system)
    yield _part(what, work.prompt)
    tools = [one._asdict() for one in declared()]
    yield _part(f"{what}{_TOOLS}", json.dumps(tools, ensure_ascii=False))
    yield from _file_parts(work.files)


def _file_parts(files: Mapping[str, bytes]) -> Iterator[Part]:
    """The files that a worker would find, by name; it reads what it needs of them."""
    for name in sorted(files):
        yield _part(f"file {name}", files[name].decode("utf-8", "replace"))


def planned(
    call: Call, model: Model, parts: Iterable[Part], note: str = "", *, follows: bool = False
) -> Planned:
    """Put together where the texts would go; the arguments are those of `Planned`.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if this machine's state cannot be read.
    """
    agreed = is_agreed(call.vault.state.folder, model.destination)
    return Planned(model.destination, model.name, agreed, tuple(parts), note, follows)


def refuse_unagreed(call: Call, model: Model) -> None:
    """Stop before anything is sent to where the person did not say yes.

    Raises:
        NotebookOffError: with what the person can do.
    """
    if not is_agreed(call.vault.state.folder, model.destination):
        raise NotebookOffError(
            f"Nobody agreed yet to send sessions to {model.destination}. Look at it with "
            "`vaultmem notebook run --dry-run`, and agree with `vaultmem notebook run`; only a "
            "person can."
        )


def agree(call: Call, model: Model) -> None:
    """Remember that the person lets sessions be sent there from this machine.

    Raises:
        AgentRefusedError: if an agent calls.
        ReadOnlyError, DiskFailedError: if it cannot be kept.
    """
    call.person_only("notebook run --yes")
    agree_destination(call.vault.state.folder, model.destination)


def _part(what: str, text: str) -> Part:
    return Part(what, tokens(text), text)
