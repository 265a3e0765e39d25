"""The parts of inquiries: their notes, how a question is asked once, and what the machine asks."""
