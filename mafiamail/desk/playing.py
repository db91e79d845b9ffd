"""What players ask: votes, orders, talk, leaving."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mafiamail.desk import confirming, joining
from mafiamail.desk.mistakes import Unsaid
from mafiamail.desk.naming import named
from mafiamail.desk.own_roles import meant, own_keywords
from mafiamail.game import night
from mafiamail.game.commands import GiveOrder, SayLastWords, Shoot, Unvote, Vote, WriteStory
from mafiamail.game.events import Shot, Voted
from mafiamail.game.model import HOST, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.by_night import family_facts
from mafiamail.letters.letter import Facts, Letter, in_seat_order, names, order_word, public_thread
from mafiamail.letters.understand import Line, NotUnderstood

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

ORDERS = {"BLOCK", "HEAL", "KILL", "CHECK", "RAISE", "RECRUIT"}
LONGEST = 200  # letters of what somebody who is away writes
KEYWORDS = ORDERS | {
    "VOTE",
    "UNVOTE",
    "SAY",
    "FAMILY",
    "LAST WORDS",
    "SHOOT",
    "PASS",
    "STORY",
    "LEAVE",
    "STATUS",
    "LANG",
    "TIMEZONE",
    "DIGEST",
    "AWAY",
    "LUCK",
}


def obey(hearing: "Hearing", line: Line) -> Facts:
    """Raises Refused, Unnamed, Unsaid."""
    match line.keyword:
        case "VOTE":
            return vote(hearing, hearing.seat.who, named(hearing, line))
        case "UNVOTE":
            hearing.book.decide(hearing.seat.game, hearing.seat.who, Unvote(), hearing.at)
            return {"kind": "unvoted"}
        case "SHOOT":
            return shoot(hearing, hearing.seat.who, named(hearing, line))
        case "PASS":
            return order(hearing, hearing.seat.who, "PASS", None)
        case "LAST WORDS":
            words = hearing.publishable(line)
            hearing.book.decide(hearing.seat.game, hearing.seat.who, SayLastWords(words), hearing.at)
            return {"kind": "words_said"}
        case "SAY":
            return _say(hearing, line)
        case "FAMILY":
            return _tell_family(hearing, line)
        case "STORY":
            return _write_story(hearing, line)
        case "LUCK":
            return joining.try_luck(hearing, line)
        case "AWAY":
            return _away(hearing, line)
        case "LEAVE":
            return confirming.ask_to_leave(hearing)
    if line.keyword in ORDERS:
        return order(hearing, hearing.seat.who, line.keyword, named(hearing, line))
    if line.keyword in own_keywords(hearing.game):  # 1.3
        keyword = meant(hearing.game, hearing.seat.who, line.keyword)
        return order(hearing, hearing.seat.who, keyword, named(hearing, line))
    raise Refused(Why.NOT_HOST)


def with_story_first(items: Sequence[Line | NotUnderstood]) -> Sequence[Line | NotUnderstood]:
    """The story of a kill may stand under the order, which may be the last of the Night. What is not understood keeps its place."""
    if not all(isinstance(item, Line) for item in items):
        return items
    return sorted(items, key=lambda item: not (isinstance(item, Line) and item.keyword in ("GAME", "STORY")))


def _name(hearing: "Hearing", who: Who) -> str:
    return hearing.game.players[who].character


def vote(hearing: "Hearing", who: Who, whom: Who) -> Facts:
    name = _name(hearing, whom)
    events = hearing.book.decide(hearing.seat.game, who, Vote(whom), hearing.at)
    same = not any(isinstance(event, Voted) for event in events)
    return {"kind": "voted", "name": name, "locked": hearing.game.settings.variant == "two", "same": same}


def order(hearing: "Hearing", who: Who, keyword: str, target: Who | None) -> Facts:
    name = None if target is None else _name(hearing, target)
    family = night.family(hearing.game, who)
    night_number = hearing.game.phase.number
    hearing.book.decide(hearing.seat.game, who, GiveOrder(keyword, target), hearing.at)
    game = hearing.game
    still = game.phase.stage in (Stage.NIGHT, Stage.ZERO) and game.phase.number == night_number
    together = still and len(family) > 1 and night.shares(game, game.players[who]) and game.phase.stage is Stage.NIGHT
    standing = family_facts(game, who) if together else None
    word = order_word(game, who, keyword)
    return {"kind": "ordered", "keyword": word, "name": name, "family": standing, "closed": not still}


def shoot(hearing: "Hearing", who: Who, whom: Who) -> Facts:
    name = _name(hearing, whom)
    events = hearing.book.decide(hearing.seat.game, who, Shoot(whom), hearing.at)
    return {"kind": "shot" if any(isinstance(event, Shot) for event in events) else "shoot_ahead", "name": name}


def _say(hearing: "Hearing", line: Line) -> Facts:
    """1.5: by Day every living player; 5.2: under the character's name, built anew from text."""
    player = hearing.game.players[hearing.seat.who]
    over = hearing.game.phase.stage is Stage.OVER  # 1.5: then everybody may talk again
    if not player.alive and not over:
        raise Refused(Why.DEAD, "1.5")
    if hearing.game.phase.stage is not Stage.DAY and not over:
        raise Unsaid(line.argument.strip(), "night")
    words = hearing.publishable(line)
    if not words:
        raise Refused(Why.EMPTY, "1.5")
    thread, game = public_thread(hearing.game), hearing.game
    letters = [(game, Letter(who, "post", {"name": player.character, "text": words}, thread)) for who in [*in_seat_order(game), HOST]]
    hearing.book.send(hearing.seat.game, letters)
    return {"kind": "said"}


def _tell_family(hearing: "Hearing", line: Line) -> Facts:
    """2.8: members talk among themselves through the host, by Day and Night."""
    game, who = hearing.game, hearing.seat.who
    others = [other for other in night.family(game, who) if other != who]
    if not game.players[who].alive:
        raise Refused(Why.DEAD, "1.5")
    if not others:
        raise Refused(Why.NOT_YOURS, keyword="FAMILY")
    words = hearing.publishable(line)
    if not words:
        raise Refused(Why.EMPTY, "2.8")
    facts = {"name": game.players[who].character, "text": words, "members": names(game, night.family(game, who)), "story": False}
    hearing.book.send(hearing.seat.game, [(game, Letter(other, "family", facts)) for other in others])
    return {"kind": "told_family", "names": names(game, others)}


def _write_story(hearing: "Hearing", line: Line) -> Facts:
    """5.3: told in the morning, if it is the writer's own kill, or his family's."""
    words = hearing.publishable(line)
    if not words:
        raise Refused(Why.EMPTY, "5.3")
    hearing.book.decide(hearing.seat.game, hearing.seat.who, WriteStory(words), hearing.at)
    return {"kind": "story_kept", "family": len(night.family(hearing.game, hearing.seat.who)) > 1}


def _away(hearing: "Hearing", line: Line) -> Facts:
    """The rules know no leave (3.1.7, 3.2.3): the host is told, and what was written is shown to nobody else."""
    game, player = hearing.game, hearing.game.players[hearing.seat.who]
    if game.phase.stage is Stage.OVER:
        raise Refused(Why.OVER)
    if not player.alive:
        raise Refused(Why.DEAD, "1.5")
    written = " ".join(line.text.split())[:LONGEST]
    facts: Facts = {"what": "away", "name": player.character, "address": "", "line": written}
    hearing.book.send(hearing.seat.game, [(game, Letter(HOST, "host_news", facts, "host"))])
    rule = "" if not game.settings.absence else "3.2.3" if game.settings.variant == "two" else "3.1.7"
    return {"kind": "away", "rule": rule, "line": written}
