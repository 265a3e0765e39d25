"""The parts of maintenance: what was proposed before, and what happened with each memory."""
