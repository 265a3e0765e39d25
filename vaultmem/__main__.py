"""`python -m vaultmem`: the same as the console script."""

from vaultmem.cli.main import main

main()
