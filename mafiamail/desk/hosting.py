"""What a host asks: a new game, the start, the end of a phase, an announcement."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from mafiamail.desk import confirming, inviting, mending, newcomers, on_behalf
from mafiamail.desk.mistakes import BadLine
from mafiamail.desk.moments import month_words, read_moment
from mafiamail.desk.naming import named
from mafiamail.desk.new_game import Defaults, Proposal, read_new_game
from mafiamail.game import clock, night
from mafiamail.game.commands import ChangeSetting, Close, Command, Extend, GoOn, Pause, Remove, Resume, SetLimit, Start, WriteStory
from mafiamail.game.deal import PARTIES, size
from mafiamail.game.decide import decide
from mafiamail.game.duration import parse_duration
from mafiamail.game.model import HOST, Game, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters import chronicle
from mafiamail.letters.compose import created
from mafiamail.letters.letter import Facts, Letter, in_seat_order, instant, names, order_facts, public_thread
from mafiamail.letters.settings import differing, shown
from mafiamail.letters.understand import Line
from mafiamail.letters.wording import zone_of
from mafiamail.store.people import Person

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

NOT_YET = frozenset(("DRAFT", "RELEASE"))
KEYWORDS = {
    *("SET", "START", "LIMIT", "EXTEND", "CLOSE", "CLOSE ANYWAY", "PAUSE", "RESUME", "GO ON", "END", "UNDO"),
    *("REMOVE", "REMOVE NOW", "REPLACE", "CO-HOST", "VOTE FOR", "ORDER FOR", "ORDERS", "LOG", "ANNOUNCE", "STORY"),
    *("INVITE", "APPROVE", "REJECT", "PURGE", "STATUS", "LANG", "TIMEZONE", "DIGEST"),
}

MOST = timedelta(days=366)  # for a limit or an extension
PLAIN: Mapping[str, tuple[Command, str]] = {"PAUSE": (Pause(), "paused"), "RESUME": (Resume(), "resumed"), "GO ON": (GoOn(), "gone_on")}


ELSEWHERE: Mapping[str, Callable[["Hearing", Line], Facts]] = {
    "UNDO": mending.undo,
    "CO-HOST": newcomers.ask_cohost,
    "REPLACE": newcomers.ask_replacement,
    "INVITE": inviting.invite,
    "APPROVE": inviting.approve,
    "REJECT": inviting.reject,
    "PURGE": confirming.ask_to_purge,
    "VOTE FOR": on_behalf.vote_for,
    "ORDER FOR": on_behalf.order_for,
}


def obey(hearing: "Hearing", line: Line) -> Facts:
    """Raises Refused, Unnamed, Unsaid, BadLine."""
    match line.keyword:
        case "START":
            _decide(hearing, Start())
            inviting.decline_the_rest(hearing)
            return {"kind": "started", "players": len(hearing.game.players)}
        case "CLOSE" | "CLOSE ANYWAY":
            hearing.book.wait_for(hearing.mail.arrived)
            _decide(hearing, Close(anyway=line.keyword == "CLOSE ANYWAY"))
            return {"kind": "closed"}
        case "PAUSE" | "RESUME" | "GO ON":
            command, kind = PLAIN[line.keyword]
            _decide(hearing, command)
            return {"kind": kind}
        case "LIMIT":
            _decide(hearing, SetLimit(_limit(hearing, line)))
            return {"kind": "limit_set", "ends": instant(clock.ends(hearing.game)), "twilight": hearing.game.twilight is not None}
        case "EXTEND":
            _decide(hearing, Extend(length(line)))
            return {"kind": "extended", "ends": instant(clock.ends(hearing.game))}
        case "LOG":
            return {"kind": "log", "phases": chronicle.facts(hearing.book.log(hearing.seat.game))["phases"]}
        case "SET":
            return _set(hearing, line)
        case "REMOVE":
            return _remove(hearing, named(hearing, line, exactly=True))
        case "REMOVE NOW":
            return confirming.ask_to_remove(hearing, named(hearing, line, exactly=True))
        case "ORDERS":
            return _orders(hearing)
        case "ANNOUNCE":
            return {"kind": "announced", "count": _announce(hearing, line)}
        case "STORY":
            return _tell_story(hearing, line)
        case "END":
            return confirming.ask_to_end(hearing)
    if line.keyword in ELSEWHERE:
        return ELSEWHERE[line.keyword](hearing, line)
    raise Refused(Why.NOT_YET if line.keyword in NOT_YET else Why.NOT_PLAYER)


def _limit(hearing: "Hearing", line: Line) -> timedelta:
    """A length from the beginning of the Day, or a moment in the zone of the letters to him (3.3.3). Raises BadLine."""
    words = [hearing.languages.words(language) for language in hearing.languages.names]
    labels = {str(label).lower(): name for known in words for name, label in known["zones"].items()}
    months = month_words(known["months"] for known in words)
    moment = read_moment(line.argument, hearing.at, zone_of(hearing.seat.timezone or hearing.game.timezone), months, labels)
    running = hearing.game.phase.stage is Stage.DAY  # else the rules refuse it, whatever it is
    try:
        length = parse_duration(line.argument) if moment is None else moment - hearing.game.phase.began if running else timedelta(days=1)
    except ValueError as error:
        raise BadLine(line.text, "moment", "36h, 90m, 1d12h") from error
    if length > MOST:
        raise BadLine(line.text, "too_long")
    return length


def length(line: Line) -> timedelta:
    """Raises BadLine."""
    try:
        length = parse_duration(line.argument)
    except ValueError as error:
        raise BadLine(line.text, "one_of", "36h, 90m, 1d12h") from error
    if not length:
        raise BadLine(line.text, "one_of", "36h, 90m, 1d12h")
    if length > MOST:
        raise BadLine(line.text, "too_long")
    return length


def _set(hearing: "Hearing", line: Line) -> Facts:
    """`SET: setting = value`, before the start (3.1.1)."""
    name, equals, value = line.argument.partition("=")
    if not equals:
        raise BadLine(line.text, "no_equals")
    key = hearing.languages.new_game_keys.get(" ".join(name.lower().split()), name.strip().lower())
    value = " ".join(value.split())
    _decide(hearing, ChangeSetting(key, hearing.languages.setting_values.get(value.lower(), value)))
    settings = hearing.game.settings
    return {"kind": "setting", "setting": [key, shown(getattr(settings, key))], "differs": differing(settings)}


def _remove(hearing: "Hearing", whom: Who) -> Facts:
    name = hearing.game.players[whom].character
    _decide(hearing, Remove(whom))
    if whom in hearing.game.players:
        return {"kind": "removing", "name": name}
    person = hearing.store.people.find(hearing.seat.game, whom)
    if person is not None:  # and whoever was let in is a stranger again
        hearing.store.guests.forget(hearing.seat.game, person.address)
    hearing.store.people.remove(hearing.seat.game, whom)  # before the start: out at once, and the address is free again
    return {"kind": "removed", "name": name}


def _orders(hearing: "Hearing") -> Facts:
    """The host sees orders when he asks for them."""
    game = hearing.game
    given = [{"name": game.players[who].character, **order_facts(game, order)} for who, order in sorted(game.orders.items())]
    by_night = game.phase.stage in (Stage.NIGHT, Stage.ZERO)
    stories = [{"name": game.players[who].character, "text": words} for who, words in game.stories.items() if who != HOST]
    return {"kind": "orders", "orders": given, "missing": names(game, night.missing(game)), "stories": stories, "night": by_night}


def _decide(hearing: "Hearing", command: Command) -> None:
    hearing.book.decide(hearing.seat.game, HOST, command, hearing.at)


def new_game(hearing: "Hearing", line: Line) -> Facts:
    """Raises Refused, BadLine."""
    if hearing.mail.sender not in hearing.config.hosts:
        raise Refused(Why.NOT_HOST)
    config = hearing.config
    defaults = Defaults(config.language, config.timezone, config.base_settings, config.own_roles)
    opening = read_new_game(line.argument, hearing.languages, hearing.words, defaults, secrets.token_hex(32))
    if isinstance(opening, Proposal):
        return _proposed(opening)
    create, public = opening
    events = decide(Game(), HOST, create, hearing.mail.arrived)
    number = hearing.store.log.open(public=public)
    address = hearing.mail.sender or ""
    hearing.person = Person(number, HOST, address, create.language, secrets.token_hex(10), secrets.token_hex(10))
    hearing.store.people.add(hearing.person)
    hearing.book.write(number, events)
    return {"kind": "created", "id": number, "public": public, "join_address": join_address(hearing, number), **created(hearing.game)}


def _proposed(proposal: Proposal) -> Facts:
    """4.4: nothing is opened; what was recorded for so many players, or for how many there is something."""
    parties = [
        {"numbers": list(numbers), "composition": [list(entry) for entry in composition]} for numbers, composition in proposal.parties
    ]
    sizes = sorted(set(map(size, PARTIES.values())))
    return {"kind": "proposed", "players": proposal.players, "parties": parties, "sizes": sizes}


def join_address(hearing: "Hearing", number: int) -> str:
    """Where players apply: the game's own address, where the provider has plus addresses."""
    local, _, domain = hearing.config.mail.address.partition("@")
    return f"{local}+g{number}@{domain}" if hearing.config.mail.plus else hearing.config.mail.address


def _announce(hearing: "Hearing", line: Line, story: bool = False) -> int:
    """To all players at once; how many they are."""
    words = hearing.publishable(line)
    if not words:
        raise Refused(Why.EMPTY)
    game = hearing.game
    people = in_seat_order(game)
    facts = {"text": words, "story": story}
    hearing.book.send(hearing.seat.game, [(game, Letter(who, "announce", facts, public_thread(game))) for who in people])
    return len(people)


def _tell_story(hearing: "Hearing", line: Line) -> Facts:
    """5.3: by Night it waits for the morning, at any other time everybody reads it at once."""
    if hearing.game.phase.stage not in (Stage.NIGHT, Stage.ZERO):
        return {"kind": "story_told", "count": _announce(hearing, line, story=True)}
    words = hearing.publishable(line)
    if not words:
        raise Refused(Why.EMPTY, "5.3")
    _decide(hearing, WriteStory(words))
    return {"kind": "story_host"}
