"""`python -m tests.evals`: is every promise kept, and would each case notice if it were not?"""

from __future__ import annotations

import argparse
import json
import os
import sys

from tests.conftest import not_a_persons
from tests.evals import promises  # noqa: F401 - it makes the cases
from tests.evals.case import CASES
from tests.evals.run import play_all
from tests.evals.table import as_json, lines


def main(arguments: list[str] | None = None) -> int:
    """Play the cases; 1 if one failed."""
    known = list(dict.fromkeys(case.category for case in CASES))
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__)
    parser.add_argument("--only", metavar="CATEGORY", choices=known, default="")
    parser.add_argument(
        "--broken",
        action="store_true",
        help="play each case on a build with one rule broken, where it must fail",
    )
    parser.add_argument("--json", action="store_true", dest="as_json")
    given = parser.parse_args(arguments)
    for name in not_a_persons():  # whoever runs this, the cases say who acts
        os.environ.pop(name)
    played = list(play_all(given.only, broken=given.broken))
    if given.as_json:
        print(json.dumps(as_json(played, broken=given.broken), indent=1))
    else:
        print("\n".join(lines(played)))
    return 0 if all(one.passed for one in played) else 1


if __name__ == "__main__":
    sys.exit(main())
