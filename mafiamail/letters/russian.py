"""Russian words in the nominative, by a dictionary: where the extra `russian` (pymorphy3) is installed, and only then."""

from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

LONGEST = 40  # letters of a word that is looked up


@cache
def _dictionary() -> Any:
    """Read at the first word that needs it: it takes a third of a second."""
    if find_spec("pymorphy3") is None:
        return None
    import pymorphy3

    return pymorphy3.MorphAnalyzer()


@lru_cache(maxsize=4096)
def nominatives(word: str) -> frozenset[str]:
    """All words of which this can be a form, ё as е. Every reading counts: the first is often wrong, for names above all."""
    dictionary = _dictionary()
    if dictionary is None or len(word) > LONGEST:
        return frozenset()
    found: set[str] = set()
    for reading in dictionary.parse(word):
        found.add(reading.normal_form)
        found.update(form.word for form in [reading.inflect({"nomn"})] if form)
    return frozenset(form.replace("ё", "е") for form in found)
