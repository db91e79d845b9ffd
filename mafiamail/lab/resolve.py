"""`mafiamail resolve`: the rules alone, on a night, a Day or a whole game that is written down in YAML."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from mafiamail.game import clock, night, victory, vote
from mafiamail.game.commands import Command, GiveOrder, SetLimit, Shoot, Vote
from mafiamail.game.decide import decide
from mafiamail.game.duration import format_duration
from mafiamail.game.events import (
    Created,
    Event,
    HostReminded,
    Joined,
    NightResolved,
    Removed,
    Shot,
    Started,
    VoteClosed,
)
from mafiamail.game.evolve import evolve, fold, with_players
from mafiamail.game.model import HOST, Fate, Game, OwnRole, Settings, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.game.role import named
from mafiamail.lab.documents import BadCase, DayCase, DayEvent, GameCase, GamePhase, NightCase, People, documents
from mafiamail.lab.table import shown

__all__ = ["BadCase", "resolve_text", "shown"]

BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
STEP = timedelta(seconds=1)
"""Between two things that a document gives no times for."""

Answer = dict[str, Any]


def resolve_text(text: str, own_roles: tuple[OwnRole, ...] = ()) -> list[Answer]:
    """One answer for each YAML document, in order, with its `case` if it has one; `own_roles`: those of the host (1.3). Raises BadCase."""
    answers = []
    for document in documents(text, own_roles):
        answer = {} if document.title is None else {"case": document.title}
        match document.case:
            case NightCase() as asked:
                answer.update(resolve_night(asked))
            case DayCase() as asked:
                answer.update(resolve_day(asked))
            case GameCase() as asked:
                answer.update(resolve_game(asked))
        answers.append(answer)
    return answers


def seated(people: People, settings: Settings) -> Game:
    """A game in which these people sit in the order of the file, before its first phase."""
    roles = {**people.living, **people.dead}
    log: list[Event] = [Created(BEGIN, "", "", "en", "UTC", settings, (), "0" * 64, people.own_roles)]
    log += [Joined(BEGIN, name, name, "", "") for name in roles]
    log.append(Started(BEGIN, {name: f"mafia{place:04d}" for place, name in enumerate(roles)}, roles))
    game = fold(log)
    return with_players(game, {who: one.but(fate=Fate.KILLED) if who in people.dead else one for who, one in game.players.items()})


def refusal(who: Who, at: timedelta, refused: Refused) -> Answer:
    return {"at": format_duration(at), "who": who, "why": refused.why.value, "rule": refused.rule}


# A night


def resolve_night(asked: NightCase) -> Answer:
    game = seated(asked.people, asked.settings)
    game = clock.begin(clock.Course(game), BEGIN, Stage.NIGHT, 1).game
    game, refused = give(game, asked.orders)
    resolved = night.resolve(game, game.now)
    return night_answer(resolved, refused, victory.winner(evolve(game, resolved)))


def give(game: Game, orders: tuple[tuple[Who, Who | None], ...]) -> tuple[Game, list[Answer]]:
    """The game with these orders given, one after another; those refused as entries of `explained`."""
    refused: list[Answer] = []
    for who, target in orders:
        at = game.now + STEP
        try:
            game = fold(decide(game, who, GiveOrder(_keyword(game, who, target), target), at), game)
        except Refused as no:
            refused.append({"who": who, "target": target, "did": "none", "why": no.why.value, "rule": no.rule})
    return game, refused


def _keyword(game: Game, who: Who, target: Who | None) -> str:
    power = named(game, game.players[who].role).power
    return "PASS" if target is None else power.keyword if power else "KILL"


def night_answer(resolved: NightResolved, refused: list[Answer], winner: str | None) -> Answer:
    without = {entry["who"] for entry in refused}
    deeds = [
        {"who": deed.who, "target": deed.target, "did": deed.did, "why": deed.why, "rule": deed.rule}
        for deed in resolved.deeds
        if deed.why != "no order" or deed.who not in without
    ]
    return {
        "died": {who: list(sides) for who, sides in resolved.died.items()},
        "saved": list(resolved.saved),
        "revived": list(resolved.revived),
        "recruited": list(resolved.recruited),
        "told": {
            who: dossier and {"about": dossier.about, "role": dossier.role, "killed_by": list(dossier.killed_by)}
            for who, dossier in resolved.told.items()
        },
        "winner": winner,
        "explained": deeds + refused,
    }


# A Day


def resolve_day(asked: DayCase) -> Answer:
    game = seated(asked.people, asked.settings)
    game = clock.begin(clock.Course(game), BEGIN, Stage.DAY, 1).game
    closed: VoteClosed | None = None
    refused: list[Answer] = []
    for event in asked.happened:
        at = BEGIN + event.at
        if closed is None:
            game, closed = until_closed(game, at)
        try:
            game = fold(_wished(game, event, at, closed), game)
        except Refused as no:
            refused.append(refusal(event.vote[0] if event.vote else HOST, event.at, no))
        if closed is None:
            game, closed = until_closed(game, at)
    if closed is None:
        game, closed = until_closed(game, None)
    return day_answer(game, closed, BEGIN, refused)


def _wished(game: Game, event: DayEvent, at: datetime, closed: VoteClosed | None) -> tuple[Event, ...]:
    if closed is not None:  # 3.1.5
        raise Refused(Why.TOO_LATE, "3.2.2" if game.settings.variant == "two" else "3.1.5")
    if event.limit is not None:
        return decide(game, HOST, SetLimit(event.limit), at)
    return _voted(game, *event.vote, at) if event.vote else ()


def _voted(game: Game, who: Who, whom: Who | None, at: datetime) -> tuple[Event, ...]:
    if whom is None:
        raise Refused(Why.NO_VOTE, "1.7")
    return decide(game, who, Vote(whom), at)


def until_closed(game: Game, until: datetime | None) -> tuple[Game, VoteClosed | None]:
    """The clock runs to the close of the vote, but not beyond `until`; None if the vote is still open then. A revote is still the vote."""
    while (moment := clock.due(game)) is not None and (until is None or moment <= until):
        happened = clock.tick(game)
        if until is None and isinstance(happened[0], HostReminded):  # 3.1.2: only the host can end this Day
            break
        for event in happened:
            if isinstance(event, VoteClosed) and not event.candidates:
                return game, event
            game = evolve(game, event)
    return game, None


def day_answer(game: Game, closed: VoteClosed | None, began: datetime, refused: list[Answer]) -> Answer:
    """`game` as it is before the close. Times are from the beginning of the Day."""
    if closed is None:
        silent = [who for who, player in game.players.items() if player.alive and who not in game.ballots]
        votes = vote.tally(game)
        return {"closes": None, "why": "open", "tally": _lists(votes), "executed": [], "silent": silent, "refused": refused}
    return {
        "closes": format_duration(closed.at - began),
        "why": ("two days" if game.settings.variant == "two" else "host limit") if closed.why == "revote" else closed.why,
        "tally": _lists(closed.tally),
        "executed": list(closed.executed),
        "silent": list(closed.silent),
        "refused": refused,
    }


def _lists(votes: Mapping[Who, tuple[Who, ...]]) -> dict[Who, list[Who]]:
    return {whom: list(voters) for whom, voters in votes.items()}


# A game


def resolve_game(asked: GameCase) -> Answer:
    phases = asked.phases
    settings = replace(asked.settings, begins="night" if phases and phases[0].night else "day")
    game = seated(asked.people, settings)
    game = clock.first(clock.Course(game), BEGIN).game
    answers: list[Answer] = []
    log: list[Event] = []
    for phase in phases:
        if game.phase.stage is Stage.OVER:
            break
        if phase.night is not (game.phase.stage is Stage.NIGHT):
            raise BadCase(phase.line, f"here comes a {'day' if phase.night else 'night'}: Days and Nights take turns")
        game, happened, answer = play_night(game, phase) if phase.night else play_day(game, phase)
        answers.append(answer)
        log += happened
    return {
        "executed": [who for event in log if isinstance(event, VoteClosed) for who in event.executed],
        "shot": [event.whom for event in log if isinstance(event, Shot)],
        "died": [who for event in log if isinstance(event, NightResolved) for who in event.died],
        "removed": [event.who for event in log if isinstance(event, Removed)],
        "alive": [who for who, player in game.players.items() if player.alive],
        "winner": game.winner,
        "phases": answers,
    }


Played = tuple[Game, list[Event], Answer]


def play_night(game: Game, phase: GamePhase) -> Played:
    """The orders one after another, then the clock to the end of the Night."""
    began = game.phase
    log: list[Event] = []
    refused: list[Answer] = []
    for who, target in phase.sent:
        at = game.now + STEP
        game = _until(game, at, log)
        try:
            if game.phase != began:
                raise Refused(Why.TOO_LATE, "3.2.2" if game.settings.variant == "two" else "3.1.8")
            game = _sent(game, who, GiveOrder(_keyword(game, who, target), target), at, log)
        except Refused as no:
            refused.append({"who": who, "target": target, "did": "none", "why": no.why.value, "rule": no.rule})
    game = _to_end(game, Stage.NIGHT, log)
    resolved = next(event for event in log if isinstance(event, NightResolved))
    return game, log, {**night_answer(resolved, refused, game.winner), "removed": _removed(log)}


def play_day(game: Game, phase: GamePhase) -> Played:
    """The votes one after another, the clock to the end of the vote, the shots, and the clock to the end of the Day."""
    began = game.phase.began
    log: list[Event] = []
    refused: list[Answer] = []

    def send(who: Who, whom: Who | None, shot: bool) -> None:
        nonlocal game
        at = game.now + STEP
        game = _until(game, at, log)
        try:
            game = _sent(game, who, _day_command(game, who, whom, shot), at, log)
        except Refused as no:
            refused.append(refusal(who, at - began, no))

    for who, whom, shot in _day_sent(game, phase):
        send(who, whom, shot)
    game = _to_end(_limited(game), Stage.DAY, log)
    for who, whom in phase.shots.items() if game.settings.last_words else ():
        send(who, whom, True)
    game = _to_end(game, Stage.LAST_WORDS, log)
    closed = next(event for event in log if isinstance(event, VoteClosed) and not event.candidates)
    shots = [event.whom for event in log if isinstance(event, Shot)]
    return game, log, {**day_answer(game, closed, began, refused), "shot": shots, "removed": _removed(log)}


def _day_command(game: Game, who: Who, whom: Who | None, shot: bool) -> Command:
    """A vote while the vote is open; a shot beforehand where there are no windows, else from the executed alone."""
    if whom is None:
        raise Refused(Why.NO_VOTE, "1.7")
    if shot:
        if game.settings.last_words and game.players[who].alive:
            raise Refused(Why.NOT_NOW, "2.13")
        return Shoot(whom)
    if game.phase.stage is not Stage.DAY:
        raise Refused(Why.TOO_LATE, "3.2.2" if game.settings.variant == "two" else "3.1.5")
    return Vote(whom)


def _day_sent(game: Game, phase: GamePhase) -> list[tuple[Who, Who | None, bool]]:
    """(who, whom, whether it is a shot): without windows a shot counts only when it was ordered beforehand (2.13)."""
    ahead = [] if game.settings.last_words else [(who, whom, True) for who, whom in phase.shots.items()]
    return ahead + [(who, whom, False) for who, whom in phase.sent]


def _until(game: Game, at: datetime, log: list[Event]) -> Game:
    """What is due before a command that comes at this moment."""
    game, happened = clock.run(game, at)
    log += happened
    return game


def _sent(game: Game, who: Who, command: Command, at: datetime, log: list[Event]) -> Game:
    """One command, and what the clock makes of it at once."""
    wished = decide(game, who, command, at)
    log += wished
    return _until(fold(wished, game), at, log)


def _to_end(game: Game, stage: Stage, log: list[Event]) -> Game:
    """The clock runs while this stage does."""
    while game.phase.stage is stage:
        happened = clock.tick(game)
        game = fold(happened, game)
        log += happened
    return game


def _limited(game: Game) -> Game:
    """3.1.2: where nothing else would end the Day, the host sets the earliest limit that he may."""
    if game.phase.stage is not Stage.DAY or clock.ends(game) is not None or not vote.missing(game):
        return game
    earliest = max(game.now - game.phase.began + game.settings.limit_notice, game.settings.limit_earliest)
    return fold(decide(game, HOST, SetLimit(earliest), game.now), game)


def _removed(log: list[Event]) -> list[Who]:
    return [event.who for event in log if isinstance(event, Removed)]
