"""The keys of `config.yaml`: one table of their names, allowed values, defaults and meanings.

`core.governance_keys` has those of governance. To add one: a row here, a field of
`config.UserConfig`, and a line in `config.parse_user_config`.
"""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.core.llm_settings import KEY_VARIABLE, WINDOWS
from vaultmem.core.notebook.settings import NUMBERS, SKIP_EXTERNAL
from vaultmem.core.settings import REPORT_BUDGET


class Key(NamedTuple):
    """One key of `config.yaml`, for the reference and for what a wrong value is answered."""

    name: str
    allowed: str
    default: str
    meaning: str


KEYS = (
    Key(
        "trusted",
        "a list of `path:`, with `root:` and `id:` where they are known",
        "none",
        "Vaults that this machine uses when a project or a parent folder names them; "
        "`vaultmem trust` writes it.",
    ),
    Key(
        "vault",
        "an absolute path, or one that begins with `~`",
        "none",
        "The vault to use where nothing else names one.",
    ),
    Key(
        "knowledge",
        "a list of folders of the vault, `/` for all of it",
        "none",
        "Folders outside the memory root that the agent may search and read.",
    ),
    Key(
        "knowledge_vaults",
        "a list of absolute paths, or of ones that begin with `~`",
        "none",
        "Other vaults whose notes are suggested as links to knowledge; they are only read.",
    ),
    Key("model", "the name of an embedding model", "the one that comes with vaultmem", "The model "
        "of semantic search; `vaultmem model use` writes it."),
    Key(
        "run_after",
        "a list of commands as one would type them, without what only a shell understands",
        "none",
        "Commands that a memory's `run_after` may run after a tool, exactly as they stand here; "
        "none of `sudo`, of `rm` with options on an absolute path, of `chmod` with a 7.",
    ),
    Key(
        "notebook",
        "a list of project identities, as `vaultmem status` shows them",
        "none",
        "Projects whose sessions become a notebook; `vaultmem notebook on` writes it.",
    ),
    *(Key(one.name, one.allowed, str(one.default), one.meaning) for one in NUMBERS),
    Key(SKIP_EXTERNAL.name, SKIP_EXTERNAL.allowed, "false", SKIP_EXTERNAL.meaning),
    Key(
        "llm",
        "`pi`, or the address of an endpoint: `https://…`, on this machine also `http://localhost…`",
        "none",
        "The language model that writes the notebook: Pi, with the models that you set up there, "
        "or the base address of an OpenAI-compatible server.",
    ),
    Key(
        "llm_model",
        "the name of a model, for Pi `provider/model`",
        "with Pi its default",
        "The model that reads sessions.",
    ),
    Key(
        "llm_consolidation_model",
        "the name of a model",
        "`llm_model`",
        "The model that rewrites the notebook and dreams.",
    ),
    Key(
        "llm_key",
        "the name of an environment variable",
        KEY_VARIABLE,
        "Where an endpoint's key stands, which never stands in this file. Without the variable the "
        "system's keyring is asked, if the package `keyring` is installed: service `vaultmem`, "
        "user the address.",
    ),
    Key(
        "llm_window",
        f"a whole number from {WINDOWS[0]} to {WINDOWS[-1]}",
        "unknown",
        "How many tokens the model can read at once.",
    ),
    Key(
        "obsidian_links",
        "true or false",
        "true",
        "Whether the path of a note, printed on a terminal, is a link that opens it in Obsidian.",
    ),
    Key(
        REPORT_BUDGET.name,
        REPORT_BUDGET.allowed,
        "what the vault says",
        f"{REPORT_BUDGET.meaning} Of this and the vault's own setting the smaller holds.",
    ),
)  # fmt: skip
"""The keys of the file's own, in the reference's order."""
