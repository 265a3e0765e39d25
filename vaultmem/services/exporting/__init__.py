"""What the vault holds, told in other forms: graph, timeline, handoff, procedures, canvas."""
