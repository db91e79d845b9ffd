"""Who has won (1.12), and the draw by quiet days (1.13)."""

from mafiamail.game.model import NOBODY, TOWN, Game, Who
from mafiamail.game.role import named


def winner(game: Game) -> str | None:
    """A side, `nobody` when nobody lives, or None while the game goes on."""
    if not game.living:
        return NOBODY
    first = _camp(game, game.living[0])
    for who in game.living:
        if _camp(game, who) != first:
            return _at_parity(game) if game.settings.victory == "parity" else None
    return first[0]


def _camp(game: Game, who: Who) -> tuple[str, str]:
    """Who wins together; each maniac is a side of his own."""
    player = game.players[who]
    return (player.side, who if named(game, player.role).lone else "")


def _at_parity(game: Game) -> str | None:
    """The only side against the town has won once it is as many as the town."""
    against = [camp for who in game.living if (camp := _camp(game, who))[0] != TOWN]
    if len(set(against)) == 1 and 2 * len(against) >= len(game.living):
        return against[0][0]
    return None


def drawn(game: Game) -> bool:
    """1.13: too many game days in a row without a death."""
    return 0 < game.settings.quiet_draw <= game.quiet


def warned(game: Game) -> bool:
    """1.13: the host is to be told now."""
    return 0 < game.settings.quiet_warning == game.quiet
