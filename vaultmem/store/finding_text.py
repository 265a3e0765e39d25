"""Findings as the baseline keeps them: one text, empty if there are none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable


def findings_text(findings: Iterable[Finding]) -> str:
    """Findings as the baseline stores them."""
    rows = [list(found) for found in findings]
    return json.dumps(rows) if rows else ""


def findings_of(text: str) -> list[Finding]:
    """Findings as the baseline stored them."""
    if not text:
        return []
    return [
        Finding(code, Severity(severity), path, line, message, remedy)
        for code, severity, path, line, message, remedy in json.loads(text)
    ]
