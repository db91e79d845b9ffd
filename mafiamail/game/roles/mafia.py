"""Mafia (2.6 to 2.9): a family that agrees on one victim. When it acts at all is told in night.py."""

from mafiamail.game.model import MAFIA, Who
from mafiamail.game.power import Killed, Night, Outcome, Power, Saved, Step, nothing_happens
from mafiamail.game.role import Role, named


def kill(night: Night, who: Who, target: Who) -> Outcome:
    if target in night.killed:  # 2.14: the maniac was earlier
        return Outcome("killed earlier", "2.14", done=False)
    if target in night.protected:
        return Outcome("saved", "2.9", Saved(target))
    return Outcome("done", "2.8", Killed(target, named(night.game, night.players[who].role).side))


POWER = Power(Step.FAMILY, "KILL", "2.8", kill, nothing_happens("2.6"), shared=True)
ROLE = Role("mafia", MAFIA, POWER, family=True)
