"""A game is the fold of its events. Total: no event raises, whatever the game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import reduce
from typing import Any

from mafiamail.game import absence, events, victory
from mafiamail.game.events import Event
from mafiamail.game.model import Ballot, Fate, Game, Order, Phase, Player, Stage, Who
from mafiamail.game.role import killer, named
from mafiamail.game.undo import stands

PLAYING = (Stage.ZERO, Stage.DAY, Stage.LAST_WORDS, Stage.NIGHT)


def fold(log: Iterable[Event], game: Game | None = None) -> Game:
    """The game after these events. An Undone counts from the beginning of `log`."""
    log = log if isinstance(log, Sequence) else tuple(log)
    begun = Game() if game is None else game
    folded = begun
    for event in log:
        if type(event) is events.Undone:
            return reduce(evolve, stands(log), begun)
        folded = evolve(folded, event)
    return folded


def evolve(game: Game, event: Event) -> Game:
    """The game after one event more."""
    after = _FOLDS[type(event)](game, event)
    if after is game:
        return game.but(now=event.at)
    after.__dict__["now"] = event.at  # nobody else has seen it yet
    return after


def _created(game: Game, event: events.Created) -> Game:
    return game.but(
        name=event.name,
        theme=event.theme,
        language=event.language,
        timezone=event.timezone,
        settings=event.settings,
        composition=event.composition,
        own_roles=event.own_roles,
        seed=event.seed,
    )


def _joined(game: Game, event: events.Joined) -> Game:
    player = Player(event.who, event.character, event.description, event.digest)
    return game.but(players={**game.players, event.who: player})


def _character_changed(game: Game, event: events.CharacterChanged) -> Game:
    return _with(game, event.who, character=event.character, description=event.description)


def _luck_tried(game: Game, event: events.LuckTried) -> Game:
    return _with(game, event.who, digest=event.digest)


def _with(game: Game, who: Who, **changes: Any) -> Game:
    return game.but(players={**game.players, who: game.players[who].but(**changes)}) if who in game.players else game


def _setting_changed(game: Game, event: events.SettingChanged) -> Game:
    return game.but(settings=event.settings)


def _withdrew(game: Game, event: events.Withdrew) -> Game:
    return game.but(players=_without(game.players, event.who))


def _started(game: Game, event: events.Started) -> Game:
    """Players stand in the order of their seats from here on."""
    players = {}
    for who in sorted(game.players, key=lambda who: event.seats.get(who, "")):
        role = event.roles.get(who, "")
        players[who] = game.players[who].but(seat=event.seats.get(who, ""), role=role, side=named(game, role).side)
    return with_players(game, players, calm=game.settings.begins == "day")


def with_players(game: Game, players: Mapping[Who, Player], **changes: Any) -> Game:
    """The game with these players, and those of them who live."""
    return game.but(players=players, living=tuple([who for who, player in players.items() if player.fate is None]), **changes)


_FRESH: dict[str, Any] = {
    "ballots": {},
    "orders": {},
    "stories": {},
    "spoken": {},
    "shot": frozenset(),
    "candidates": (),
    "limit": None,
    "twilight": None,
    "extra": None,
    "extension": timedelta(),
    "reminded": False,
    "acted": frozenset(),
    "cut": False,
}


def _began(game: Game, event: events.PhaseBegan) -> Game:
    phase = Phase(event.stage, event.number, event.at)
    if event.stage is Stage.LAST_WORDS:
        speaking = game.speaking
        if victory.winner(game) is not None:  # 2.13: only a pistol can still change anything
            speaking = frozenset(who for who in speaking if named(game, game.players[who].role).pistol)
        return game.but(phase=phase, speaking=speaking, extension=timedelta(), reminded=False)
    calm = game.calm or game.phase.stage is Stage.NIGHT  # a new game day
    return game.but(phase=phase, speaking=frozenset(), calm=calm, **_FRESH)


def _reminded(game: Game, event: events.Reminded) -> Game:
    return game.but(reminded=True)


def _acted(game: Game, who: Who) -> Game:
    """He has given a sign of life; in the window for last words the vote's absences are already counted."""
    if game.phase.stage is Stage.LAST_WORDS and who in game.players and game.players[who].idle:
        game = game.but(players={**game.players, who: game.players[who].but(idle=0)})
    return game if who in game.acted else game.but(acted=game.acted | {who})


def _voted(game: Game, event: events.Voted) -> Game:
    ballots = dict(game.ballots)
    ballots.pop(event.who, None)  # the order is that of arrival
    ballots[event.who] = Ballot(event.whom, event.at)
    return game.but(ballots=ballots, acted=game.acted | {event.who})


def _unvoted(game: Game, event: events.Unvoted) -> Game:
    return game.but(ballots=_without(game.ballots, event.who))


def _vote_closed(game: Game, event: events.VoteClosed) -> Game:
    if event.candidates:  # 1.8: the Day goes on with one more vote
        phase = replace(game.phase, began=event.at)
        return game.but(**{**_FRESH, "acted": game.acted}, phase=phase).but(candidates=event.candidates)
    if event.why in ("decided", "host"):  # 1.9, 3.2.3
        game = game.but(cut=True)
    players = absence.counted(game, game.players)
    for who in event.executed:
        players[who] = players[who].but(fate=Fate.EXECUTED)
    return with_players(_died(game, bool(event.executed)), players, speaking=frozenset(event.executed))


def _spoke(game: Game, event: events.Spoke) -> Game:
    return game.but(speaking=game.speaking - {event.who}, spoken={**game.spoken, event.who: event.at})


def _shot(game: Game, event: events.Shot) -> Game:
    players = {**game.players, event.whom: game.players[event.whom].but(fate=Fate.SHOT)}
    return with_players(
        _died(game, True),
        players,
        speaking=game.speaking - {event.who},
        spoken={**game.spoken, event.who: game.spoken.get(event.who, event.at)},
        shot=game.shot | {event.who},
        aims=_without(game.aims, event.who),
    )


def _ordered(game: Game, event: events.Ordered) -> Game:
    if event.keyword == "SHOOT":  # 3.2.3: neither a vote nor a night order; 3.1.7: a sign of life
        heard = game if game.settings.variant == "two" else _acted(game, event.who)
        return heard.but(aims={**game.aims, event.who: event.target})
    orders = dict(game.orders)
    orders.pop(event.who, None)  # the order is that of arrival
    orders[event.who] = Order(event.keyword, event.target, event.at)
    return game.but(orders=orders, acted=game.acted | {event.who})


def _story_written(game: Game, event: events.StoryWritten) -> Game:
    return game.but(stories={**_without(game.stories, event.who), event.who: event.words})  # the order is that of arrival


def _night_resolved(game: Game, event: events.NightResolved) -> Game:
    """`healed` is what `doctor: no_repeats | self_once` must know; a blocked order counts, or its refusal would tell of the block."""
    if game.phase.stage is Stage.ZERO:
        spent = {who: game.players[who].but(uses=game.players[who].uses + 1) for who in event.spent}
        return game.but(players={**game.players, **spent}) if spent else game
    players = absence.counted(game, game.players)
    for who, player in players.items():
        order = game.orders.get(who)
        if order is not None and order.keyword == "HEAL":
            players[who] = player.but(healed=order.target, self_healed=player.self_healed or order.target == who)
        elif player.healed is not None:
            players[who] = player.but(healed=None)
    for who in event.spent:
        players[who] = players[who].but(uses=players[who].uses + 1)
    for who in event.died:
        players[who] = players[who].but(fate=Fate.KILLED)
    for who in event.revived:  # 2.17: all powers anew
        players[who] = players[who].but(fate=None, leaving=None, idle=0, uses=0, healed=None, self_healed=False)
    for who in event.recruited:  # 2.18
        players[who] = _recruit(game, players[who], event)
    aims = {who: whom for who, whom in game.aims.items() if who not in event.revived} if event.revived else game.aims
    game = with_players(_died(game, bool(event.died)), players, aims=aims)
    return game.but(quiet=game.quiet + 1) if game.calm else game  # 1.13: the game day is over


def _recruit(game: Game, citizen: Player, event: events.NightResolved) -> Player:
    """He takes the side of his recruiter and the role that names its victim."""
    for deed in event.deeds:
        if deed.did == "recruit" and deed.target == citizen.who and deed.why == "done":
            side = named(game, game.players[deed.who].role).side
            return citizen.but(side=side, role=killer(game, side) or citizen.role)
    return citizen


def _leave_asked(game: Game, event: events.LeaveAsked) -> Game:
    return game.but(players={**game.players, event.who: game.players[event.who].but(leaving=event.fate)})


def _removed(game: Game, event: events.Removed) -> Game:
    """His vote, his orders and the votes for him are void (3.3.2); who voted for him is missing again, so there is no twilight."""
    players = {**game.players, event.who: game.players[event.who].but(fate=event.fate)}
    ballots = {who: ballot for who, ballot in game.ballots.items() if event.who not in (who, ballot.whom)}
    twilight = game.twilight if all(who in ballots for who in game.living if who != event.who) else None
    return with_players(
        _died(game, True),
        players,
        ballots=ballots,
        orders=_without(game.orders, event.who),
        stories=_without(game.stories, event.who),
        aims=_without(game.aims, event.who),
        twilight=twilight,
        extension=game.extension if twilight == game.twilight else timedelta(),  # 3.3.3: it was the twilight's
    )


def _game_over(game: Game, event: events.GameOver) -> Game:
    return game.but(phase=Phase(Stage.OVER, game.phase.number, event.at), winner=event.winner, speaking=frozenset(), paused=None)


def _limit_set(game: Game, event: events.LimitSet) -> Game:
    return game.but(limit=event.after, extension=game.extension if game.twilight else timedelta(), reminded=False)


def _twilight_began(game: Game, event: events.TwilightBegan) -> Game:
    """An extension so far belonged to the host limit (3.3.3)."""
    limit = None if game.limit is None else game.limit + game.extension
    return game.but(twilight=event.at, limit=limit, extension=timedelta())


def _extra_time_began(game: Game, event: events.ExtraTimeBegan) -> Game:
    return game.but(extra=event.at, extension=timedelta())


def _extended(game: Game, event: events.Extended) -> Game:
    """In twilight a limit may run as well (3.1.3): whichever comes first is moved, and the other no longer comes before it."""
    settings, extension, limit = game.settings, game.extension + event.by, game.limit
    if game.twilight is not None and game.extra is None and limit is not None:
        dusk = game.twilight + settings.twilight + game.extension - game.phase.began
        end = (min(dusk, limit) if settings.close_early else limit) + event.by
        extension, limit = game.extension + max(timedelta(), end - dusk), max(limit, end)
    return game.but(extension=extension, limit=limit, reminded=False)


def _host_closed(game: Game, event: events.HostClosed) -> Game:
    return game.but(cut=True)


def _paused(game: Game, event: events.Paused) -> Game:
    return game.but(paused=event.at)


def _resumed(game: Game, event: events.Resumed) -> Game:
    return game if game.paused is None else _stood_still(game, game.paused, event.at)


def _stood_still(game: Game, since: datetime, until: datetime) -> Game:
    """3.3.4: whatever was running goes on with what was left."""

    def later(moment: datetime | None) -> datetime | None:
        return moment and moment + (until - max(since, moment))

    began = later(game.phase.began) or game.phase.began
    phase = replace(game.phase, began=began)
    return game.but(paused=None, phase=phase, twilight=later(game.twilight), extra=later(game.extra))


def _heard(game: Game, event: events.Heard) -> Game:
    return _acted(game, event.who)


def _told_host(game: Game, event: events.HostReminded | events.QuietWarned) -> Game:
    return game


def _went_on(game: Game, event: events.WentOn) -> Game:
    return game.but(quiet=0)


def _undone(game: Game, event: events.Undone) -> Game:
    if game.phase.stage not in PLAYING:
        return game
    if event.again:
        return game if game.paused is not None else _stood_still(game, event.since, event.at)
    return game.but(paused=game.paused or event.since)


def _died(game: Game, somebody: bool) -> Game:
    return game.but(quiet=0, calm=False) if somebody else game


def _without(entries: Any, who: Who) -> Any:
    return {key: entry for key, entry in entries.items() if key != who} if who in entries else entries


_FOLDS: dict[type, Callable[[Game, Any], Game]] = {
    events.Created: _created,
    events.Joined: _joined,
    events.CharacterChanged: _character_changed,
    events.LuckTried: _luck_tried,
    events.SettingChanged: _setting_changed,
    events.Withdrew: _withdrew,
    events.Started: _started,
    events.PhaseBegan: _began,
    events.Reminded: _reminded,
    events.Voted: _voted,
    events.Unvoted: _unvoted,
    events.VoteClosed: _vote_closed,
    events.Spoke: _spoke,
    events.Shot: _shot,
    events.Ordered: _ordered,
    events.StoryWritten: _story_written,
    events.NightResolved: _night_resolved,
    events.LeaveAsked: _leave_asked,
    events.Removed: _removed,
    events.GameOver: _game_over,
    events.LimitSet: _limit_set,
    events.TwilightBegan: _twilight_began,
    events.ExtraTimeBegan: _extra_time_began,
    events.Extended: _extended,
    events.HostClosed: _host_closed,
    events.Paused: _paused,
    events.Resumed: _resumed,
    events.Heard: _heard,
    events.HostReminded: _told_host,
    events.QuietWarned: _told_host,
    events.WentOn: _went_on,
    events.Undone: _undone,
}
