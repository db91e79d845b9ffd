"""The language of letters: which lines of a text are commands, which only look like one, and what else was said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mafiamail.letters.shape import DECORATION, distance, skeleton

Kind = Literal["nothing", "optional", "name", "words", "value", "block", "join"]

_KINDS: Mapping[Kind, str] = {  # every other keyword takes a value
    "nothing": "PASS|START|START ANYWAY|CLOSE|CLOSE ANYWAY|END|PAUSE|RESUME|GO ON|ORDERS|DRAFT|RELEASE|PURGE|LEAVE",
    "optional": "STATUS|HELP|RULES|UNVOTE|UNDO|LOG",
    "name": "VOTE|BLOCK|HEAL|KILL|CHECK|RAISE|RECRUIT|SHOOT|REMOVE|REMOVE NOW|APPROVE|REJECT",
    "words": "SAY|FAMILY|LAST WORDS|ANNOUNCE|STORY",
    "block": "NEW GAME",
    "join": "JOIN",
}
KINDS: Mapping[str, Kind] = {keyword: kind for kind, keywords in _KINDS.items() for keyword in keywords.split("|")}

_PLACES = (
    *("name", "names", "character", "player", "your words", "words", "text", "date", "address", "number"),
    *("имя", "имена", "персонаж", "игрок", "ваши слова", "слова", "текст", "дата", "адрес", "номер"),
)
PLACEHOLDERS = frozenset(map(skeleton, _PLACES))
# Capitals and a colon that are no attempt at a command.
_REMARKS = frozenset(
    map(
        skeleton,
        (
            *("PS", "P.S", "P.P.S", "PPS", "NB", "N.B", "FYI", "TLDR", "TL;DR", "OT", "RE", "FW", "FWD", "OK", "BTW", "IMHO", "AM", "PM"),
            *(
                "WARNING",
                "CAUTION",
                "EXTERNAL",
                "SECURITY",
                "SECURITY NOTICE",
                "NOTE",
                "NOTICE",
                "INTERNAL USE ONLY",
                "CONFIDENTIAL",
                "TLP",
            ),
            *("ATTENTION", "HELLO", "HI", "DEAR ALL", "ВНИМАНИЕ", "ПРЕДУПРЕЖДЕНИЕ", "КОНФИДЕНЦИАЛЬНО", "ПРИВЕТ", "ЗДРАВСТВУЙТЕ"),
            *("ДОБРЫЙ ДЕНЬ", "ДОБРЫЙ ВЕЧЕР", "ДОБРОЕ УТРО"),
            *("ЗЫ", "ПС", "ПП", "ОК", "ИМХО", "КСТАТИ"),
        ),
    )
)

MOST = 30  # commands of one mail; the next one fails
_COLONS = ":：﹕︓∶꞉"
_COLON = re.compile(f"[{_COLONS}]")
_WORD_AND_COLON = re.compile(f"(?<![\\w-])([\\w-]{{1,30}})[^\\w\\n{_COLONS}]{{0,6}}[{_COLONS}]")
_BULLET = re.compile(r"^\s*(?:[-–—•·*►▪]\s+|\d{1,2}[.)]\s+)(?=\S)")
_DASHED = re.compile(r"^(.{2,40}?)\s+[-–—]{1,2}\s+(\S.*)$")
_BRACKETED = re.compile(r"^<([^<>]{1,60})>[.,;]?$")
_SETTING = re.compile(r"^\s*[\w -]{1,40}\s*=")


@dataclass(frozen=True, slots=True)
class Line:
    """A command: its English keyword, what stands behind the colon, and the line as it was written."""

    keyword: str
    argument: str
    text: str


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A line that looks like a command and is none; `guess`: the keyword that was perhaps meant."""

    text: str
    guess: str | None


@dataclass(frozen=True, slots=True)
class Understood:
    """Commands and near-commands in their order, and the writer's other words."""

    items: tuple[Line | NotUnderstood, ...]
    rest: str


_EXAMPLE = "example"  # a line with a placeholder: ours, quoted back


class Keywords:
    """The keywords of all languages together: any of them is understood everywhere. `spellings`: {canonical: (spelling, …)}."""

    def __init__(self, spellings: Mapping[str, Sequence[str]], kinds: Mapping[str, Kind] = KINDS) -> None:
        self._canonical: dict[str, str] = {}
        for canonical, words in spellings.items():
            for word in (canonical, *words):
                self._canonical.setdefault(skeleton(word), canonical)
        self._kinds = kinds
        self._last = {spelling.rpartition(" ")[2] for spelling in self._canonical}
        self._first = {spelling.partition(" ")[0] for spelling in self._canonical}
        self._most = max((spelling.count(" ") + 1 for spelling in self._canonical), default=1)
        self.closest = lru_cache(maxsize=4096)(self._closest)

    def find(self, words: str) -> str | None:
        """The English keyword that these words are, or None."""
        return self._canonical.get(skeleton(words.strip(DECORATION)))

    def kind(self, keyword: str) -> Kind:
        return self._kinds.get(keyword, "value")

    def at_start(self, line: str) -> tuple[str, str] | None:
        """The keyword with which a line begins, and what follows it."""
        words = line.split()
        if not words or skeleton(words[0].strip(DECORATION + ",.;!")) not in self._first:
            return None
        for count in range(min(self._most, len(words)), 0, -1):
            if found := self.find(" ".join(words[:count]).rstrip(",.;!")):
                return found, " ".join(words[count:])
        return None

    def ends_with(self, word: str) -> bool:
        """Whether a keyword ends with this word."""
        return skeleton(word) in self._last

    def at_end(self, words: str) -> str | None:
        """The keyword with which some words end."""
        split = skeleton(words).split()[-self._most :]
        return next(
            (self._canonical[tail] for at in range(len(split)) if (tail := " ".join(split[at:]).strip("-'~([{.,;!? ")) in self._canonical),
            None,
        )

    def _closest(self, words: str) -> str | None:
        """The keyword that is meant if one letter (of a long word: two) is wrong."""
        size = len(words)
        most = 0 if size < 3 else 1 if size < 8 else 2
        best = min(
            ((distance(words, spelling, most), spelling) for spelling in self._canonical if abs(len(spelling) - size) <= most), default=None
        )
        if best and best[0] <= most:
            return self._canonical[best[1]]
        return next((keyword for spelling, keyword in self._canonical.items() if self._is_form_of(words, spelling, keyword)), None)

    def _is_form_of(self, words: str, spelling: str, keyword: str) -> bool:
        """Another form of the same word («лечим», “voted”), or the first word of two («голосую»)."""
        if self.kind(keyword) not in ("name", "words"):
            return False
        stem = max(4, (6 * max(len(words), len(spelling)) + 9) // 10)
        same = len(words) >= stem <= len(spelling) and words[:stem] == spelling[:stem]
        return same or (len(words) >= 5 and spelling.startswith(words + " "))


def read_lines(text: str, words: Keywords) -> Understood:
    """Reads a text of the writer's own words. What stands in no command and is no example of ours is `rest`."""
    items: list[Line | NotUnderstood] = []
    rest: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if len(items) >= MOST:
            items.append(NotUnderstood(lines[at].strip(), None))
            break
        found = judge(lines[at], words)
        at += 1
        if isinstance(found, Line):
            taken, found = _with_following(found, lines, at, words)
            at += taken
            items.append(found)
            at += _hold_back(items, lines, at, words)
        elif isinstance(found, NotUnderstood):
            items.append(found)
        elif found is None:
            rest.append(lines[at - 1].rstrip())
    return Understood(tuple(items), re.sub(r"\n{3,}", "\n\n", "\n".join(rest)).strip("\n"))


def _with_following(line: Line, lines: Sequence[str], at: int, words: Keywords) -> tuple[int, Line]:
    """How many of the following lines belong to a command, and the command with them."""
    match words.kind(line.keyword):
        case "words" | "join":
            end = at
            while end < len(lines) and judge(lines[end], words) is None:
                end += 1
            following = [text.strip() for text in lines[at:end]]
        case "block":
            end = _block_end(lines, at, words)
            following = [text.strip() for text in lines[at:end] if text.strip()]
        case _:
            return 0, line
    argument = "\n".join([*([line.argument] if line.argument else []), *following])
    return end - at, Line(line.keyword, re.sub(r"\n{3,}", "\n\n", argument).strip("\n"), line.text)


def _block_end(lines: Sequence[str], at: int, words: Keywords) -> int:
    """Lines `key = value`, with blank lines between them; a long line may go on in the next."""
    end = last = at
    while end < len(lines):
        line = lines[end].strip()
        if _SETTING.match(line):
            last = end + 1
        elif line and not (end == last and end > at and len(lines[end - 1].strip()) >= 60 and judge(line, words) is None):
            break
        elif line:
            last = end + 1
        end += 1
    return last


def _hold_back(items: list[Line | NotUnderstood], lines: Sequence[str], at: int, words: Keywords) -> int:
    """A near-command that ends somebody's words comes before them: what follows a failure is not obeyed, so nothing is published."""
    last = items[-1]
    if not isinstance(last, Line) or words.kind(last.keyword) not in ("words", "join") or at >= len(lines):
        return 0
    near = judge(lines[at], words)
    if not isinstance(near, NotUnderstood):
        return 0
    items.insert(-1, near)
    return 1


def judge(line: str, words: Keywords) -> Line | NotUnderstood | Literal["example"] | None:
    """One line alone: a command, nearly one, an example with a placeholder, or (None) plain words."""
    bare = _BULLET.sub("", line).strip(DECORATION)
    if len(bare) < 2:
        return None
    colon = _COLON.search(bare, 0, 80)
    if colon is None:
        return _without_colon(line, bare, words)
    head, argument = bare[: colon.start()], bare[colon.end() :].strip()
    keyword = words.find(head)
    if keyword is None:
        return _nearly(line, head, argument, words) or _without_colon(line, bare, words)
    return _command(line, keyword, argument, words)


def _command(line: str, keyword: str, argument: str, words: Keywords) -> Line | NotUnderstood | Literal["example"]:
    if keyword == "VOTE FOR" and "=" not in argument:  # the host's form has two names
        keyword = "VOTE"
    kind = words.kind(keyword)
    if is_placeholder(argument, kind == "words"):
        return "example"
    if kind != "words":
        argument = argument.strip(DECORATION)
        if argument.startswith("<") and argument.endswith(">"):
            argument = argument[1:-1].strip()
    missing = not argument and kind in ("name", "value", "join")
    if missing or "\ufffd" in line or (argument.strip(".!") and kind == "nothing"):
        return NotUnderstood(line.strip(), keyword)
    if kind == "block" and argument and "=" not in argument:
        argument = f"name = {argument}"
    return Line(keyword, "" if kind == "nothing" else argument, line.strip())


def is_placeholder(argument: str, words: bool = False) -> bool:
    """‹…›, or <name> with a word that is nobody's name."""
    argument = argument.strip(DECORATION.replace("‹", ""))
    if argument.startswith("‹") or (not words and "‹" in argument):
        return True
    match = _BRACKETED.match(argument)
    return match is not None and skeleton(match[1]) in PLACEHOLDERS


def _nearly(line: str, head: str, argument: str, words: Keywords) -> NotUnderstood | Literal["example"] | None:
    """A colon behind something that is no keyword: one letter off, or capitals that nobody knows."""
    plain = head.strip(DECORATION)
    if not plain or len(plain) > 40 or plain.count(" ") > 3:
        return None
    if is_placeholder(argument):
        return "example"
    shape = skeleton(plain)
    if shape in _REMARKS or shape.replace(" ", "") in _REMARKS:
        return None
    capitals = plain.isupper() and len(plain) > 1 and re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+)*", plain) is not None
    if (len(shape) > 3 or capitals) and (guess := words.closest(shape)):
        return NotUnderstood(line.strip(), guess)
    return NotUnderstood(line.strip(), None) if capitals else None


def _without_colon(line: str, bare: str, words: Keywords) -> Line | NotUnderstood | Literal["example"] | None:
    alone = bare if bare[0].islower() else bare.rstrip(".!")  # "go on." is the tail of a sentence that was wrapped
    if keyword := words.find(alone):
        if words.kind(keyword) in ("nothing", "optional", "block"):
            return NotUnderstood(line.strip(), keyword) if "\ufffd" in line else Line(keyword, "", line.strip())
        if words.kind(keyword) in ("name", "join") or bare.isupper():
            return NotUnderstood(line.strip(), keyword)
        return None
    if bare.endswith("?") and (keyword := words.find(bare.rstrip("?!. "))) and words.kind(keyword) == "nothing":
        return NotUnderstood(line.strip(), keyword)
    dashed = _DASHED.match(bare[:200])
    if dashed and (keyword := words.find(dashed[1])) and words.kind(keyword) == "name":
        return _command(line, keyword, dashed[2], words)
    return _missing_colon(line, bare, words)


def _missing_colon(line: str, bare: str, words: Keywords) -> NotUnderstood | None:
    """A keyword and more words, with no colon between: in capitals, or so short that it is hardly a sentence."""
    first = bare.partition(" ")[0].strip(DECORATION + ".,;!?")
    found = words.at_start(bare[:200])
    if found is None:
        near = words.closest(skeleton(first)) if first.isupper() and len(first) > 3 and " " in bare else None
        return NotUnderstood(line.strip(), near) if near and words.kind(near) in ("name", "words") else None
    keyword, following = found
    if keyword in ("VOTE FOR", "ORDER FOR", "REPLACE", "CO-HOST", "INVITE") and ("=" in following or "@" in following):
        return NotUnderstood(line.strip(), keyword)
    keyword = "VOTE" if keyword == "VOTE FOR" else keyword
    kind, capitals = words.kind(keyword), first.isupper() and len(first) > 1
    if capitals and not bare.isupper():
        return NotUnderstood(line.strip(), keyword)
    few = len(following.split()) <= 4
    if (kind == "name" and following and few) or (keyword == "FAMILY" and following):
        return NotUnderstood(line.strip(), keyword)
    return NotUnderstood(line.strip(), keyword) if capitals and few else None


def order_in(text: str, words: Keywords) -> tuple[str, str] | None:
    """A keyword and what follows it, with a colon between them or without: what the host writes for a player."""
    found = words.at_start(_COLON.sub(" ", text[:200], count=1).strip(DECORATION))
    return found and (found[0], found[1].strip(DECORATION))


def looks_like_command(text: str, words: Keywords) -> str | None:
    """The keyword that stands with a colon anywhere in a text, or alone on a line of it: quoted back, it could be read as a command."""
    for line in text.split("\n"):
        if isinstance(found := judge(line, words), Line):
            return found.keyword
    for match in _WORD_AND_COLON.finditer(text):
        if words.ends_with(match[1]) and (keyword := words.at_end(text[max(0, match.end(1) - 60) : match.end(1)])):
            return keyword
    return None


# ------------------------------------------------------------------ subjects

_PREFIX = re.compile(
    r"^\s*(?:\[[^\]]{0,60}\]\s*)?(?:re|aw|antw|antwort|отв|ответ|ha|на|відп|відповідь|sv|vs|odp|fwd?|wg|пересл|переслать|пер|tr)\s?(?:[\[(^]\d{1,3}[\])]?)?\s?[:：]",
    re.I,
)


def is_reply(subject: str) -> bool:
    """Whether a subject answers (or forwards) another."""
    return _PREFIX.match(subject[:200]) is not None


def from_subject(subject: str, text: str) -> str:
    """What to read: the writer's own words, or where there are none a subject that answers and forwards nothing."""
    if any(char.isalnum() for char in text) or is_reply(subject):
        return text
    return subject
