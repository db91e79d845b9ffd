"""What the scripted players do in a phase: who writes what, and how many minutes after it began."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from mafiamail.demo.cast import CAST, FAMILY_TALK, KEYWORDS, LAST_WORDS, TALK, Actor
from mafiamail.game import night
from mafiamail.game.model import Game, Stage, Who

DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Move:
    """One mail to be written, `minutes` after the phase began. `private`: as an answer to the private letter, not to the thread's."""

    minutes: int
    actor: Actor
    text: str
    private: bool


def actor_of(game: Game, who: Who) -> Actor:
    return next(actor for actor in CAST if actor.name == game.players[who].character)


def moves(game: Game, lot: random.Random, said: set[str] | None = None) -> list[Move]:
    """A phase's mails in order of time. The players know what their letters told them, and guess the rest.

    Nobody says what is in `said`; it grows.
    """
    match game.phase.stage:
        case Stage.DAY:
            planned = _day(game, lot, set() if said is None else said)
        case Stage.NIGHT | Stage.ZERO:
            planned = _night(game, lot)
        case Stage.LAST_WORDS:
            planned = _window(game, lot)
        case _:
            return []
    return sorted(planned, key=lambda move: move.minutes)


def _say(actor: Actor, keyword: str, argument: str = "") -> str:
    word = KEYWORDS[actor.language][keyword]
    return f"{word}: {argument}" if argument else word


def _day(game: Game, lot: random.Random, said: set[str]) -> Iterator[Move]:
    alive = [who for who, player in game.players.items() if player.alive]
    suspects = lot.sample(alive, k=min(3, len(alive)))
    sleeper = lot.choice(alive) if lot.random() < 0.4 else None  # somebody forgets, and two days must pass
    for who in alive:
        actor = actor_of(game, who)
        unsaid = [line for line in TALK[actor.language] if line not in said]
        if unsaid and lot.random() < 0.3:
            said.add(unsaid[0])
            yield Move(lot.randrange(20, 12 * 60), actor, _say(actor, "SAY", unsaid[0]), False)
        if who != sleeper:
            others = [suspect for suspect in suspects if suspect != who and not _kin(game, who, suspect)]
            whom = lot.choice(others or [other for other in alive if other != who])
            yield Move(lot.randrange(60, DAY + 12 * 60), actor, _say(actor, "VOTE", game.players[whom].character), lot.random() < 0.3)


def _kin(game: Game, who: Who, other: Who) -> bool:
    return other in night.family(game, who)


def _night(game: Game, lot: random.Random) -> Iterator[Move]:
    alive = [who for who, player in game.players.items() if player.alive]
    victims: dict[str, Who] = {}
    for who in alive:
        actor, keywords = actor_of(game, who), [word for word in night.keywords(game, who) if word != "PASS"]
        if not keywords:
            continue
        strangers = [other for other in alive if other != who and not _kin(game, who, other)]
        target = lot.choice(strangers)
        if len(night.family(game, who)) > 1:  # one proposes, the others agree
            side = game.players[who].side
            if side not in victims:
                victims[side] = target
                words = FAMILY_TALK[actor.language].format(name=game.players[target].character)
                yield Move(lot.randrange(10, 60), actor, _say(actor, "FAMILY", words), True)
            target = victims[side]
        yield Move(lot.randrange(90, DAY), actor, _say(actor, keywords[0], game.players[target].character), True)


def _window(game: Game, lot: random.Random) -> Iterator[Move]:
    for who in game.speaking:
        actor, player = actor_of(game, who), game.players[who]
        lines = [_say(actor, "LAST WORDS", LAST_WORDS[actor.language])]
        if player.role == "commissar":
            living = [other for other in game.players.values() if other.alive]
            lines.insert(0, _say(actor, "SHOOT", lot.choice(living).character))
        yield Move(lot.randrange(10, 80), actor, "\n".join(lines), True)
