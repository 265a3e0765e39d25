"""What the notebook wants of a language model, whoever runs it."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultmem.errors import AnswerCutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.json_splice import Json
    from vaultmem.store.desk import Desk


MOST_STEPS = 100
"""Answers of a model in one task: it may read some hundred files, several in one answer."""
MOST_TOLD = 1_000_000_000
"""Tokens, and dollars, that one answer can have taken; a server that tells more is not believed."""


class Purpose(StrEnum):
    """What a model is used for; each may have a model of its own in the user config."""

    EXTRACT = "extract"
    CONSOLIDATE = "consolidate"
    DREAM = "dream"


class Usage(NamedTuple):
    """Tokens that were read and written, and what they cost.

    Attributes:
        input: tokens of everything that was sent, also where the provider had them cached.
        output: tokens of the answers.
        cost: in US dollars, None where nobody says.
    """

    input: int = 0
    output: int = 0
    cost: float | None = None

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        known = [one for one in (self.cost, other.cost) if one is not None]
        cost = sum(known) if known else None
        return Usage(self.input + other.input, self.output + other.output, cost)

    def since(self, before: Usage) -> Usage:
        """What was spent between two looks at `Model.spent`."""
        cost = None if self.cost is None else self.cost - (before.cost or 0.0)
        return Usage(self.input - before.input, self.output - before.output, cost)


def told_tokens(value: object) -> int:
    """Tokens as a server or program tells them: 0 where it tells no such number."""
    return min(max(value, 0), MOST_TOLD) if isinstance(value, int) else 0


def told_cost(value: object) -> float | None:
    """Dollars as a server or program tells them; None where it tells no such number."""
    if isinstance(value, int | float) and 0 <= value <= MOST_TOLD:
        return float(value)
    return None


class Ask(NamedTuple):
    """One question without tools.

    Attributes:
        purpose: what it is for.
        system: the instructions.
        prompt: what they are about; already redacted, for it is sent as it is.
        schema: the JSON schema of the answer, None where the answer is prose.
        most_output: tokens that the answer may take; Pi takes its own limit.
    """

    purpose: Purpose
    system: str
    prompt: str
    schema: Json | None
    most_output: int


class Answer(NamedTuple):
    """What the model said.

    Attributes:
        text: its answer; with a schema, most likely a JSON object, which the caller checks.
        cut: whether the answer ends where its tokens ran out.
    """

    text: str
    cut: bool = False


class Task(NamedTuple):
    """Work on files with the fenced tools of `llm.tools`.

    Attributes:
        purpose: what it is for.
        system: the instructions.
        prompt: what to do; already redacted.
        desk: the copy that is worked on.
        seconds: for all of it.
        stop: asked several times a second; True ends the work.
    """

    purpose: Purpose
    system: str
    prompt: str
    desk: Desk
    seconds: float
    stop: Callable[[], bool]


class Model(Protocol):
    """A language model. It is sent what it is given and nothing else, and tries nothing twice."""

    @property
    def name(self) -> str:
        """The model, as the person named it, or `default`."""
        ...

    @property
    def destination(self) -> str:
        """Where what is sent goes, for the person."""
        ...

    @property
    def window(self) -> int | None:
        """Tokens that it can read at once, None where nobody said."""
        ...

    def ask(self, ask: Ask, *, seconds: float, stop: Callable[[], bool]) -> Answer:
        """Ask one question.

        Raises:
            ModelDownError: if it cannot be reached, is busy, or takes longer than `seconds`.
            ModelRefusedError: if it will not answer before something is changed.
            ModelStoppedError: if `stop` said so.
            NoModelError: if its program or package is missing.
        """
        ...

    def work(self, task: Task) -> None:
        """Let it work on the files of a desk until it says that it is done.

        Raises:
            AnswerCutError: if it ended in the middle: its tokens or its steps ran out.
            ModelDownError, ModelRefusedError, ModelStoppedError, NoModelError: as `ask`.
        """
        ...

    def spent(self) -> Usage:
        """What all questions and tasks cost so far, those that failed among them."""
        ...

    def remaining_percent(self) -> float | None:
        """What is left of the provider's limits by its last answer, 0 to 100; None: unknown."""
        ...


def never() -> bool:
    """A `stop` that never says so."""
    return False


def with_schema(system: str, schema: Json) -> str:
    """The instructions, with the schema of the answer in words."""
    told = json.dumps(schema, ensure_ascii=False)
    return f"{system.rstrip()}\n\nAnswer with one JSON object of this schema:\n{told}\n"


def cut_off() -> AnswerCutError:
    """What is raised where an answer ended in the middle of the work."""
    return AnswerCutError(
        "The model's answer was cut off in the middle of its work. Use a model that may answer at "
        "more length (`llm_consolidation_model`)."
    )


def no_end() -> AnswerCutError:
    """What is raised where the steps of a task ran out."""
    return AnswerCutError(
        f"The model did not come to an end in {MOST_STEPS} steps. Wait, for a later run tries "
        "it again, or use a model that is better at it (`llm_consolidation_model`)."
    )
