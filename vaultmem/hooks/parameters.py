"""A tool of the agent and its parameters: what is told of them, and how a call is checked."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.hooks.reading import Fields


class Kind(StrEnum):
    """The type of a parameter, as JSON Schema calls it; a list is one of texts."""

    TEXT = "string"
    WHOLE = "integer"
    FLAG = "boolean"
    LIST = "array"


class Parameter(NamedTuple):
    """One parameter of a tool.

    Attributes:
        name: as the model writes it.
        doc: one sentence for the model.
        kind: its type.
        required: whether the tool needs it.
        choices: the words that are allowed; () for any text.
        least, most: bounds of a whole number.
        default: of a whole number, or the choice that holds without one; None for nothing.
    """

    name: str
    doc: str
    kind: Kind = Kind.TEXT
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int = 100
    default: int | str | None = None

    def schema(self) -> dict[str, object]:
        """As JSON Schema has it."""
        made: dict[str, object] = {"type": self.kind.value, "description": self.doc}
        if self.choices:
            made["enum"] = list(self.choices)
        if self.kind is Kind.WHOLE:
            made |= {"minimum": self.least, "maximum": self.most}
        if self.kind is Kind.LIST:
            made |= {"items": {"type": "string"}, "maxItems": self.most}
        return made if self.default is None else {**made, "default": self.default}

    def check(self, fields: Fields) -> None:
        """Look whether a call gives it as it must be.

        Raises:
            WrongFieldError: if it is missing or has a wrong value.
        """
        if self.kind is Kind.FLAG:
            fields.flag(self.name)
        elif self.kind is Kind.WHOLE:
            fields.number(self.name, self.least, least=self.least, most=self.most)
        elif self.kind is Kind.LIST:
            fields.texts(self.name, most=self.most)
        elif self.choices and (self.required or fields.maybe(self.name)):
            fields.one_of(self.name, self.choices)
        elif self.required:
            fields.word(self.name)
        else:
            fields.text(self.name, "")


class Tool(NamedTuple):
    """One tool.

    Attributes:
        name: as the model calls it.
        label: as the person sees it.
        doc: what it does, for the model.
        snippet: the same in a few words, for the system prompt's list of tools.
        parameters: in the order of the reference.
        guidelines: sentences about when to use it, for the system prompt.
    """

    name: str
    label: str
    doc: str
    snippet: str
    parameters: tuple[Parameter, ...] = ()
    guidelines: tuple[str, ...] = ()

    def schema(self) -> dict[str, object]:
        """The JSON Schema of its arguments."""
        return {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }

    def json(self) -> dict[str, object]:
        """As tools.json has it."""
        return {
            "name": self.name,
            "label": self.label,
            "description": self.doc,
            "promptSnippet": self.snippet,
            "promptGuidelines": list(self.guidelines),
            "parameters": self.schema(),
        }
