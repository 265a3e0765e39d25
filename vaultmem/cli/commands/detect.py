"""`vaultmem detect`: show what capture would do with messages, or do it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with
from vaultmem.cli.output import finding_json, json_option, print_json_line

if TYPE_CHECKING:
    import io
    from collections.abc import Iterable, Iterator

    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.core.detection import Signal
    from vaultmem.services.capture import Captured


@click.command
@click.option("--capture", is_flag=True, help="Let what is found wait in the inbox; needs a vault.")
@click.option(
    "--session",
    metavar="ID",
    help="Needed with --capture: the session in which it was said, by any name.",
)
@click.option(
    "--project",
    metavar="P",
    help="With --capture: another project than that of the working folder.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    *,
    capture: bool,
    session: str | None,
    project: str | None,
    as_json: bool,  # noqa: ARG001 - every command has --json; this one prints nothing else
) -> None:
    """Show what capture would do with messages.

    Reads one message a line from standard input, and prints one JSON object for
    each, with or without --json: the correction or preference in it, or why it
    would not be remembered. Nothing is stored, and no vault is needed, unless
    --capture is given.
    """
    goes_with("--capture", "--session", "--project")
    if capture:
        _capture(app, session, project)
        return
    from vaultmem.services.detect import detect_lines

    for signals in detect_lines(_lines()):
        print_json_line(to_json(signals))


def _capture(app: App, session: str | None, project: str | None) -> None:
    """Only for the person: an agent could write what nobody said."""
    from vaultmem.cli.opening import open_or_adopt
    from vaultmem.cli.projects import written_of
    from vaultmem.services.call import refuse_agent
    from vaultmem.services.message import capture_message

    refuse_agent("detect --capture", app.env.agent)
    if session is None:
        raise click.UsageError(
            "--capture needs --session ID, any name: what is said twice in a session counts once."
        )
    open_or_adopt(app)
    where = written_of(app, project) or app.project.id
    for number, line in enumerate(_lines(), 1):
        heard = capture_message(
            app.call(),
            app.engine,
            line.rstrip("\r\n"),
            session=session,
            message_id=f"line {number}",
            project=where,
        )
        shown = [_signal_json(one.signal) | _done_json(one.done) for one in heard]
        print_json_line(_with_more(shown))


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
    return _with_more([_signal_json(signal) for signal in signals])


def _with_more(signals: list[dict[str, Json]]) -> dict[str, Json]:
    first, *rest = signals
    more: list[Json] = [*rest]
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


def _done_json(done: Captured | None) -> dict[str, Json]:
    """What became of it; nothing where it was not captured."""
    if done is None:
        return {"outcome": None, "id": None, "path": None, "findings": []}
    return {
        "outcome": done.outcome,
        "id": done.id,
        "path": done.path,
        "findings": [finding_json(one) for one in done.findings],
    }
