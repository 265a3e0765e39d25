"""What ships of the plugin: built from its sources, strictly typed, by Obsidian's rules."""

from __future__ import annotations

import json
import re

from tests.obsidian_plugin.build import MAIN, PLUGIN, built, type_errors
from tests.obsidian_plugin.conftest import HERE
from vaultmem import __version__


def test_main_js_is_what_the_sources_make(made):
    assert MAIN.read_bytes().decode() == built(made), "run `just plugin`"


def test_the_sources_and_the_mock_have_strict_types_against_obsidian(made, tmp_path):
    assert type_errors(made, tmp_path, *(HERE / "node").glob("*.mts")) == ""
    wrong = tmp_path / "wrong.ts"  # so that it is seen that the types are those of Obsidian
    wrong.write_text(
        'import { Vault } from "obsidian";\nexport const x = (v: Vault) => v.proces;\n'
    )
    said = type_errors(made, tmp_path, wrong)
    assert "Property 'proces' does not exist on type 'Vault'" in said
    assert said.count("error TS") == 1


def test_the_manifest_keeps_obsidians_rules():
    manifest = json.loads((PLUGIN / "manifest.json").read_text())
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", manifest["id"])
    assert "obsidian" not in manifest["id"]
    assert not manifest["id"].endswith("plugin")
    assert not re.search("obsidian|plugin", manifest["name"], re.IGNORECASE)
    assert manifest["version"] == __version__
    assert len(manifest["description"]) <= 250
    assert manifest["description"].endswith(".")
    assert manifest["isDesktopOnly"] is False
    assert manifest.keys() == {
        *("id", "name", "version", "minAppVersion", "description", "author", "isDesktopOnly")
    }
    versions = json.loads((PLUGIN / "versions.json").read_text())
    assert versions == {manifest["version"]: manifest["minAppVersion"]}


def test_it_starts_no_process_and_opens_no_connection(obsidian, world):
    text = MAIN.read_text()
    for word in (
        "fetch",
        "XMLHttp",
        "WebSocket",
        "requestUrl",
        "child_process",
        "eval(",
        "import(",
    ):
        assert word not in text
    assert set(re.findall(r"require\((.*?)\)", text)) == {'"obsidian"'}
    assert set(obsidian.run(world.vault, None).asked) == {"obsidian"}


def test_names_of_commands_say_neither_plugin_nor_its_name(obsidian, world):
    names = obsidian.run(world.vault, None).names
    assert len({one["id"] for one in names}) == len({one["name"] for one in names}) == len(names)
    assert not [one for one in names if re.search("vaultmem|plugin", one["name"], re.IGNORECASE)]


def test_the_lock_names_no_registry():
    lock = json.loads((HERE / "npm/package-lock.json").read_text())
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert all("resolved" not in one and "integrity" in one for one in packages.values())
