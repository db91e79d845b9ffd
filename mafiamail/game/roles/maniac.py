"""Maniac (2.4): each on a side of his own; kills one player a Night, before the families."""

from mafiamail.game.model import MANIAC, Who
from mafiamail.game.power import Killed, Night, Outcome, Power, Saved, Step, nothing_happens
from mafiamail.game.role import Role, named


def kill(night: Night, who: Who, target: Who) -> Outcome:
    if target in night.killed:  # 2.14: possible only for a power that acts after another that kills
        return Outcome("killed earlier", "2.14", done=False)
    if target in night.protected:
        return Outcome("saved", "2.3", Saved(target))
    return Outcome("done", "2.4", Killed(target, named(night.game, night.players[who].role).side))


ROLE = Role("maniac", MANIAC, Power(Step.KILL, "KILL", "2.4", kill, nothing_happens("2.4")), lone=True)
