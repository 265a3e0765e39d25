"""The name of a repository, `host/owner/name`, from the URL of its origin, without credentials."""

from __future__ import annotations

import re

MAX_ID = 200
"""Longest project id, in characters."""

_SCHEMES = frozenset(
    ("https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https", "ftp", "ftps")
)
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_SCP = re.compile(r"(?P<host>(?:[^/\\:]*@)?(?:\[[^/\]]*\]|[^/\\:@\[\]]+)):(?P<path>.*)", re.DOTALL)
_HOST = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d*)?")
_PROJECT = re.compile(r"[\w@~][\w.@+~ -]*(?:/[\w@~.][\w.@+~ -]*)*")


def origin_id(url: str) -> str | None:
    """`host/owner/name` for the URL of a remote; None for a local path or what is no such URL.

    Understands https, ssh, git and scp-like (`git@host:owner/name.git`) addresses. The host is
    lower-cased, its port is dropped, since one repository is often reached through several. User
    names, passwords and tokens are cut off wherever they stand, as are query and fragment.
    """
    url = url.strip()
    if match := _URL.fullmatch(url):
        if match[1].lower() not in _SCHEMES:
            return None
        authority, _, path = match[2].partition("/")
        rest = match[2]
    elif (match := _SCP.fullmatch(url)) and len(match["host"]) > 1:  # `C:` is a drive
        authority, path, rest = match["host"], match["path"], url
    else:
        return None
    return _join(*_split(authority, path, rest))


def is_project_id(text: str) -> bool:
    """Whether a text may be a project's id: words with `/` between them, no `..`, not too long."""
    return (
        len(text) <= MAX_ID
        and _PROJECT.fullmatch(text) is not None
        and not any(part in (".", "..") or part != part.strip() for part in text.split("/"))
    )


def looks_like_origin(project: str) -> bool:
    """Whether an id has the form of `origin_id`: a host with a dot, then two parts or more."""
    host, _, rest = project.partition("/")
    return "." in host.strip(".") and "/" in rest


def _split(authority: str, path: str, rest: str) -> tuple[str, str]:
    """The authority and the path, with credentials that hold a raw `/` or `:` cut off.

    Where an `@` stands inside the path, or the authority is no host, the address is ambiguous.
    Then all up to the last `@` counts as credentials, so that no part of them becomes a name.
    """
    is_host = _HOST.fullmatch(authority.rpartition("@")[2].lower()) is not None
    if "@" in path and (not is_host or re.search("[^/]@", path)):
        host, _, path = re.sub(r":(?!\d*/)", "/", rest.rpartition("@")[2], count=1).partition("/")
        return host, path
    return authority.rpartition("@")[2], path


def _join(authority: str, path: str) -> str | None:
    host = _HOST.fullmatch(authority.lower())
    path = re.split("[?#]", path, maxsplit=1)[0]
    if "%" in path:
        from urllib.parse import unquote  # slow to import, hardly ever needed

        path = unquote(path)
    parts = [part for part in path.split("/") if part]
    if host is None or not parts:
        return None
    parts[-1] = re.sub(r"\.git$", "", parts[-1], flags=re.IGNORECASE)
    name = "/".join((host["host"], *filter(None, parts)))
    return name if is_project_id(name) and len(name) > len(host["host"]) else None
