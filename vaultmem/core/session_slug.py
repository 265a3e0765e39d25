"""What a session's folder tells of its project, where the session itself does not say it."""

from __future__ import annotations

_USUAL = frozenset(("home", "root", "users", "user", "workspace", "work", "src", "local"))
"""Folders that say nothing about a project; governed-memory.md, section 14."""

_UNKNOWN = "unknown"


def project_of_slug(slug: str) -> str:
    """The last telling part of a folder such as `--home-mel-Documents-Projects-foo--`: `foo`.

    The folder's name has `-` for `/`, so that of `my-app` only `app` is left; where no part tells
    anything, it is all of them.
    """
    parts = [part for part in slug.strip("-").split("-") if part]
    telling = [part for part in parts if part.casefold() not in _USUAL and len(part) > 1]
    return telling[-1] if telling else "-".join(parts) or _UNKNOWN
