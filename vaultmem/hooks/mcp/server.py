"""The server of the Model Context Protocol: our tables as its types, our answers as its results."""

from __future__ import annotations

import asyncio
from io import TextIOWrapper
from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from vaultmem import __version__
from vaultmem.core.citation import INSTRUCTION
from vaultmem.core.inert import clean
from vaultmem.hooks.mcp.texts import INSTRUCTIONS, PROMPTS, RESOURCES
from vaultmem.hooks.tools import TOOLS

if TYPE_CHECKING:
    from typing import Any, BinaryIO, TypeAlias

    from mcp.server.context import ServerRequestContext

    from vaultmem.hooks.answers import ToolText
    from vaultmem.hooks.mcp.desk import Desk
    from vaultmem.hooks.parameters import Tool

    Context: TypeAlias = ServerRequestContext[Any]  # the package's own bound for what it carries

MARKDOWN = "text/markdown"
MOST_LINE = 16 * 1024 * 1024
"""Characters of one message that are read; a longer one is passed over."""
MOST_NAME = 40
"""Characters of a client's name."""
UNNAMED = "an MCP client"
READS = frozenset(
    (
        *("memory_search", "memory_read", "memory_list", "memory_reflect", "memory_topics"),
        *("session_search", "session_list", "session_read", "session_decisions"),
    )
)
"""The tools that write no note."""


class Lines(TextIOWrapper):
    """Lines of stdin; one that is too long is an empty one, which the protocol passes over."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as the base does
        """The next line; "" at the end."""
        line = super().readline(MOST_LINE if size < 0 else size)
        if len(line) < MOST_LINE or line.endswith("\n"):
            return line
        while rest := super().readline(MOST_LINE):
            if rest.endswith("\n"):
                return "\n"
        return ""


async def serve_stdio(desk: Desk, source: BinaryIO) -> None:
    """Serve the client at our stdin and stdout until it closes them.

    While this runs, what anything else prints goes to stderr.
    """
    server = make_server(desk)
    lines = anyio.wrap_file(Lines(source, encoding="utf-8", errors="replace"))
    async with stdio_server(stdin=lines) as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())


def make_server(desk: Desk) -> Server[Any]:
    """The server over what the desk answers."""

    async def list_tools(_: Context, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(one) for one in TOOLS])

    async def call_tool(
        context: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        desk.call_itself(_name_of(context))
        told = await asyncio.wrap_future(desk.tool(asked.name, asked.arguments or {}))
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=told.text)]
        return types.CallToolResult(content=content, is_error=told.is_error)

    async def list_resources(_: Context, __: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.doc,
                    mime_type=MARKDOWN,
                )
                for one in RESOURCES
            ]
        )

    async def read_resource(
        context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found = next((one for one in RESOURCES if one.uri == asked.uri), None)
        if found is None:
            raise _wrong("resource", [one.uri for one in RESOURCES])
        desk.call_itself(_name_of(context))
        told = _read(await asyncio.wrap_future(desk.text(found.name, found.make)))
        content = types.TextResourceContents(uri=found.uri, mime_type=MARKDOWN, text=told)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(_: Context, __: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=one.name,
                    title=one.title,
                    description=one.doc,
                    arguments=[
                        types.PromptArgument(name=each.name, description=each.doc, required=True)
                        for each in one.arguments
                    ],
                )
                for one in PROMPTS
            ]
        )

    async def get_prompt(
        context: Context, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        found = next((one for one in PROMPTS if one.name == asked.name), None)
        if found is None:
            raise _wrong("prompt", [one.name for one in PROMPTS])
        given = asked.arguments or {}
        missing = [one.name for one in found.arguments if not given.get(one.name, "").strip()]
        if missing:
            raise MCPError(types.INVALID_PARAMS, f"`{missing[0]}` is missing.")
        desk.call_itself(_name_of(context))
        told = _read(await asyncio.wrap_future(desk.text(found.name, found.make, given)))
        message = types.PromptMessage(
            role="user", content=types.TextContent(type="text", text=told)
        )
        return types.GetPromptResult(description=found.doc, messages=[message])

    return Server(
        "vaultmem",
        version=__version__,
        title="vaultmem",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _tool(tool: Tool) -> types.Tool:
    """A tool of ours; nothing takes a citation out of a reply here, so that none is asked for."""
    advice = (one for one in tool.guidelines if one != INSTRUCTION)
    return types.Tool(
        name=tool.name,
        title=tool.label,
        description=" ".join((tool.doc, *advice)),
        input_schema=tool.schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.name in READS, destructive_hint=False, open_world_hint=False
        ),
    )


def _name_of(context: Context) -> str:
    """What the client calls itself, in a few harmless characters."""
    params = context.session.client_params
    name = "" if params is None else clean(params.client_info.name[:MOST_NAME]).text
    return name or UNNAMED


def _read(told: ToolText) -> str:
    if told.is_error:
        raise MCPError(types.INTERNAL_ERROR, told.text)
    return told.text


def _wrong(what: str, known: list[str]) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"There is no such {what}. There are {', '.join(known)}.")
