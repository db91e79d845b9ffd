"""What the sender himself wrote: no quotes, no history, no signature.

Each line of a letter becomes one letter of a string, and small linear expressions over that string find the parts:
`e` empty, `q` quoted, `a` attribution, `h` header line (`H`: with a sender's address), `d` delimiter, `f` head of a forward,
`s` signature, `w` a lone dash that may be one, `m` mobile tail, `r` rule, `u` long rule, `b` banner or disclaimer, `c` what
follows it, `x` old letter without marks, `t` text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mafiamail.mail import phrases as p

LINES = 5_000  # of one letter; what follows is not read

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_JOINER = re.compile("(?<![\u2190-\u2bff\ufe0f\U0001f000-\U0001ffff])\u200d")  # outside an emoji
_BLANK = re.compile("[\t\x0b\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\u3164]")
_BREAK = re.compile("\r\n?|[\x0c\x85\u2028\u2029]")
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True, slots=True)
class Written:
    """Two views of a letter. `commands` is greedy; `post` is what may be shown to others, or None when that is in doubt."""

    commands: str
    post: str | None
    forwarded: bool  # a forwarded letter stands in it
    reaction: bool  # nothing but "… reacted to your message"
    marks: str  # one letter for each line


def tidy(text: str) -> str:
    """The same text with plain blanks and line ends, and without signs that nobody sees."""
    text = _BREAK.sub("\n", text)
    if text.isascii():
        return _CONTROL.sub("", text.replace("\t", " ").replace("\x0b", " "))
    return _CONTROL.sub("", _BLANK.sub(" ", _JOINER.sub("", _INVISIBLE.sub("", text))))


def likeness(text: str) -> str:
    """The letters and digits of a text alone: what is left of it whatever a mail program did to it."""
    return _BETWEEN_LETTERS.sub("", text.casefold())


def repeats(words: str, ours: str) -> bool:
    """Whether a line of some length comes out of letters that the daemon sent (`ours`: their likeness), wrapped and marked as it may be."""
    return any(len(line) >= 20 and line in ours for line in map(likeness, words.split("\n")))


def written(text: str, names: Sequence[str] = (), structured: bool = False) -> Written:
    """`text` is tidy, quotes marked with `>`. `names`: words that tell the sender (display name, local part).
    `structured`: the quotes were marked by HTML."""
    lines = text.split("\n")[:LINES]
    marks = _mark(lines)
    narrow, wide = _SIGNED.sub(_all_signature, marks).replace("w", "t"), _SIGNED_BY_DASH.sub(_all_signature, marks)
    commands = "\n".join(line.rstrip() for line, mark in zip(lines, wide, strict=True) if mark in "tec").strip("\n")
    own = [line.strip() for line, mark in zip(lines, wide, strict=True) if mark == "t"]
    reaction = 0 < len(own) <= 2 and any(p.REACTION.match(line[: p.LINE]) for line in own)
    post = None if not structured and _TANGLED.search(narrow) else _post(lines, narrow, names)
    return Written(commands, post, "f" in marks or _holds_forward(lines, marks), reaction, wide)


def _holds_forward(lines: Sequence[str], marks: str) -> bool:
    """Whether what HTML or `>` marks as old is a forwarded letter."""
    return any(mark == "q" and p.FORWARD.match(line[: p.LINE].lstrip("> ")) for line, mark in zip(lines, marks, strict=True))


# ------------------------------------------------------------------ a letter for each line


def _mark(lines: Sequence[str]) -> str:
    marks = [_kind(line.strip()[: p.LINE + 1]) for line in lines]
    _join_attributions(lines, marks)
    _find_attributions_above_quotes(lines, marks)
    _join_banners(lines, marks)
    found = _cut_history("".join(marks))
    return _join_quotes(lines, found)


def _kind(line: str) -> str:
    if not line:
        return "e"
    if line[0] == ">":
        return "q"
    if len(line) > p.LINE:
        return "t"
    if line[0] in "-—–_*=~" and len(line) < 300:
        if line in ("--", "—", "–"):
            return "s" if line == "--" else "w"
        if p.UNDERSCORES.match(line):
            return "u"
        if p.RULE.match(line):
            return "r"
        if p.FORWARD.match(line):
            return "f"
        if p.DELIMITER.match(line):
            return "d"
        if p.WROTE_IN_DASHES.match(line):
            return "a"
    if p.HEADER.match(line):
        return "H" if "@" in line and p.HEADER_FROM.match(line) else "h"
    if line[-1] in ":：" and is_attribution(line):
        return "a"
    return _kind_of_tail(line)


def _kind_of_tail(line: str) -> str:
    if line[-1] in ":：" and p.FORWARD.match(line):
        return "f"
    if p.TAIL.match(line):
        return "m"
    if p.is_banner(line) or p.DISCLAIMER.match(line):
        return "b"
    return "t"


def is_attribution(line: str) -> bool:
    """ "On … X wrote:", "… X <x@y>:" and the like, on one line."""
    if len(line) > 400:
        return False
    if p.ADDRESS_END.search(line):
        return p.DATE.search(line) is not None
    if p.WROTE.search(line) or p.WROTE_WITHIN.match(line):
        return p.DATE.search(line) is not None or "@" in line
    return line.endswith((":", "：")) and "@" in line and p.DATE.search(line) is not None


def _join_attributions(lines: Sequence[str], marks: list[str]) -> None:
    """An attribution may be wrapped over two or three lines; only a line that begins like one is joined to the next."""
    for at, mark in enumerate(marks):
        line = lines[at].strip()
        if mark not in "thH" or len(line) > 300 or not p.ATTRIBUTION_BEGINS.match(line) or not p.DATE.search(line):
            continue
        joined = line
        for end in range(at + 1, min(at + 3, len(marks))):
            if marks[end] not in "ta" or len(lines[end]) > 300:
                break
            following = lines[end].strip()
            joined += ("" if joined.endswith(("<", "@", "-")) else " ") + following
            if following[-1] in ":：" and is_attribution(joined):
                marks[at : end + 1] = "a" * (end + 1 - at)
                break


def _find_attributions_above_quotes(lines: Sequence[str], marks: list[str]) -> None:
    """Directly above a quote, a date or a verb and a colon are enough."""
    above = -1
    for at, mark in enumerate(marks):
        if mark == "q" and above >= 0 and marks[above] == "t":
            line = lines[above].strip()
            if line[-1] in ":：" and len(line) < 200 and (p.WROTE.search(line) or p.DATE.search(line)):
                marks[above] = "a"
        if mark != "e":
            above = at


def _join_banners(lines: Sequence[str], marks: list[str]) -> None:
    """A disclaimer goes to the end of its paragraph, a mailing list's footer to the end of the mail."""
    for at, mark in enumerate(marks):
        if mark == "u" and len(marks) - at < 12 and any(p.LIST_FOOTER.search(line[: p.LINE]) for line in lines[at + 1 : at + 4]):
            marks[at:] = "x" * (len(marks) - at)
            break
    for at in range(1, len(marks)):
        if marks[at - 1] in "bc" and marks[at] == "t":
            marks[at] = "c"


# Two or more after the first, each at most two lines further (a wrapped list of people); or one beside a sender with his address.
_HEADERS = re.compile(r"[hH](?:[te]?[hH]|tt[hH]){2,}|H[hH]|hH")
_DELIMITED = re.compile(r"[duf]e*[hH][eth]?[hH]")
_ABOVE = re.compile(r"(?:r?[hHs]e?){1,4}(?=a)")
_UNMARKED = re.compile(r"a(?=e*[^eaq])")
_FORWARD = re.compile(r"f")
_DELIMITER = re.compile(r"d")


def _cut_history(marks: str) -> str:
    """From where an old letter begins without marks, everything is `x`; header lines elsewhere are text."""
    marks = _ABOVE.sub(lambda match: _rule_above(match[0]), marks)
    cuts = [found.start() for pattern in (_HEADERS, _DELIMITED, _FORWARD, _DELIMITER, _UNMARKED) if (found := pattern.search(marks))]
    if cuts:
        start = min(cuts)
        while start and marks[start - 1] in "eur":
            start -= 1
        cut = marks[start:]
        marks = marks[:start] + ("f" if cut.lstrip("eur")[:1] == "f" else "x") + "x" * (len(cut) - 1)
    return marks.translate(_ONLY_TEXT)


_ONLY_TEXT = str.maketrans("hHur", "tttt")


def _rule_above(run: str) -> str:
    """Yandex puts `----`, `Кому: …;` and `Тема: …;` above the attribution: they belong to it."""
    return "a" * len(run) if "h" in run.lower() else run


_BETWEEN = re.compile(r"(?<=q)t(?=q)")


def _join_quotes(lines: Sequence[str], marks: str) -> str:
    """Long words of a quote are broken by some programs, and go on without a mark."""
    found = list(marks)
    for match in _BETWEEN.finditer(marks):
        line, above = lines[match.start()].strip(), lines[match.start() - 1].strip()
        if line.startswith(("<http", "http", "<mailto")) or (" " not in line and ":" not in line and len(above) > 60):
            found[match.start()] = "q"
    return "".join(found)


# A line `--` ends what he wrote, up to a quote that may follow. So does a dash; but with more than a few lines below it, a post goes on.
_SIGNED = re.compile(r"s[^aqxf]*|w[tmebc]{0,5}(?=[aqxf]|$)")
_SIGNED_BY_DASH = re.compile(r"[sw][^aqxf]*")


def _all_signature(match: re.Match[str]) -> str:
    return "s" * len(match[0])


# ------------------------------------------------------------------ the paranoid view


_TANGLED = re.compile(r"qt")  # his words touch the end of a quote: nobody can say whose the line is


def _post(lines: Sequence[str], marks: str, names: Sequence[str]) -> str | None:
    if len(lines) >= LINES:
        return None
    own = [(line.strip() if mark == "t" else "") for line, mark in zip(lines, marks, strict=True)]
    _drop_edges(own)
    if len(own) == 1 and _is_signature(own[0], names):
        return None
    _drop_sign_off(own, names)
    post = re.sub(r"\n{3,}", "\n\n", "\n".join(own))
    return None if _tells(post, names) else post


def _drop_edges(own: list[str]) -> None:
    """No blank lines and no rules before the first word or after the last."""
    while own and (not own[-1] or p.RULE.match(own[-1])):
        own.pop()
    while own and (not own[0] or p.RULE.match(own[0])):
        own.pop(0)


def _drop_sign_off(own: list[str], names: Sequence[str]) -> None:
    """The last few lines go if they say goodbye, or hold the sender's name or a telephone number."""
    for at in range(max(0, len(own) - 6), len(own)):
        if p.SIGN_OFF.match(own[at][:80]):
            del own[at:]
            _drop_edges(own)
            break
    start = len(own)
    while start and own[start - 1] and len(own) - start < 6:
        start -= 1
    block = own[start:]
    if start and any(_is_signature(line, names) for line in block):
        del own[start:]
    elif block and _is_signature(block[-1], names):
        del own[-1]
    _drop_edges(own)


def _is_signature(line: str, names: Sequence[str]) -> bool:
    if p.PHONE_LABEL.match(line) or p.holds_phone(line[: p.LINE]):
        return True
    words = re.findall(r"\w+", line.casefold())[:8]
    known = {name.casefold() for name in names if len(name) > 2}
    if not words or len(words) > 6 or known.isdisjoint(words):
        return False
    return known.issuperset(words) or (words[0] in known and line[-1] not in ".!?…:;")


def _tells(post: str, names: Sequence[str]) -> bool:
    """Something in it may say who wrote it, or is not his."""
    if "\ufffd" in post or p.MAIL_ADDRESS.search(post) or p.holds_phone(post):
        return True
    lines = post.split("\n")
    if any(is_attribution(line) or p.DELIMITER.match(line[: p.LINE]) for line in lines):
        return True
    folded = set(re.findall(r"\w+", post.casefold()))
    known = [name.casefold() for name in names if len(name) > 2]
    return len(known) > 1 and all(name in folded for name in known[:2])
