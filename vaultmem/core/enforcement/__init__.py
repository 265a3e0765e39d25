"""Guardrails at run time: which memory's rule a tool call meets, and what is said about it."""
