"""How words are compared: what they look like, whatever signs, cases and alphabets they were typed in."""

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import OSA

# Letters that look alike in capitals; all three alphabets become Latin. Ё is Е (a keyword may be typed either way).
_ALIKE = str.maketrans("АВЕЁКМНОРСТУХІЇЈЅԌԚԜҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEEKMHOPCTYXIIJSGQWYABEZHIKMNOPTYX")
_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_BLANKS = re.compile(r"[\s\u2800\u3164]+")
_QUOTES = str.maketrans(dict.fromkeys("`´‘’‚‛ʼʹ′＇", "'") | dict.fromkeys('"«»“”„‟‹›″*_＂'))
_DASHES = re.compile(r"[‐‑‒–—―−﹣－]")
DECORATION = "*_\"'«»“”„‟‘’‚‛`´~ \t\u00a0"  # what may stand around a keyword or a name


def plain(text: str) -> str:
    """One spelling of blanks, dashes, apostrophes and compatibility letters; no invisible signs, no quotes around words."""
    if text.isascii():
        return _BLANKS.sub(" ", text.translate(_QUOTES)).strip()
    text = _DASHES.sub("-", _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_QUOTES))
    return _BLANKS.sub(" ", text).strip()


def _folded(text: str) -> str:
    return plain(text).casefold().replace("ё", "е")


def _skeleton(text: str) -> str:
    return plain(text).upper().translate(_ALIKE)


NAME = 100  # letters of a text that may well be asked about again
_folded_name, _skeleton_name = lru_cache(maxsize=4096)(_folded), lru_cache(maxsize=4096)(_skeleton)


def folded(text: str) -> str:
    """`plain`, without regard to case and to ё/е."""
    return _folded_name(text) if len(text) <= NAME else _folded(text)


def skeleton(text: str) -> str:
    """`folded`, without regard to the alphabet of letters that look alike."""
    return _skeleton_name(text) if len(text) <= NAME else _skeleton(text)


def distance(one: str, other: str, most: int) -> int:
    """Letters to change, add, leave out or swap with a neighbour; `most` + 1 where it is more than that."""
    return OSA.distance(one, other, score_cutoff=most)
