"""Bytes to text: the declared charset strictly, then UTF-8 strictly, then the code page whose letters look like words."""

import binascii
import codecs
import re
from functools import lru_cache

SUBJECT_CHARS = 4_000  # of a header value, before decoding

_ALIASES = {
    "x-mac-cyrillic": "mac-cyrillic",
    "win-1251": "cp1251",
    "cp-1251": "cp1251",
    "windows1251": "cp1251",
    "win1251": "cp1251",
    "koi8r": "koi8-r",
    "koi8-ru": "koi8-u",
    "koi8u": "koi8-u",
    "dos-866": "cp866",
    "cp-866": "cp866",
    "x-cp1251": "cp1251",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-8-i": "iso-8859-8",
    "x-sjis": "shift_jis",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
}
# Charsets of mail; the other codecs of Python (punycode, idna, unicode_escape …) are slow, or do more than decode.
_TRUSTED = re.compile(
    r"utf-?(8|7|16|32)([-_]?(le|be))?|ascii|us-ascii|cp\d{3,4}|iso8859[-_]\d+|koi8[-_][rut]|kz1048|ptcp154|mac[-_]\w+|gb18030|big5hkscs|"
    r"(euc|iso2022|shift)_\w+|hz|tis[-_]620|johab"
)
_SINGLE = re.compile(r"cp1\d{3}|cp8\d\d|iso8859|koi8|mac|kz1048|ptcp154")
_PAGES = ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic", "cp1252")
_LETTERS = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёъіїєґ"
_WEIGHTS = (11, 9, 8, 7, 7, 6, 6, 5, 5, 5, 4, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, -1, 0, -3, 0, 0, 0, -1)
_WEIGHT = dict(zip(_LETTERS, _WEIGHTS, strict=True))
_PLAIN = frozenset("«»“”„’‘…–—№\xa0•°€ \t\r\n")  # signs at home in any of the pages
_HIGH_RUN = re.compile(rb"[\x80-\xff]{4,}")


@lru_cache(maxsize=256)
def codec(name: str) -> str | None:
    """Python's name of a charset, or None where it is unknown or none of mail's."""
    name = name.strip().strip("\"'").lower()[:40]
    try:
        found = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError):
        return None
    return found if _TRUSTED.fullmatch(found) else None


def decode(data: bytes, declared: str | None) -> str:
    """The text of `data`. Never fails; what no charset fits comes with U+FFFD in it."""
    if data.isascii() and (declared is None or not declared.lower().startswith(("utf-16", "utf-32", "utf-7", "iso-2022", "hz"))):
        return data.decode("ascii")
    name = codec(declared) if declared else None
    if name is None or name == "ascii" or (_SINGLE.match(name) and _really_utf8(data)):
        return guess(data)
    if name == "cp1252" and _HIGH_RUN.search(data):  # Latin-1 is what many programs declare and few Russians write
        return guess(data)
    try:
        text = data.decode(name)
    except (UnicodeError, ValueError):
        return guess(data)
    return text if name not in _PAGES or _is_likely(data, name) else guess(data)


def _is_likely(data: bytes, page: str) -> bool:
    """Whether a declared Cyrillic page may be true: no other makes far better words of it."""
    sample = _sample(data)
    declared = _likeness(sample.decode(page, "replace"), page)
    best = max(_likeness(sample.decode(other, "replace"), other) for other in _PAGES if other != page)
    return best <= declared + 12 or best <= declared * 1.5


def _really_utf8(data: bytes) -> bool:
    """Three sequences of UTF-8 and no error do not happen by chance in a one-byte charset."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return len(data) - len(text) >= 3


def guess(data: bytes) -> str:
    """UTF-8 if it is, else the code page in which the letters are most like Russian, Ukrainian or Western words."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    sample = _sample(data)
    best = max(_PAGES, key=lambda page: _likeness(sample.decode(page, "replace"), page))
    return data.decode(best, "replace")


def _sample(data: bytes) -> bytes:
    """The first 600 bytes from where something else than ASCII begins."""
    start = re.search(rb"[\x80-\xff]", data)
    at = max(0, start.start() - 40) if start else 0
    return data[at : at + 600]


def _likeness(text: str, page: str) -> int:
    """How much the text looks like words: frequent letters count for it, odd neighbours and signs against it."""
    total, before = 0, " "
    for char in text:
        if char.isascii():
            if char.isalpha() and before > "\x7f" and before.isalpha():
                total += 4 if page == "cp1252" else -6
        else:
            total += _worth(char, before, page)
        before = char
    return total


def _worth(char: str, before: str, page: str) -> int:
    if not char.isalpha():
        return 0 if char in _PLAIN else -12
    if page == "cp1252":
        return 4 if before.isascii() and before.isalpha() else -2
    worth = _WEIGHT.get(char.lower(), -8)
    if before.isalpha():
        worth -= 6 if before.isascii() else 0
        worth -= 5 if char.isupper() and before.islower() else 0
    return worth


# ------------------------------------------------------------------ transfer encodings


def transfer(data: bytes, encoding: str) -> bytes:
    """`data` without its Content-Transfer-Encoding; broken or unknown ones give what can be had."""
    match encoding.strip().lower():
        case "base64":
            return base64(data)
        case "quoted-printable":
            return binascii.a2b_qp(data)
        case _:
            return data


def base64(data: bytes) -> bytes:
    """Base64 with whatever stands between its letters, with or without padding, in one run or several."""
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
        return binascii.a2b_base64(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==")


# ------------------------------------------------------------------ headers

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def bare(value: str) -> str:
    """A header value on one line: no control characters, whatever was hidden in it."""
    return _CONTROLS.sub(" ", value).strip()


def header(raw: str) -> str:
    """A header value in words. `raw` is ASCII with surrogates for 8-bit bytes; RFC 2047 or not, the result is one clean line."""
    value = raw[:SUBJECT_CHARS]
    if "=?" not in value:
        return bare(_eight_bit(value))
    parts: list[tuple[bytes, str] | str] = []
    end = 0
    for match in _WORD.finditer(value):
        between = value[end : match.start()]
        if between.strip() or (between and (not parts or isinstance(parts[-1], str))):
            parts.append(between)
        _add_word(parts, match)
        end = match.end()
    parts.append(value[end:])
    return bare("".join(_eight_bit(part) if isinstance(part, str) else decode(*part) for part in parts))


def _add_word(parts: list[tuple[bytes, str] | str], match: re.Match[str]) -> None:
    """Neighbours of one charset are decoded together: some programs cut in the middle of a character."""
    charset = match[1].partition("*")[0].lower()  # a language may stand behind the star (RFC 2231)
    text = match[3].encode("ascii", "ignore")
    data = base64(text) if match[2] in "bB" else binascii.a2b_qp(text, header=True)
    last = parts[-1] if parts else ""
    if not isinstance(last, str) and last[1] == charset:
        parts[-1] = (last[0] + data, charset)
    else:
        parts.append((data, charset))


def _eight_bit(value: str) -> str:
    return value if value.isascii() else guess(value.encode("utf-8", "surrogateescape"))
