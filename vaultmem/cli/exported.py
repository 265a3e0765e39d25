"""The JSON shapes of what `vaultmem export` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from vaultmem.cli.output import Json
    from vaultmem.core.graph import Value
    from vaultmem.core.handoff import Goal
    from vaultmem.services.exporting.canvas import CanvasExport
    from vaultmem.services.exporting.graph import GraphExport
    from vaultmem.services.exporting.handoff import HandoffExport
    from vaultmem.services.exporting.procedures import ProceduresExport
    from vaultmem.services.exporting.timeline import TimelineExport


def graph_json(made: GraphExport) -> dict[str, Json]:
    """Nodes and edges, both by id."""
    return {
        "generated_at": made.day,
        "nodes": [
            {
                "id": one.id,
                "type": one.type,
                "label": one.label,
                "payload": {key: _value(value) for key, value in one.payload},
            }
            for one in made.graph.nodes
        ],
        "edges": [
            {"id": one.id, "type": one.type, "from": one.start, "to": one.end}
            for one in made.graph.edges
        ],
    }


def timeline_json(made: TimelineExport) -> dict[str, Json]:
    """The events by time, and from when until when each memory held."""
    return {
        "generated_at": made.day,
        "memory_id": made.memory or None,
        "events": [
            {
                "timestamp": one.at.isoformat(),
                "type": one.type,
                "id": one.id,
                "memory_id": one.memory or None,
                "summary": one.summary,
            }
            for one in made.timeline.events
        ],
        "validity": [
            {
                "memory_id": name,
                "valid_from": _moment(span.start),
                "valid_to": _moment(span.end),
                "invalidated_by": span.ended_by or None,
                "reason": span.reason or None,
            }
            for name, span in made.timeline.held
        ],
    }


def handoff_json(made: HandoffExport) -> dict[str, Json]:
    """Counts, what holds, what is open; with a goal also what belongs to that."""
    told = made.handoff
    shape: dict[str, Json] = {
        "generated_at": made.day,
        "id": told.id,
        "project": told.project or None,
        "counts": dict(told.counts._asdict()),
        "brief": [{"id": one.id, "text": one.text} for one in told.brief],
        "left_out": told.left_out,
        "questions": [{"id": one.id, "text": one.text} for one in told.questions],
        "contested": list(told.contested),
        "goal": None,
    }
    if told.goal is not None:
        shape["goal"] = _goal(told.goal)
        shape["pending"] = list(told.pending)
        shape["evidence"] = list(told.evidence)
        shape["findings"] = dict(told.warnings)
    return shape


def procedures_json(made: ProceduresExport) -> dict[str, Json]:
    """The procedures, and why every other memory is in none."""
    return {
        "generated_at": made.day,
        "procedures": [
            {
                "title": one.title,
                "project": one.project or None,
                "steps": list(one.steps),
                "verification_steps": list(one.checks),
                "sources": list(one.sources),
                "evidence": list(one.evidence),
                "confidence": one.confidence,
                "requires_review": True,
            }
            for one in made.procedures.found
        ],
        "skipped": [{"id": one.id, "reason": one.reason} for one in made.procedures.skipped],
    }


def canvas_json(made: CanvasExport) -> dict[str, Json]:
    """Where the canvas lies, and what is on it."""
    return {
        "path": made.path,
        "written": made.written,
        "cards": made.cards,
        "lines": made.lines,
        "left_out": made.left_out,
        "canvas": made.data.decode(),
    }


def _goal(goal: Goal) -> Json:
    return {
        "text": goal.text,
        "constraints": list(goal.constraints),
        "non_goals": list(goal.non_goals),
        "validation_steps": list(goal.validation),
    }


def _value(value: Value) -> Json:
    return list(value) if isinstance(value, tuple) else value


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
