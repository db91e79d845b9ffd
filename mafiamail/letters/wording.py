"""How instants, numbers, names and commands are written in one language; plain text only."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mafiamail.game.duration import parse_duration

Words = Mapping[str, Any]
"""What a words.yaml holds."""

READING: ContextVar[tuple[str, str]] = ContextVar("READING")
"""(now, zone) of the letter that is being written: an ISO instant and a zone of the IANA names."""

NBSP = "\u00a0"
GLUE = "\ue000"
"""Stands before a bare keyword: no line is wrapped at the blank in front of it, and so none begins with the keyword."""

PUBLIC = (
    *("JOIN", "HELP", "RULES", "LANG", "VOTE", "UNVOTE", "SAY", "STATUS", "LEAVE", "AWAY", "DIGEST", "TIMEZONE", "GAME", "NEW GAME"),
    "LAST WORDS",
)
"""Keywords that anybody may use: a line with one of them tells nothing about a role."""

OPEN = frozenset(
    (
        *("joined", "withdrew", "leaving", "confirm_sent", "voted", "unvoted", "shot", "words_said", "said", "announced", "story_told"),
        *("by_host", "written_for", "timezone", "digest", "away", "address_asked", "cohost", "taken_back", "took_place", "no_place"),
        *("applied", "invited", "approved", "rejected"),
        *("told_host", "undone", "setting", "log", "luck", "proposed", "renamed"),
        *("story_host", "limit_set", "extended", "removing", "removed"),
        *("created", "started", "closed", "ended", "paused", "resumed", "gone_on", "bad_line", "bad_lines", "which_game"),
        *("language", "help", "rules", "status", "unread", "linked", "link_asked", "not_confirmed", "others_letter", "flooded"),
    )
)
"""Entries of a receipt that a lock screen may show; every other entry stands below the line."""

FOR_THE_HOST_ALONE = frozenset(("orders", "log", "undone", "written_for"))
"""What stands below the line in a host's own receipts: the rest of them tells nothing that is secret."""

ANSWERS = ("help", "rules", "status", "returned", "proposed", "confirm_sent", "link_asked", "told_host", "not_confirmed", "address_asked")
FAULTS = ("mixed", "which_game", "not_obeyed")
NIGHTS = ("night", "night zero")

Entry = Mapping[str, Any]


def _english(n: int) -> int:
    return 0 if n == 1 else 1


def _slavic(n: int) -> int:
    if n % 10 == 1 and n % 100 != 11:
        return 0
    return 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


_LENGTHS = re.compile(r"(?:\d+[dhms])+")
_LENGTH = re.compile("[dhms]")
PLURALS = {"one-other": _english, "one-few-many": _slavic}
"""Rule of a language (`plural_rule` of its words) -> which form goes with a number."""


_DISTANCE = re.compile(r"UTC([+-])(\d\d):(\d\d)")


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo:
    """The zone of that name, or of a distance such as UTC+05:30; an unknown one is read as UTC, so that a letter is late for nobody."""
    if match := _DISTANCE.fullmatch(name):
        length = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(length if match[1] == "+" else -length, "".join(match.groups()))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def called(thing: Any) -> str:
    """A name, or the name of `{name: …}`."""
    return str(thing["name"]) if isinstance(thing, Mapping) else str(thing)


def names(things: Iterable[Any]) -> str:
    """Names, never inflected and joined by commas alone."""
    return ", ".join(called(thing) for thing in things)


def table(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as indented lines in columns; the last column is not padded."""
    cells = [[str(cell) for cell in row] for row in rows]
    if not cells:
        return ""
    last = max(map(len, cells)) - 1
    widths = [min(32, max((len(row[i]) for row in cells if i < len(row)), default=0)) for i in range(last)]
    return "\n".join(
        ("  " + "".join(cell.ljust(widths[i]) + "  " if i < last else cell for i, cell in enumerate(row))).rstrip() for row in cells
    )


def tally(votes: Iterable[Mapping[str, Any]]) -> str:
    """Votes in columns: who, how many, from whom."""
    return table([(vote["name"], len(vote["voters"]), ", ".join(vote["voters"])) for vote in votes])


def spoken(text: str) -> str:
    """A player's or host's own words: data, so that no line of them draws a table or a rule of ours."""
    lines = []
    for line in text.strip("\n").splitlines():
        bare = line.strip()
        if bare and not any(map(str.isalnum, bare)) and len(bare) > 2:
            line = "* * *"
        elif line[:1].isspace() and bare:
            line = NBSP * (len(line) - len(line.lstrip())) + line.strip()
        lines.append(line.rstrip())
    return "\n".join(lines)


def described(text: str) -> str:
    """A character's description: one paragraph, so that no part of it stands there like somebody else's."""
    return "\n".join(line for line in spoken(text).splitlines() if line.strip())


class Wording:
    """The filters and functions that the templates of one language use."""

    def __init__(self, words: Words, public: Sequence[str], language: str = "en") -> None:
        self.words, self._language = words, language
        self._plural = PLURALS[words["plural_rule"]]
        self._public = tuple(spelling.casefold() for spelling in public)
        self.at = lru_cache(maxsize=1024)(self._at)

    def plural(self, n: int, word: str) -> str:
        """A number with its word: 1 vote, 5 votes."""
        return f"{n} {self.words['plurals'][word][self._plural(n)]}"

    def _zone(self, moment: datetime) -> str:
        name = moment.tzname() or "UTC"
        if name[0] not in "+-":
            return str(self.words["zones"].get(name, name))
        hours, minutes = name[1:3].lstrip("0") or "0", name[3:5].strip("0") and f":{name[3:5]}"
        return f"UTC{name[0]}{hours}{minutes}"

    def _at(self, instant: str, zone: str, year: int) -> str:
        moment = datetime.fromisoformat(instant).astimezone(zone_of(zone))
        shape = self.words["date"] if moment.year == year else self.words["date_with_year"]
        return str(shape).format(
            weekday=self.words["weekdays"][moment.weekday()],
            day=moment.day,
            month=self.words["months"][moment.month - 1],
            year=moment.year,
            time=f"{moment:%H:%M}",
            zone=self._zone(moment),
        )

    def moment(self, instant: str) -> str:
        """An instant in the reader's zone: Thu 14 May, 21:00 MSK."""
        now, zone = READING.get()
        return self.at(instant, zone, int(now[:4]))

    def length(self, time: timedelta) -> str:
        """A length of time in words: 48 hours, 2 hours 15 minutes, 5 days."""
        minutes = max(0, int(time.total_seconds() // 60))
        if minutes >= 73 * 60:
            return self.plural(round(minutes / 1440), "day")
        if minutes >= 12 * 60:
            return self.plural(round(minutes / 60), "hour")
        hours, minutes = divmod(minutes, 60)
        parts = [self.plural(hours, "hour")] if hours else []
        if minutes or not hours:
            parts.append(self.plural(minutes, "minute"))
        return " ".join(parts)

    def left(self, instant: str) -> str:
        """How long it is from now: in 23 hours."""
        time = datetime.fromisoformat(instant) - datetime.fromisoformat(READING.get()[0])
        if time < timedelta(minutes=1):
            return str(self.words["in_no_time"])
        time += timedelta(seconds=59)  # two hours, told two seconds later, are still two hours
        return str(self.words["in"]).format(self.length(time))

    def when(self, instant: str) -> str:
        """An instant and how far it is: Thu 14 May, 21:00 MSK, in 23 hours."""
        return f"{self.moment(instant)}, {self.left(instant)}"

    def kw(self, keyword: str) -> str:
        """The spelling of a keyword that this language shows, for the middle of a sentence."""
        return GLUE + self._spelling(keyword).replace(" ", NBSP)

    def _spelling(self, keyword: str) -> str:
        spellings = self.words["keywords"].get(keyword)
        return str(spellings[0]) if spellings else keyword

    def example(self, keyword: str) -> str:
        """A keyword as it is to be written, with a placeholder that is nobody: VOTE: ‹name›."""
        known = self.words["arguments"]
        argument = known.get(keyword) if keyword in self.words["keywords"] else known["HEAL"]  # a host's own role (1.3)
        return f"{self._spelling(keyword)}: ‹{argument}›" if argument else self.kw(keyword)

    def choices(self, keywords: Sequence[str]) -> str:
        """What may be written now; `PASS` goes last and never ends a line, for alone there it would be a command."""
        shown = [self.example(keyword) for keyword in keywords if keyword != "PASS"]
        if "PASS" in keywords:
            shown.append(str(self.words["pass"]).format(self.kw("PASS")))
        return str(self.words["or"]).join(shown)

    def safely(self, line: str, most: int = 60) -> str:
        """What somebody wrote, shown so that it is no command when it comes back: in ‹ ›, after a colon, with nothing to wrap at."""
        bare = re.sub(r"[‹›]", "", " ".join(line.split()))
        if len(bare) > most:
            bare = bare[:most].rstrip() + "…"
        head, colon, tail = bare.replace("：", ":").partition(":")
        if not colon:
            head, tail = self.words["the_line"], bare
        return f"{head.strip()}: ‹{tail.strip().replace(':', '·')}›".replace(" ", NBSP)

    def role(self, role: str) -> str:
        """The name of a role; a host's own role is called as he called it."""
        known = self.words["roles"].get(role)
        return str(known["name"]) if known else role

    def own_text(self, role: Mapping[str, Any]) -> str:
        """What a host's own role can do, `{can, power, pistol}`: in this language, else in any that he gave, else by its power."""
        texts = role["can"]
        told = texts.get(self._language) or texts.get("") or next(iter(texts.values()), "")
        return told or str(self.words["powers"][role["power"]]) + (str(self.words["has_pistol"]) if role["pistol"] else "")

    def can(self, role: str, composition: Iterable[Sequence[Any]], own_roles: Iterable[Mapping[str, Any]]) -> str:
        """What a role of the project can do in a game of this composition; who might hinder it is told only where somebody can."""
        names, powers = {name for name, _ in composition}, {one["power"] for one in own_roles}
        unless = {
            power: self.words["unless"][power if usual in names else f"own {power}"] if usual in names or power in powers else ""
            for power, usual in (("block", "priest"), ("heal", "doctor"))
        }
        return str(self.words["roles"][role]["can"]).format(**unless)

    def side(self, side: str) -> str:
        return str(self.words["sides"].get(side, {}).get("name", self.role(side)))

    def fate(self, fate: str) -> str:
        return str(self.words["fates"].get(fate, fate))

    def composition(self, roles: Iterable[Sequence[Any]]) -> str:
        """Roles with their numbers: 3 mafia, doctor, 7 citizens."""
        shown = []
        for role, n in roles:
            known = self.words["roles"].get(role)
            forms = known["count"] if known else None
            shown.append(self.role(role) if n == 1 else f"{n} {forms[self._plural(n)]}" if forms else f"{role} × {n}")
        return ", ".join(shown)

    def known(self, people: Iterable[Any]) -> str:
        """Names with what the setting `reveal` tells about each: `{name, known: None | {side} | {role}}`."""
        return ", ".join(map(self._known, people))

    def _known(self, one: Mapping[str, Any]) -> str:
        known = one.get("known")
        if not known:
            return str(one["name"])
        word = self.role(known["role"]) if "role" in known else self.side(known["side"])
        return f"{one['name']} ({word})"

    def gone(self, people: Iterable[Mapping[str, Any]]) -> str:
        """Names with the way in which each went out of the game, and by which rule: `[{name, fate, rule}]`."""
        return ", ".join(f"{one['name']} ({self.fate(one['fate'])}, {one['rule']})" for one in people)

    def setting(self, pair: Sequence[Any]) -> str:
        """One setting that differs from its default, with what it means."""
        name, value = pair
        about = self.words["settings"].get(name, {})
        meaning = about.get("values", {}).get(str(value).lower(), about.get("about", ""))
        shown = f"{name} = {self.values(str(value))}"
        return f"{shown} ({meaning})" if meaning else shown

    def values(self, values: str) -> str:
        """Values of settings, joined by commas, as this language writes them and `NEW GAME` understands them: `жребий`, `2ч`."""
        return ", ".join(map(self._value, values.split(", ")))

    def _value(self, value: str) -> str:
        known = self.words["setting_values"].get({"true": "yes", "false": "no"}.get(value, value))
        if known:
            return str(known[0])
        return _LENGTH.sub(lambda unit: str(self.words["units"][unit[0]]), value) if _LENGTHS.fullmatch(value) else value

    def phase(self, phase: Mapping[str, Any]) -> str:
        """Day 2, Night 2, Night zero."""
        return str(self.words["stages"][phase["stage"]]).format(phase["number"])

    def duration(self, text: str) -> str:
        """A length as settings have it, in words: `2h` is 2 hours."""
        return self.length(parse_duration(text))

    def absence(self, rule: Sequence[Any]) -> str:
        """After how much silence somebody is out: `[variant, number]`."""
        variant, number = rule
        words = self.words["absences"]
        return (
            str(words["two"].format(number) if variant == "two" else words["one"].format(self.plural(number, "game_day")))
            if number
            else str(words["never"])
        )

    def night(self, number: int) -> str:
        """Night 2; Night zero."""
        return str(self.words["stages"]["night" if number else "night zero"]).format(number)

    def cast(self, roles: Iterable[Mapping[str, Any]]) -> str:
        """Who was who, at the end: seat, name, role, and how each went out."""
        rows = []
        for one in roles:
            role = self.role(one["role"])
            if one["side"] == "mafia" and one["role"] == "citizen":
                role = f"{role}, {self.side('mafia')}"
            rows.append((one["seat"], one["name"], role, self.words["alive"] if one["alive"] else self.fate(one["fate"])))
        return table(rows)

    def deeds(self, deeds: Iterable[Mapping[str, Any]]) -> str:
        """What everybody wanted in one Night, what came of it, and by which rule."""
        return table((deed["who"], self._did(deed), self._why(deed)) for deed in deeds)

    def _did(self, deed: Mapping[str, Any]) -> str:
        words, did, target = self.words["deeds"]["did"], deed["did"], deed["target"]
        if target is None:
            return str(words.get(did, did))
        return f"{words['names'] if did == 'none' else words.get(did, did)} → {target}"

    def _why(self, deed: Mapping[str, Any]) -> str:
        words, why = self.words["deeds"]["why"], deed["why"]
        shown = words.get(f"{deed['did']} {why}", words.get(why, why))
        return f"{shown} ({deed['rule']})" if deed["rule"] else str(shown)

    def is_open(self, entry: Entry) -> bool:
        """May a lock screen show this entry of a receipt?"""
        if entry["kind"] in OPEN:
            return True
        lines = entry.get("lines") or ([entry["line"]] if entry.get("line") else [])
        return bool(lines) and all(line.strip(" *_\"'«»“”").casefold().startswith(self._public) for line in lines)

    def parted(
        self, entries: Iterable[Entry], reader: Mapping[str, Any] | None, phase: Mapping[str, Any] | None
    ) -> tuple[list[Entry], list[Entry]]:
        """The entries for above the line and for below it; by Night there is always a line for the living, whatever their role."""
        if reader is not None and reader["host"]:
            alone = [entry for entry in entries if entry["kind"] in FOR_THE_HOST_ALONE or entry.get("alone")]
            return [entry for entry in entries if entry not in alone], alone
        shown: list[Entry] = []
        hidden: list[Entry] = []
        for entry in entries:
            (shown if self.is_open(entry) else hidden).append(entry)
        if not hidden and reader is not None and reader["alive"] and phase is not None and phase["stage"] in NIGHTS:
            hidden.append({"kind": "status"})
        return shown, hidden


def outcome(entries: Sequence[Entry]) -> str:
    """What became of a letter: `answered` where it only asked, `obeyed`, `partly`, or `not`."""
    faults = [bool(entry.get("failed")) or entry["kind"] in FAULTS for entry in entries if entry["kind"] not in ANSWERS]
    if not faults:
        return "answered"
    return "not" if all(faults) else "partly" if any(faults) else "obeyed"


def told(entries: Iterable[Entry], kind: str) -> bool:
    """Is there an entry of that kind?"""
    return any(entry["kind"] == kind for entry in entries)


def fill(text: str, *values: object) -> str:
    """A sentence of the words with its {0} filled in."""
    return text.format(*values)


def beginning(text: str) -> str:
    """A clause made the beginning of a sentence."""
    return text[:1].upper() + text[1:]
