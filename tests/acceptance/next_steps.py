"""Every sentence by which vaultmem refuses, collected from its tables and its source."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem import errors

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(errors.__file__).parent
_VERBS = """
add adjust allow answer approve ask begin bring change check choose clear close compare complete
convert copy correct count cut decide delete do draw edit export follow free give import install
keep let link list look make merge move name narrow open pass paste pause pick point propose put
quote raise read reindex reinstall reject remove rename repair repeat replace report resolve
restore revert review rewrite run save say see select send set sign split start stop switch sync
take tell tick try turn undo unpin update use wait withdraw write
"""
VERBS = frozenset(_VERBS.split())
"""Words by which a sentence tells what to do."""

_START = re.compile(
    r"(?:^|[.:;,!?—}] |, and |\bthen |\bor |\band |\bplease )(?:also |first |[Tt]hen )?([A-Za-z]+)"
)
_HOLE = "{}"
"""Stands for what is only known when the sentence is said."""


def says_what_to_do(text: str) -> bool:
    """Whether one of the sentences is an instruction, or says that nothing has to be done."""
    return "Nothing to do" in text or any(word.casefold() in VERBS for word in _START.findall(text))


class Said(NamedTuple):
    """A refusal in the source: where it is, what it says is wrong, and what to do."""

    place: str
    kind: str
    problem: str
    remedy: str


def refusals() -> Iterator[Said]:
    """What every `raise` of our errors and every `Refusal` says, with holes for values."""
    classes = {
        name: value
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.VaultmemError)
    }
    saying = re.compile(rf"\b(?:{'|'.join(classes)}|Refusal|TextRefusal|finding)\(")
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not saying.search(text):  # to parse all would keep each process of a run waiting
            continue
        tree = ast.parse(text)
        place = file.relative_to(SOURCE).as_posix()
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            name = node.func.id
            where = f"{place}:{node.lineno}"
            words = [_words(one) for one in node.args]
            named = {one.arg: _words(one.value) for one in node.keywords if one.arg}
            if name in classes and (issubclass(classes[name], errors.NoteError) or len(words) > 1):
                problem = named.get("problem", words[0] if words else _HOLE)
                remedy = named.get("remedy", words[1] if len(words) > 1 else _HOLE)
                yield Said(where, name, problem, remedy)
            elif name in classes and words:
                yield Said(where, name, words[0], words[0])
            elif name in ("Refusal", "TextRefusal"):
                sentence = named.get("sentence", words[1] if len(words) > 1 else _HOLE)
                yield Said(where, name, sentence, named.get("remedy", words[-1]))
            elif name == "finding" and "remedy" in named:
                yield Said(where, name, _HOLE, named["remedy"])


def _words(node: ast.expr) -> str:
    """A text as the source spells it; a choice of two as both, what is computed as a hole."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_words, parts))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _words(left) + _words(right)
        case ast.IfExp(body=one, orelse=other):
            return f"{_words(one)}\n{_words(other)}"
        case _:
            return _HOLE
