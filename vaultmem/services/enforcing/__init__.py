"""Guardrails at run time: before a tool runs, after it ran, at the end of a turn."""
