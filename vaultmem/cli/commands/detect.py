"""`vaultmem detect`: show what capture would do with messages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json_line

if TYPE_CHECKING:
    import io
    from collections.abc import Iterable, Iterator

    from vaultmem.cli.output import Json
    from vaultmem.core.detection import Signal


@click.command
@json_option
def command(*, as_json: bool) -> None:  # noqa: ARG001 - every command has --json; this one prints nothing else
    """Show what capture would do with messages.

    Reads one message a line from standard input, and prints one JSON object for
    each, with or without --json: the correction or preference in it, or why it
    would not be remembered. Nothing is stored, and no vault is needed.
    """
    from vaultmem.services.detect import detect_lines

    for signals in detect_lines(_lines()):
        print_json_line(to_json(signals))


def _lines() -> Iterable[str]:
    """Standard input by lines, as UTF-8 whatever the locale says; broken bytes do not stop it."""
    raw = getattr(sys.stdin, "buffer", None)
    if raw is None:
        return sys.stdin
    return _decoded(raw)


def _decoded(raw: io.BufferedIOBase) -> Iterator[str]:
    for line in raw:
        yield line.decode("utf-8", "replace")


def to_json(signals: tuple[Signal, ...]) -> dict[str, Json]:
    """The stable shape of one message: its strongest signal, the others under `more`."""
    first = _signal_json(signals[0])
    more: list[Json] = [_signal_json(signal) for signal in signals[1:]]
    return first | {"more": more} if more else first


def _signal_json(signal: Signal) -> dict[str, Json]:
    return {
        "text": signal.text,
        "captured": signal.captured,
        "kind": signal.kind.value,
        "rule": signal.rule.value if signal.rule else None,
        "confidence": signal.confidence,
        "durability": signal.durability.value,
        "refused_by": signal.refused_by,
        "reason": signal.reason,
    }
