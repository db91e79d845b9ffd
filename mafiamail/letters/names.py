"""Whom a name means: by seat, exactly, by look, by its beginning, by a near spelling or a Russian case. Two who fit: Ambiguous."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from mafiamail.letters.russian import nominatives
from mafiamail.letters.shape import DECORATION, distance, folded, plain, skeleton

Who = TypeVar("Who", bound=str)

_SEAT = re.compile(r"(?:mafia|мафия|[a-z]{0,20})?\s?[#№]?\s?0*(\d{1,3})")
_LEADING = re.compile(r"^(?:за|против|for|at|on)\s+(?=\S)", re.I)
_ENDING = re.compile(  # case endings of nouns and adjectives, the nominative's own included
    r"(?:ого|его|ому|ему|ыми|ими|ами|ями|ью|ой|ою|ей|ею|ом|ем|ам|ям|ах|ях|ов|ев|ый|ий|ая|яя|ую|юю|ым|им|ых|их|ии|ию|ия|ие|[аяоеуюыийь])$"
)


MARGIN = 2  # letters by which a misspelt name must be nearer than any other


@dataclass(frozen=True, slots=True)
class NoSuchName:
    """Nobody is called so."""

    text: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """More than one may be meant."""

    text: str
    names: tuple[str, ...]


def find(argument: str, candidates: Mapping[Who, tuple[str, str]]) -> Who | NoSuchName | Ambiguous:
    """Whom `argument` means among `candidates`, {who: (character, seat)}."""
    given = plain(argument.strip(DECORATION)).strip(" .,;!?()[]<>")
    for text in dict.fromkeys((given, _LEADING.sub("", given), _first_clause(given))):
        if not text:
            continue
        if by_seat := _by_seat(text, candidates):
            called_so = [name for who, (name, _) in candidates.items() if who != by_seat and _same(text, name)]
            return Ambiguous(given, (candidates[by_seat][0], *called_so)) if called_so else by_seat
        for found in _found(text, candidates):
            if len(found) == 1:
                return _unless_more(found[0], text, given, candidates)
            if found:
                return Ambiguous(given, tuple(candidates[who][0] for who in found))
    return NoSuchName(given)


def _found(text: str, candidates: Mapping[Who, tuple[str, str]]) -> Iterator[list[Who]]:
    """Who fits, the surest way first."""
    for fits in (_same, _looks_same, _begins_or_declines):
        yield [who for who, (name, _) in candidates.items() if fits(text, name)]
    yield _nearest(text, candidates)


def _first_clause(given: str) -> str:
    """«Old Tom, because he lied»: what stands before the first comma, bracket or stop."""
    return re.split(r"[,;.!?(]| - ", given, maxsplit=1)[0].strip()


def _unless_more(who: Who, text: str, given: str, candidates: Mapping[Who, tuple[str, str]]) -> Who | Ambiguous:
    """A second name behind the first makes it a question."""
    remainder = folded(given)[len(text) :] if len(text) < len(given) else ""
    others = tuple(name for other, (name, _) in candidates.items() if other != who and len(name) > 2 and folded(name) in remainder)
    return Ambiguous(given, (candidates[who][0], *others)) if others else who


def reads_as_seat(name: str) -> bool:
    """Whether a character of this name would be taken for a seat: `mafia03`, «Мафия 3», `#3`."""
    lowered = skeleton(name).casefold().replace(" ", "")
    return re.fullmatch(r"(?:mafia|maфия|[#№])[#№]?\d+", lowered) is not None or re.fullmatch(r"\d+", lowered) is not None


def _by_seat(text: str, candidates: Mapping[Who, tuple[str, str]]) -> Who | None:
    lowered = text.casefold().replace(" ", "")
    match = _SEAT.fullmatch(lowered)
    for who, (_, seat) in candidates.items():
        if not seat:
            continue
        if lowered == seat.casefold():
            return who
        if (
            match
            and (lowered.startswith(("mafia", "мафия")) or lowered[0] in "#№")
            and seat.lstrip("abcdefghijklmnopqrstuvwxyz").lstrip("0") == match[1]
        ):
            return who
    return None


def _same(text: str, name: str) -> bool:
    return _letters(folded(text)) == _letters(folded(name))


def _looks_same(text: str, name: str) -> bool:
    return _letters(skeleton(text)) == _letters(skeleton(name))


def _letters(text: str) -> str:
    return text.replace("'", "").replace("-", " ")


def _begins_or_declines(text: str, name: str) -> bool:
    return _begins(text, name) or _is_case_of(text, name)


def _begins(text: str, name: str) -> bool:
    """A beginning of the name, or of one of its words: “Том” is Томас, and Old Tom too."""
    wanted = _letters(skeleton(text))
    if len(wanted) < 2:
        return False
    words = _letters(skeleton(name)).split()
    return any(" ".join(words[at:]).startswith(wanted) for at in range(len(words)))


def _is_case_of(text: str, name: str) -> bool:
    """«Лесника», «Капитану Штилю»: a Russian name in any case; names of other alphabets have none."""
    given, nominative = folded(text).split(), folded(name).split()
    if len(given) != len(nominative) or not re.search("[а-я]", folded(name)):
        return False
    return all(_stem(one) == _stem(other) or other in nominatives(one) for one, other in zip(given, nominative, strict=True))


def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    return stem if len(stem) >= 3 else word


def _nearest(text: str, candidates: Mapping[Who, tuple[str, str]]) -> list[Who]:
    """Who is near; and with him whoever is hardly farther, so that only a clear margin decides."""
    if not any(_is_near(text, name) for name, _ in candidates.values()):
        return []
    written = _letters(skeleton(text))
    far = {who: distance(written, _letters(skeleton(name)), 4) for who, (name, _) in candidates.items()}
    return [who for who, letters in far.items() if letters < min(far.values()) + MARGIN]


def _is_near(text: str, name: str) -> bool:
    """One letter off in a word of four or more, two in one of nine or more."""
    one, other = _letters(skeleton(text)), _letters(skeleton(name))
    most = 0 if len(other) < 4 else 1 if len(other) < 9 else 2
    return most > 0 and distance(one, other, most) <= most


def is_as_written(argument: str, name: str, seat: str) -> bool:
    """Whether somebody wrote the name itself, or the seat: then nothing had to be guessed."""
    text = plain(argument.strip(DECORATION)).strip(" .,;!?()[]<>")
    return any(_same(one, name) or _by_seat(one, {name: (name, seat)}) for one in (text, _LEADING.sub("", text)) if one)


def alike(name: str, others: Iterable[str]) -> str | None:
    """Of names already taken, one that a new name could be mistaken for."""
    tests: tuple[Callable[[str, str], bool], ...] = (_same, _looks_same, _is_case_of, _is_near)
    return next((other for other in others if not _numbered(name, other) and any(test(name, other) for test in tests)), None)


def _numbered(name: str, other: str) -> bool:
    """“Player 1” and “Player 2”: names that differ in their numbers alone, which nobody takes for one another."""
    one, two = (re.findall(r"\d+", given) for given in (name, other))
    return bool(one) and bool(two) and one != two and re.sub(r"\d+", "#", name) == re.sub(r"\d+", "#", other)
