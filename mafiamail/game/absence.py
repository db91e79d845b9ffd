"""Who has not acted in a phase, and who is removed for it (3.1.7, 3.2.3)."""

from collections.abc import Mapping

from mafiamail.game.model import Fate, Game, Player, Stage, Who
from mafiamail.game.night import power_now, spoken_for


def counted(game: Game, players: Mapping[Who, Player]) -> dict[Who, Player]:
    """The players at the end of a Day or Night that is still the running phase, with `idle` carried on.

    To have acted makes it 0. Not to have acted adds one, unless the phase was cut short or is none of his periods; then it stays.
    """
    night = game.phase.stage is Stage.NIGHT
    after = dict(players)
    for who, player in players.items():
        if player.fate is not None:
            continue
        if who in game.acted:
            if player.idle:
                after[who] = player.but(idle=0)
        elif not game.cut and _own_period(game, player, night):
            after[who] = player.but(idle=player.idle + 1)
    return after


def _own_period(game: Game, player: Player, night: bool) -> bool:
    """Variant two: a Night counts only for who has something to do in it that nobody has done for him. Elsewhere every phase counts."""
    if not night or game.settings.variant != "two":
        return True
    return power_now(game, player) is not None and not spoken_for(game, player)


def too_long(game: Game, player: Player) -> bool:
    """Whether he has been away for all that `absence` allows: periods in variant two, else game days of two phases."""
    allowed = game.settings.absence * (1 if game.settings.variant == "two" else 2)
    return 0 < allowed <= player.idle


def leaving(game: Game) -> list[tuple[Who, Fate]]:
    """Who is out at this start of a phase: who leaves, whom the host removes (3.3.2), who was absent too long."""
    out: list[tuple[Who, Fate]] = []
    for who, player in game.players.items():
        if player.fate is not None:
            continue
        if player.leaving is not None:
            out.append((who, player.leaving))
        elif player.idle and too_long(game, player):
            out.append((who, Fate.ABSENT))
    return out
