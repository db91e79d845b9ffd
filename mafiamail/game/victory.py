"""Who has won (1.12), and the draw by quiet days (1.13)."""

from mafiamail.game.model import NOBODY, TOWN, Game, Who
from mafiamail.game.role import named


def winner(game: Game) -> str | None:
    """A side, `nobody` when nobody lives, or None while the game goes on."""
    if not game.living:
        return NOBODY
    camps: dict[tuple[str, str], int] = {}
    parity = game.settings.victory == "parity"
    for who in game.living:
        camp = _camp(game, who)
        camps[camp] = camps.get(camp, 0) + 1
        if len(camps) > 1 and not parity:
            return None
    return next(iter(camps))[0] if len(camps) == 1 else _at_parity(camps)


def _camp(game: Game, who: Who) -> tuple[str, str]:
    """Who wins together; each maniac is a side of his own."""
    player = game.players[who]
    return (player.side, who if named(game, player.role).lone else "")


def _at_parity(camps: dict[tuple[str, str], int]) -> str | None:
    """The only side against the town has won once it is as many as the town."""
    others = [camp for camp in camps if camp[0] != TOWN]
    if len(others) == 1 and 2 * camps[others[0]] >= sum(camps.values()):
        return others[0][0]
    return None


def drawn(game: Game) -> bool:
    """1.13: too many game days in a row without a death."""
    return 0 < game.settings.quiet_draw <= game.quiet


def warned(game: Game) -> bool:
    """1.13: the host is to be told now."""
    return 0 < game.settings.quiet_warning == game.quiet
