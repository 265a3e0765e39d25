"""The cases, a module for each promise or two."""

from __future__ import annotations

import importlib

MODULES = (
    "correction_capture",
    "trust_boundary",
    "profile_leakage",
    "conflict",
    "deletion",
    "inquiries",
    "reinforcement",
    "compaction",
    "legacy",
    "maintenance",
    "strict_governance",
    "meta_consolidation",
    "diagnostics",
    "contested",
    "secrets",
    "provenance",
    "re_verification",
    "validity",
    "conflict_at_apply",
    "policy_only",
    "procedures",
    "enforcement",
    "promotion",
    "vault_ref",
    "hand_edits",
    "synced_devices",
)
"""In the order of the table."""

for _name in MODULES:
    importlib.import_module(f"tests.evals.promises.{_name}")
