"""The parts of maintenance: the daily run, what was proposed before, and what happened since."""
