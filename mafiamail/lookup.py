"""`games`, `show` and `log`: where games stand, for the person at the machine. Only `log --secret` tells what players may not know."""

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from mafiamail.game import clock, vote
from mafiamail.game.events import Created, Event, Joined, LuckTried, NightResolved, Ordered, Started, StoryWritten
from mafiamail.game.model import Game, Stage
from mafiamail.letters.letter import in_seat_order, instant, names, tally_facts
from mafiamail.letters.settings import differing
from mafiamail.letters.wording import zone_of
from mafiamail.store import Store, codec

Found = dict[str, Any]
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00")
_SECRET: dict[type[Event], tuple[str, ...]] = {  # what of an event only the host may know
    Created: ("seed",),
    Joined: ("digest",),
    LuckTried: ("digest",),
    Started: ("roles",),
    Ordered: ("who", "keyword", "target"),
    StoryWritten: ("who", "words"),
    NightResolved: ("died", "saved", "recruited", "told", "deeds", "tried", "spent"),
}


def games(store: Store) -> list[Found]:
    return [_summary(store, number) for number in store.log.games()]


def _summary(store: Store, number: int) -> Found:
    game = store.log.game(number)
    ends = None if game.phase.stage in (Stage.SIGNUP, Stage.OVER) else instant(clock.ends(game))
    return {
        "id": number,
        "name": game.name,
        "open": store.log.is_open(number),
        "stage": game.phase.stage.value,
        "number": game.phase.number,
        "ends": ends,
        "paused": game.paused is not None,
        "players": len(game.players),
        "need": sum(count for _, count in game.composition),
        "alive": sum(player.alive for player in game.players.values()),
        "winner": game.winner,
    }


def show(store: Store, number: int) -> Found:
    """What everybody may know: no role before the end, no order."""
    game = store.log.game(number)
    over = game.phase.stage is Stage.OVER
    return _summary(store, number) | {
        "theme": game.theme,
        "language": game.language,
        "timezone": game.timezone,
        "composition": [list(entry) for entry in game.composition],
        "differs": differing(game.settings),
        "seats": [_seat(game, who, over) for who in in_seat_order(game)],
        "tally": tally_facts(game, vote.tally(game)) if game.phase.stage is Stage.DAY else [],
        "silent": names(game, vote.missing(game)),
    }


def _seat(game: Game, who: str, over: bool) -> Found:
    player = game.players[who]
    fate = player.fate and player.fate.value
    seat: Found = {"seat": player.seat, "name": player.character, "alive": player.alive, "fate": fate}
    return seat | ({"role": player.role, "side": player.side} if over else {})


def zone(store: Store, number: int) -> tzinfo:
    """The zone of a game."""
    return zone_of(store.log.game(number).timezone)


def log(store: Store, number: int, secret: bool) -> list[Found]:
    """Every event, undone ones too, with its place; people by their characters."""
    events = store.log.events(number)
    names_of = {event.who: event.character for event in events if isinstance(event, Joined)}
    return [{"seq": seq, "event": type(event).__name__, **_told(event, names_of, secret)} for seq, event in enumerate(events, start=1)]


def _told(event: Event, names_of: dict[str, str], secret: bool) -> Found:
    hidden = () if secret else _SECRET.get(type(event), ())
    told: Found = _named(codec.encode(event), names_of)
    if isinstance(event, NightResolved):
        told["dead"] = [names_of.get(who, who) for who in event.died]
    return {name: value for name, value in told.items() if name not in hidden}


def _named(value: Any, names_of: dict[str, str]) -> Any:
    """Keys of players, wherever they stand, made names."""
    if isinstance(value, dict):
        return {names_of.get(key, key): _named(item, names_of) for key, item in value.items()}
    if isinstance(value, list):
        return [_named(item, names_of) for item in value]
    return names_of.get(value, value) if isinstance(value, str) else value


# for people


def games_shown(found: Sequence[Found]) -> str:
    if not found:
        return "No games yet. A host opens one by mail: NEW GAME."
    return "\n".join(f"{one['id']:>4}  {one['name'][:30]:<30}  {_phase(one):<22}  {_living(one)}".rstrip() for one in found)


def _living(one: Found) -> str:
    return "" if one["stage"] == "signup" else f"{one['alive']} of {one['players']} alive"


def _phase(one: Found) -> str:
    if one["stage"] == "over":
        return f"over: {one['winner'] or 'ended by the host'}"
    if one["stage"] == "signup":
        return f"sign-up {one['players']}/{one['need']}"
    return f"{one['stage']} {one['number']}{', paused' if one['paused'] else ''}"


def game_shown(one: Found) -> str:
    lines = [f"Game {one['id']}: {one['name']}{', ' + one['theme'] if one['theme'] else ''}", f"  {_phase(one)}"]
    if one["ends"]:
        lines.append(f"  ends at the latest {datetime.fromisoformat(one['ends']).astimezone(zone_of(one['timezone'])):%a %d %b, %H:%M %Z}")
    lines.append("  " + ", ".join(role if count == 1 else f"{count} × {role}" for role, count in one["composition"]))
    lines += [f"  {name} = {value}" for name, value in one["differs"]]
    lines += ["", *(f"  {_seat_line(seat)}" for seat in one["seats"])]
    lines += [f"  {entry['name']}: {len(entry['voters'])} ({', '.join(entry['voters'])})" for entry in one["tally"]]
    return "\n".join([*lines, f"  not yet voted: {', '.join(one['silent'])}"] if one["silent"] else lines)


def _seat_line(seat: Found) -> str:
    return f"{seat['seat'] or '–':<8}  {seat['name']:<40}  {seat.get('role', ''):<18}  {seat['fate'] or 'alive'}".rstrip()


def log_shown(found: Sequence[Found], zone: tzinfo) -> str:
    """Times in the zone of the game, which stands behind each."""
    lines = []
    for one in found:
        rest = {
            name: value for name, value in one.items() if name not in ("seq", "event", "at", "settings") and value not in ("", None, [], {})
        }
        told = "  ".join(f"{name}: {_plain(value, zone)}" for name, value in rest.items())
        at = datetime.fromisoformat(one["at"]).astimezone(zone)
        lines.append(f"{one['seq']:>5}  {at:%a %d %b %Y, %H:%M:%S %Z}  {one['event']:<16}  {told}".rstrip())
    return "\n".join(lines)


def _plain(value: Any, zone: tzinfo) -> str:
    """A value of an event for a person: `Ann → 2, Bob → 1`; deeds and dossiers as rows of words."""
    match value:
        case dict():
            return ", ".join(f"{name} → {_plain(item, zone)}" for name, item in value.items())
        case list() if value and all(isinstance(item, dict) for item in value):
            return "; ".join(" ".join(_plain(part, zone) for part in item.values() if part is not None) for item in value)
        case list():
            return ", ".join(_plain(item, zone) for item in value)
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float() if value.is_integer():
            return str(int(value))
        case str() if _INSTANT.fullmatch(value):
            return f"{datetime.fromisoformat(value).astimezone(zone):%a %d %b %Y, %H:%M:%S %Z}"
    return " / ".join(str(value).splitlines())
