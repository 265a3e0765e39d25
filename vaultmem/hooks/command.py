"""`vaultmem serve` and `vaultmem hook`: the hooks' processes as commands."""

from __future__ import annotations

import sys

import click

from vaultmem.hooks.processes import is_alone, run_hook, run_serve

_json = click.option(
    "--json", is_flag=True, expose_value=False, help="It speaks JSON, with and without this."
)


@click.command
@_json
@click.pass_context
def serve(ctx: click.Context) -> None:
    """Serve an agent's events as JSON lines.

    The extension of a coding agent starts it: requests come on stdin, answers go to stdout, as
    docs/reference/hook-protocol.md describes them. It ends when stdin is closed.
    """
    run_serve(_vault(ctx))


@click.command
@click.argument("event")
@_json
@click.pass_context
def hook(ctx: click.Context, event: str) -> None:
    """Answer one event of an agent, as JSON.

    EVENT is a name of docs/reference/hook-protocol.md; its payload, a JSON object, is read from
    stdin.
    """
    if is_alone():
        return
    raw = getattr(sys.stdin, "buffer", None)
    payload = sys.stdin.read().encode() if raw is None else raw.read()
    run_hook(event, _vault(ctx), payload, lambda line: click.echo(line.decode("ascii"), nl=False))


def _vault(ctx: click.Context) -> str | None:
    """What `--vault` said."""
    named: str | None = ctx.find_root().params["vault"]
    return named
