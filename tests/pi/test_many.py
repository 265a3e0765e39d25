"""Several Pis at once on one vault."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.pi.conftest import make_pi
from tests.pi.model_server import ModelServer, calls, says
from tests.pi.processes import eventually, serving
from tests.world import SAYS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pi.driver import Pi
    from tests.pi.installed import Installed
    from tests.world import World

PIS = 5


def test_five_pis_on_one_vault_lose_nothing_and_leave_nobody_behind(
    installed: Installed, world: World, known: str, tmp_path: Path
):
    models = [ModelServer() for _ in range(PIS)]
    pis = [
        make_pi(installed, world, tmp_path / f"pi{number}", model)
        for number, model in enumerate(models)
    ]

    def play(number: int, pi: Pi, model: ModelServer) -> list[str]:
        """One Pi that reads, and remembers something of its own."""
        wish = f"Service number {number} listens on port {8000 + number}."
        model.script(
            calls("memory_search", query="add files"),
            calls("memory_add", text=wish, category="decision"),
            says("Done."),
        )
        with model:
            ran = pi.run(f"remember this: {wish}")
        assert (ran.stdout, ran.stderr, ran.code) == ("Done.\n", "", 0)
        return model.last.results()

    with ThreadPoolExecutor(PIS) as pool:
        answers = list(pool.map(play, range(PIS), pis, models))
    assert all(SAYS in found for found, _ in answers)
    # Five starts at once may take longer than an agent waits; on two busy cores some go without.
    assert any(SAYS in model.requests[0].system_prompt for model in models)
    assert eventually(lambda: not serving(world.here.home))
    world.here.sync()
    everything = "".join(data.decode() for data in world.notes().values())
    for number in range(PIS):
        assert f"port {8000 + number}" in everything
    assert world.here.sync().findings == ()
