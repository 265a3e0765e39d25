"""Words to documents: the keyword index, and the only importer of Whoosh."""

from vaultmem.index.keyword.index import KeywordIndex
from vaultmem.index.keyword.ranking import KeywordHit

__all__ = ["KeywordHit", "KeywordIndex"]
