"""`vaultmem notebook` with the real Pi as the model, as the tutorial has it."""

from __future__ import annotations

from tests.cli.noting import SESSION, Reader, answer
from tests.llm.conftest import installed, model, pi_environment, version
from tests.pi.model_server import says
from tests.services.notebook.rewriting import good

__all__ = ["installed", "model", "pi_environment", "version"]


def test_from_a_session_to_the_notebook_through_pi(tmp_path, model, pi_environment):
    reader = Reader(tmp_path / "reader", model)
    reader.config(f"vault: {reader.vault}\nllm: pi\n")
    sessions = {"PI_CODING_AGENT_SESSION_DIR": str(reader.home / "agent" / "sessions")}
    env = {**pi_environment, **sessions, "VAULTMEM_HOME": str(reader.home)}
    reader.ok("notebook", "on")

    asked = reader.run("notebook", "extract", env=env)
    assert asked.code == 42
    assert "Pi, its default model" in asked.err
    assert model.requests == []

    model.script(says(answer()))
    done = reader.run("notebook", "extract", "--yes", "--json", env=env)
    assert (done.code, done.json["written"]) == (0, 1), done
    assert "Use make, not ninja." in model.last.text

    model.script(*good(reader.cards()[SESSION]))
    done = reader.run("notebook", "consolidate", "--json", env=env)
    assert (done.code, done.json["outcome"]) == (0, "done"), done
    assert "Use make" in (reader.vault / "Memory/memory_summary.md").read_text()
    spent = reader.ok("notebook", "status", "--json").json["today"]
    assert spent["input"] > 0
