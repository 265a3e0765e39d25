"""The trace of a report: every memory that is left out is named by one filter, in their order."""

from __future__ import annotations

import ast
import inspect

import pytest

from tests.core.rows import NOW, days_ago, ident, row
from vaultmem.core import report, report_caps, report_rules, selection, settled
from vaultmem.core.context import Context
from vaultmem.core.report import build_report
from vaultmem.core.report_caps import Caps
from vaultmem.core.report_trace import PROCESSORS, trace
from vaultmem.core.selection import Excluded

MEMORIES = (
    row(1),
    row(2, status="deprecated"),
    row(3, layer="L3"),
    row(4, project="github.com/acme/other"),
    row(5, expires=NOW),
    row(6, not_when="publishing"),
    row(7, applies_when="deploying"),
    row(8, reinforced=days_ago(400)),
    *(row(10 + number, status="contested", statement=f"Publish {number}.") for number in range(3)),
)


def test_governed_row_83_the_trace_names_the_filters_in_their_order() -> None:
    made = build_report(MEMORIES, Context(NOW, prompt="publish to the registry"))
    names = [stage.processor for stage in made.trace]
    assert names[1:5] == ["status", "project_scope", "time_scope", "negative_scope"]
    assert [(stage.input, stage.output) for stage in made.trace[:5]] == [
        (11, 11), (11, 9), (9, 8), (8, 7), (7, 6),
    ]  # fmt: skip
    by_name = {stage.processor: stage.excluded for stage in made.trace}
    assert by_name["project_scope"] == (Excluded(ident(4), "project:github.com/acme/other"),)
    assert by_name["negative_scope"] == (Excluded(ident(6), "not_when:publishing"),)


def test_every_memory_is_told_or_in_one_stage() -> None:
    made = build_report(MEMORIES, Context(NOW), budget=60, caps=Caps(records=2))
    told = {name for section in made.sections for name in section.ids}
    out = [one.id for stage in made.trace for one in stage.excluded]
    assert len(out) == len(set(out))
    assert told.isdisjoint(out)
    assert told | set(out) == {memory.id for memory in MEMORIES}
    assert made.trace[-1].output == len(told)
    assert all(
        after.input == before.output
        for before, after in zip(made.trace, made.trace[1:], strict=False)
    )


def test_without_memories_nothing_passes() -> None:
    assert {(one.input, one.output) for one in trace((), 0)} == {(0, 0)}


def test_a_reason_of_no_filter_is_an_error() -> None:
    with pytest.raises(KeyError):
        trace([Excluded(ident(1), "weather")], 0)


@pytest.mark.parametrize("module", [selection, settled, report, report_caps, report_rules])
def test_every_reason_that_a_module_can_give_belongs_to_a_filter(module) -> None:
    """Literals that stand as the second argument of `Excluded`, or are returned as a reason."""
    known = {word for _, words in PROCESSORS for word in words}
    tree = ast.parse(inspect.getsource(module))
    given = {
        _first(call.args[1])
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Excluded"
    }
    assert given - {""} <= known


def _first(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    value = getattr(node, "value", "")
    return value.partition(":")[0] if isinstance(value, str) else ""
