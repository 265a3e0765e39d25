"""The modules as a whole: their size, and that none of them is in a circle."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import vaultmem

PACKAGE = Path(vaultmem.__file__).parent


def order_of(imports: dict[str, set[str]]) -> list[str]:
    """The modules, each after those that it imports.

    Raises:
        CycleError: if some import each other, also by way of others or inside a function.
    """
    return list(TopologicalSorter(imports).static_order())


def test_no_module_is_in_a_circle():
    graph = grimp.build_graph("vaultmem", exclude_type_checking_imports=True, cache_dir=None)
    imports = {one: graph.find_modules_directly_imported_by(one) for one in graph.modules}

    assert sum(map(len, imports.values())) > 3000
    in_a_function = "vaultmem.services.purge"
    assert in_a_function in imports["vaultmem.services.following.follow_up"]
    assert len(order_of(imports)) == len(imports)


def test_a_circle_is_seen():
    with pytest.raises(CycleError, match="cycle"):
        order_of({"sync": {"purge"}, "purge": {"forget"}, "forget": {"sync"}})


def test_no_module_has_more_than_400_lines():
    lines = {path: path.read_bytes().count(b"\n") for path in PACKAGE.rglob("*.py")}

    assert len(lines) > 500
    assert {path: count for path, count in lines.items() if count > 400} == {}
