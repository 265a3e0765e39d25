"""`vaultmem serve`, `vaultmem hook` and `vaultmem mcp`: the hooks' processes as commands."""

from __future__ import annotations

import sys

import click

from vaultmem.hooks.hosts.host import HOSTS, Host
from vaultmem.hooks.processes import is_alone, run_hook, run_mcp, run_serve

_json = click.option(
    "--json", is_flag=True, expose_value=False, help="It speaks JSON, with and without this."
)


@click.command
@_json
@click.pass_context
def serve(ctx: click.Context) -> None:
    """Serve an agent's events as JSON lines.

    The extension of a coding agent starts it: requests come on standard input, answers go to
    standard output, as docs/reference/hook-protocol.md describes them. It ends when standard input
    is closed.
    """
    run_serve(_vault(ctx))


@click.command
@click.argument("event")
@click.option(
    "--from",
    "host",
    type=click.Choice(HOSTS),
    help="The agent whose event it is, by its own name and payload.",
)
@_json
@click.pass_context
def hook(ctx: click.Context, event: str, host: str | None) -> None:
    """Answer one event of an agent, as JSON.

    EVENT is a name of docs/reference/hook-protocol.md; its payload, a JSON object, is read from
    standard input. With --from it is one of another agent's hooks: docs/tutorial/other-agents.md
    has the lines for its settings. That never breaks the agent's turn: what is wrong is said on
    standard error.
    """
    if is_alone():
        return
    raw = getattr(sys.stdin, "buffer", None)
    payload = sys.stdin.read().encode() if raw is None else raw.read()
    if host is not None:
        from vaultmem.hooks.hosts.run import run_from  # our own extension needs none of it

        run_from(
            Host(host),
            event,
            _vault(ctx),
            payload,
            say=lambda line: click.echo(line, nl=False),
            warn=lambda line: click.echo(f"vaultmem: {line}", err=True),
        )
        return
    run_hook(event, _vault(ctx), payload, lambda line: click.echo(line.decode("ascii"), nl=False))


@click.command
@_json
@click.pass_context
def mcp(ctx: click.Context) -> None:
    """Serve the tools to any MCP client over stdio.

    The client starts it: docs/tutorial/other-agents.md has the lines for its settings. It needs the
    extra package, `pip install 'vaultmem[mcp]'`, and ends when standard input is closed.
    """
    run_mcp(_vault(ctx))


def _vault(ctx: click.Context) -> str | None:
    """What `--vault` said."""
    named: str | None = ctx.find_root().params["vault"]
    return named
