"""Events to letters: who learns what. Secrecy is decided here and in by_night.py; receipts (receipt.py) tell a writer only his own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from mafiamail.game import clock, night, story, vote
from mafiamail.game.events import (
    Event,
    Extended,
    ExtraTimeBegan,
    GameOver,
    HostClosed,
    HostReminded,
    Joined,
    LeaveAsked,
    LimitSet,
    NightResolved,
    Ordered,
    Paused,
    PhaseBegan,
    QuietWarned,
    Reminded,
    Removed,
    Resumed,
    SettingChanged,
    Shot,
    Spoke,
    StoryWritten,
    TwilightBegan,
    Undone,
    VoteClosed,
    Withdrew,
)
from mafiamail.game.evolve import evolve, fold
from mafiamail.game.model import HOST, Fate, Game, Stage, Who
from mafiamail.game.role import named
from mafiamail.letters import by_night, chronicle
from mafiamail.letters.letter import (
    Facts,
    Letter,
    gone,
    in_seat_order,
    instant,
    living,
    names,
    nightly,
    own_role,
    phase_facts,
    public_thread,
    tally_facts,
)
from mafiamail.letters.settings import absence, differing, intervals, shown
from mafiamail.letters.settings import own_role as one_own_role


@dataclass(slots=True)
class _News:
    """What has happened since people were last written to, for the letter that opens the next phase."""

    night: NightResolved | None = None
    removed: list[Facts] = field(default_factory=list)
    stories: list[Facts] = field(default_factory=list)
    early: bool = False  # the host has ended the phase before its time (3.3.3)


def compose(before: Game, events: Sequence[Event], history: Callable[[], Sequence[Event]]) -> list[tuple[Game, Letter]]:
    """The letters that these events cause, in order, each with the game as it was then. `history` is the log before them."""
    letters: list[tuple[Game, Letter]] = []
    news, game = _News(), before
    for position, event in enumerate(events):
        earlier, game = game, evolve(game, event)
        match event:
            case GameOver():
                written, news = _over(game, event, news, [*history(), *events[: position + 1]]), _News()
            case Undone():
                log = [*history(), *events[: position + 1]]
                game = fold(log)
                written = _notice(game, "redone" if isinstance(log[event.back_to], Undone) else "undone")
            case PhaseBegan():
                coming = events[position + 1] if position + 1 < len(events) else None
                begun = evolve(game, coming) if isinstance(coming, LimitSet) else game  # 3.1.2: one letter tells of both
                letters.extend((begun, letter) for letter in _phase_began(earlier, begun, event, news))
                continue
            case LimitSet() if position and isinstance(events[position - 1], PhaseBegan):
                continue
            case VoteClosed():
                letters.extend((_with_window(game, events[position + 1 :]), letter) for letter in _vote_closed(game, event, news))
                continue
            case Ordered():
                last = any(isinstance(coming, NightResolved) for coming in events[position + 1 :])
                written = by_night.family_order(game, event, last)
            case _:
                written = _told(earlier, game, event, news)
        letters.extend((game, letter) for letter in written)
    if news.removed:  # at once, not at a change of phase (3.3.2)
        letters.extend((game, letter) for letter in _notice(game, "removed", removed=news.removed))
    return letters


def _told(earlier: Game, game: Game, event: Event, news: _News) -> Iterator[Letter]:
    match event:
        case Joined():
            facts = {"name": event.character, "description": event.description, **signup_facts(game)}
            yield Letter(HOST, "host_joined", facts, "host")
        case Withdrew():
            yield Letter(HOST, "host_left", {"name": earlier.players[event.who].character, **signup_facts(game)}, "host")
        case LeaveAsked() if event.fate is Fate.LEFT:
            yield Letter(HOST, "host_left", {"name": game.players[event.who].character, **signup_facts(game)}, "host")
        case Reminded():
            yield from _reminded(game)
        case Spoke():
            yield from _to_all(game, "words_said", {"name": game.players[event.who].character, "words": event.words})
        case Shot():
            yield from _to_all(game, "shot", {"name": game.players[event.who].character, "whom": _known(game, event.whom)})
        case StoryWritten():
            yield from by_night.family_story(game, event)
        case NightResolved():
            news.night, news.stories = event, _stories(game, story.told(earlier, event))
            yield from by_night.morning_letters(game, event)
        case Removed():
            news.removed.append(gone(game, event.who, event.fate))
        case _:
            yield from _clock_told(game, event, news)


def _clock_told(game: Game, event: Event, news: _News) -> Iterator[Letter]:
    """What time or the host does to the running phase: 1.7 says to whom."""
    match event:
        case HostClosed():
            news.early = event.early
        case HostReminded():
            yield Letter(HOST, "host_trouble", {"what": "only_you", "about": "", "detail": ""}, "host")
        case QuietWarned():
            yield Letter(
                HOST,
                "host_trouble",
                {"what": "quiet", "about": "", "detail": "", "days": event.days, "draw": game.settings.quiet_draw},
                "host",
            )
        case SettingChanged() if game.players:
            yield from _notice(game, "setting", host=False, setting=[event.name, shown(getattr(game.settings, event.name))])
        case LimitSet() | TwilightBegan() | ExtraTimeBegan() | Extended() | Paused() | Resumed():
            yield from _notice(game, _NOTICES[type(event)])
        case _:
            return


_NOTICES: dict[type[Event], str] = {
    LimitSet: "limit",
    TwilightBegan: "twilight",
    ExtraTimeBegan: "extra_time",
    Extended: "extended",
    Paused: "paused",
    Resumed: "resumed",
}


def _notice(game: Game, what: str, host: bool = True, **facts: object) -> Iterator[Letter]:
    """A short public letter: the end of the phase has moved, or somebody is out at once."""
    yield from _to_all(
        game, "notice", {"what": what, "ends": instant(clock.ends(game)), "limit": game.limit is not None, "removed": [], **facts}, host
    )


def signup_facts(game: Game) -> Facts:
    return {"have": len(game.players), "need": sum(number for _, number in game.composition)}


def _to_all(game: Game, kind: str, facts: Facts, host: bool = True) -> Iterator[Letter]:
    """The same public letter to every player, dead or alive, and to the host."""
    thread = public_thread(game)
    for who in in_seat_order(game):
        yield Letter(who, kind, facts, thread)
    if host:
        yield Letter(HOST, kind, facts, thread)


def _known(game: Game, who: Who) -> Facts:
    """A dead player, with what `reveal` lets everybody know of him (4.3)."""
    player = game.players[who]
    known = {"nothing": None, "side": {"side": player.side}, "role": {"role": player.role}}[game.settings.reveal]
    return {"name": player.character, "known": known}


# the start


def started(game: Game) -> Iterator[Letter]:
    """To the host alone: who is who."""
    roles = [
        {"name": player.character, "seat": player.seat, "role": player.role}
        for player in (game.players[who] for who in in_seat_order(game))
    ]
    yield Letter(HOST, "host_started", {"roles": roles}, "host")


def role_letters(game: Game) -> Iterator[Letter]:
    """4.1: to everybody, citizens too, of one shape; sent once the first phase has begun, so that they can tell its end."""
    for who in in_seat_order(game):
        yield role_letter(game, who)


def role_letter(game: Game, who: Who, newcomer: bool = False) -> Letter:
    """`newcomer`: he takes the place of another while the game runs."""
    player = game.players[who]
    family = [other for other in night.family(game, who) if other != who]  # 1.6
    facts = {
        "newcomer": newcomer,
        "players": len(game.players),
        "composition": [list(entry) for entry in game.composition],
        "own_roles": own_roles(game),
        "differs": differing(game.settings),
        "variant": game.settings.variant,
        "seal": chronicle.seal(game),
        "digests": [[game.players[one].seat, game.players[one].digest] for one in in_seat_order(game)],
        "role": player.role,
        "side": player.side,
        "pistol": named(game, player.role).pistol,
        "window": bool(game.settings.last_words),
        "victory": game.settings.victory,
        "family_orders": game.settings.family_orders if night.shares(game, player) else "",
        "waits": bool(night.keywords(game, who)) and game.phase.stage is Stage.ZERO,  # 2.16
        "family": names(game, family),
        "keywords": nightly(game, who),
        "own": one_own_role(own) if (own := own_role(game, who)) else {},
        "first": phase_facts(game),
    }
    return Letter(who, "role", facts)


# phases


def _phase_began(earlier: Game, game: Game, event: PhaseBegan, news: _News) -> Iterator[Letter]:
    if earlier.phase.stage is Stage.SIGNUP:
        yield from started(game)
        yield from role_letters(game)
    match event.stage:
        case Stage.DAY:
            yield from _day(earlier, game, news)
        case Stage.NIGHT:
            yield from by_night.night_letters(game, news.removed)
        case Stage.LAST_WORDS:
            yield from _window(game)
        case _:
            return
    news.night, news.removed, news.stories, news.early = None, [], [], False


def _day(earlier: Game, game: Game, news: _News) -> Iterator[Letter]:
    facts = {
        "number": game.phase.number,
        "early": news.early,
        "first": earlier.phase.stage in (Stage.SIGNUP, Stage.ZERO),
        **night_facts(game, news.night),
        "removed": news.removed,
        "stories": news.stories,
        "cast": _cast(game) if game.phase.number == 1 else [],
        "alive": names(game, living(game)),
        "tie": game.settings.tie,
        "change": game.settings.variant != "two",
        "ends": instant(clock.ends(game)),
    }
    yield from _to_all(game, "day", facts)


def _stories(game: Game, told: Sequence[tuple[Who | None, str]]) -> list[Facts]:
    return [{"victim": game.players[victim].character if victim else None, "text": words} for victim, words in told]


def _cast(game: Game) -> list[Facts]:
    """5.2: what a character looks like, told with the first Day."""
    return [{"name": player.character, "description": player.description} for player in (game.players[who] for who in in_seat_order(game))]


def night_facts(game: Game, resolved: NightResolved | None) -> Facts:
    """What everybody may know of a Night (4.3): who died and who is back; no save, no block, no failed attempt."""
    if resolved is None:
        return {"night": None, "died": [], "revived": []}
    died = sorted(resolved.died, key=lambda who: game.players[who].seat)
    return {"night": resolved.number, "died": [_known(game, who) for who in died], "revived": names(game, resolved.revived)}


def _window(game: Game) -> Iterator[Letter]:
    for who in in_seat_order(game):
        if who in game.speaking:
            yield Letter(who, "last_words", {"until": instant(clock.ends(game))})


def _reminded(game: Game) -> Iterator[Letter]:
    """3.3.5: by Day to those who have not voted (the vote is public), by Night to all the living in one shape."""
    by_day = game.phase.stage is Stage.DAY
    facts = {
        "stage": game.phase.stage.value,
        "number": game.phase.number,
        "ends": instant(clock.ends(game)),
        "absence": absence(game.settings),
    }
    for who in living(game):
        if not by_day or who not in game.ballots:
            yield Letter(who, "reminder", facts)


def _with_window(game: Game, following: Sequence[Event]) -> Game:
    """The game once the window for last words is open, where one opens: the letter on the vote says until when (2.13)."""
    match following:
        case [PhaseBegan(stage=Stage.LAST_WORDS) as opened, *_]:
            return evolve(game, opened)
    return game


def _vote_closed(game: Game, event: VoteClosed, news: _News) -> Iterator[Letter]:
    facts = {
        "early": news.early,
        "candidates": names(game, event.candidates),  # a revote between these begins (1.8)
        "number": game.phase.number,
        "why": event.why,
        "tally": tally_facts(game, dict(event.tally)),
        "silent": names(game, event.silent),
        "executed": [_known(game, who) for who in event.executed],
        "tied": names(game, leaders) if len(leaders := vote.leaders(event.tally)) > 1 else [],
        "tie": chronicle.tie_rule(game, event),
    }
    yield from _to_all(game, "vote_closed", facts)


# the end


def _over(game: Game, event: GameOver, news: _News, log: Sequence[Event]) -> Iterator[Letter]:
    facts = {
        "winner": event.winner,
        "alone": len({game.players[who].side for who in game.living}) < 2,
        "quiet": game.quiet,
        "dealt": bool(game.living) or any(player.role for player in game.players.values()),
        **night_facts(game, news.night),
        "removed": news.removed,
        "stories": news.stories,
        **chronicle.facts(log),
    }
    facts["chronicle"] = chronicle.record(log)
    thread = public_thread(game)
    for who in [*in_seat_order(game), HOST]:
        yield Letter(who, "over", facts, thread)


def created(game: Game) -> Facts:
    """What the call for players tells (3.1.1, 4.1)."""
    differs = differing(game.settings)
    told = [name for name, _ in differs]
    return {
        "theme": game.theme,
        "players": sum(number for _, number in game.composition),
        "composition": [list(entry) for entry in game.composition],
        "own": own_roles(game),
        "variant": game.settings.variant,
        "intervals": [[name, shown(getattr(game.settings, name))] for name in intervals(game.settings.variant) if name not in told],
        "differs": differs,
        "seal": chronicle.seal(game),
    }


def own_roles(game: Game) -> list[Facts]:
    """1.3: what everybody is told of the host's own roles."""
    return [one_own_role(role) for role in game.own_roles]
