"""Laws that hold in every game, whatever is sent and whenever: replay, one end, no resurrection but the necromancer's, undo."""

from collections.abc import Sequence
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from mafiamail.game import clock, events, night, victory
from mafiamail.game.commands import (
    Close,
    Command,
    Extend,
    GiveOrder,
    GoOn,
    Hear,
    Leave,
    Pause,
    Remove,
    Resume,
    SayLastWords,
    SetLimit,
    Shoot,
    Unvote,
    Vote,
)
from mafiamail.game.events import Event
from mafiamail.game.evolve import evolve, fold
from mafiamail.game.model import HOST, Game, Settings, Stage
from mafiamail.game.refusal import Refused
from mafiamail.game.role import ROLES
from mafiamail.game.setting import defaults, in_variant
from mafiamail.game.undo import undo
from tests.game.table import Table

HOUR = timedelta(hours=1)
PLAYS = 120

tables = st.builds(
    lambda roles, kind: Table({f"P{place}": role for place, role in enumerate(roles)}, kind),
    st.lists(st.sampled_from([*ROLES, "citizen", "citizen", "mafia"]), min_size=2, max_size=9),
    st.builds(
        lambda base, variant: in_variant(base, variant),
        st.builds(
            Settings,
            begins=st.sampled_from(["day", "night"]),
            tie=st.sampled_from(["nobody", "revote", "random", "all"]),
            close_when_decided=st.booleans(),
            unvote=st.booleans(),
            victory=st.sampled_from(["last_side_standing", "parity"]),
            quiet_draw=st.integers(0, 3),
            doctor=st.sampled_from(["free", "no_repeats", "self_once"]),
            family_orders=st.sampled_from(["all", "majority", "last"]),
            last_words=st.sampled_from([timedelta(), 2 * HOUR]),
            self_targets=st.sampled_from(["any", "doctor"]),
            absence=st.integers(0, 2),
            day_limit=st.sampled_from([None, 36 * HOUR]),
            close_early=st.booleans(),
        ),
        st.sampled_from(["one", "two", "chat"]),
    ),
)
moves = st.tuples(st.integers(0, 19), st.integers(0, 8), st.integers(0, 8), st.sampled_from([0, 0, 0, 0.5, 2, 5, 25, 49]))


def command(game: Game, kind: int, who: str, whom: str) -> tuple[str, Command]:
    """What is asked: mostly what the running stage is for, now and then anything."""
    host: list[Command] = [Close(True), Extend(HOUR), Pause(), Resume(), GoOn(), Remove(whom), Remove(whom, now=True), SetLimit(30 * HOUR)]
    if kind >= 18:
        return HOST, host[(kind + len(who) + len(game.ballots)) % len(host)]
    if kind >= 15:
        player: list[Command] = [Leave(), Hear(), Unvote()]
        return who, player[kind - 15]
    if game.phase.stage is Stage.LAST_WORDS:
        return who, Shoot(whom) if kind % 2 else SayLastWords("farewell")
    if game.phase.stage in (Stage.NIGHT, Stage.ZERO):
        keywords = night.keywords(game, who) or ("CHECK",)
        return who, GiveOrder(keywords[0], whom if kind else None)
    return who, Vote(whom) if kind else Shoot(whom)


def play(table: Table, played: Sequence[tuple[int, int, int, float]]) -> None:
    """Every move that is lawful is made; the pause that a move begins is ended by the next one."""
    hours = 0.0
    for kind, a, b, later in played:
        hours += later
        table.at(hours)
        names = list(table.game.players)
        by, asked = command(table.game, kind, names[a % len(names)], names[b % len(names)])
        try:
            table.says(by, asked)
            if table.game.paused is not None and not isinstance(asked, Pause):
                table.host(Resume())
        except Refused:
            continue


@settings(max_examples=PLAYS, deadline=None)
@given(tables, st.lists(moves, max_size=60))
def test_replay_equals_live_and_time_never_goes_back(table: Table, played: list[tuple[int, int, int, float]]) -> None:
    play(table, played)
    assert fold(table.log) == table.game
    moments = [event.at for event in table.log]
    assert moments == sorted(moments)


@settings(max_examples=PLAYS, deadline=None)
@given(tables, st.lists(moves, max_size=60))
def test_1_12_a_winner_is_announced_exactly_once_and_never_missed(table: Table, played: list[tuple[int, int, int, float]]) -> None:
    play(table, played)
    first = next(place for place, event in enumerate(table.log) if isinstance(event, events.PhaseBegan))
    over = [place for place, event in enumerate(table.log) if isinstance(event, events.GameOver)]
    assert over in ([], [len(table.log) - 1])  # nothing happens after the end
    game = fold(table.log[: first + 1])
    for event in table.log[first + 1 :]:
        if isinstance(event, events.PhaseBegan) and event.stage in (Stage.DAY, Stage.NIGHT):
            assert victory.winner(game) is None
        game = evolve(game, event)
    if over and game.winner not in ("draw", None):
        assert game.winner == victory.winner(game)


@settings(max_examples=PLAYS, deadline=None)
@given(tables, st.lists(moves, max_size=60))
def test_2_17_the_living_never_grow_except_by_the_necromancer(table: Table, played: list[tuple[int, int, int, float]]) -> None:
    play(table, played)
    game, living = Game(), 0
    for event in table.log:
        game = evolve(game, event)
        now = sum(player.alive for player in game.players.values())
        if game.phase.stage is not Stage.SIGNUP and living:
            assert now <= living or (isinstance(event, events.NightResolved) and event.revived)
        living = now


@settings(max_examples=PLAYS, deadline=None)
@given(tables, st.lists(moves, max_size=60))
def test_the_clock_never_stands_still_and_always_comes_to_an_end(table: Table, played: list[tuple[int, int, int, float]]) -> None:
    play(table, played)
    moment = clock.due(table.game)
    if moment is not None:
        happened = clock.tick(table.game)
        assert happened
        assert all(event.at == moment for event in happened)
        assert moment >= table.game.now
    quick = clock.advance(table.game, table.now + 100 * HOUR)
    slow: tuple[Event, ...] = ()
    game = table.game
    for hours in range(101):
        game, more = clock.run(game, table.now + hours * HOUR)
        slow += more
    assert quick == slow


@settings(max_examples=PLAYS, deadline=None)
@given(tables, st.lists(moves, max_size=40), st.integers(1, 12))
def test_an_undo_replays_to_the_same_state_and_its_own_undo_is_the_identity(
    table: Table, played: list[tuple[int, int, int, float]], count: int
) -> None:
    play(table, played)
    log, before = list(table.log), table.game
    taken = undo(log, count, table.now)
    undone = fold([*log, taken])
    kept = fold(log[: taken.back_to])
    assert undone.but(paused=None, now=kept.now) == kept.but(paused=None)
    assert undone.paused is not None or undone.phase.stage is Stage.SIGNUP or undone.phase.stage is Stage.OVER
    again = undo([*log, taken], 1, table.now)
    assert fold([*log, taken, again]) == before


@settings(max_examples=40, deadline=None)
@given(tables)
def test_a_game_in_which_nobody_writes_comes_to_its_end_or_stays_open(table: Table) -> None:
    table.at(24 * 60)
    assert clock.due(table.game) is None or clock.due(table.game) > table.now  # type: ignore[operator]
    assert defaults(table.game.settings.variant).variant == table.game.settings.variant
