"""Priest (2.1): town; whom he names does not act this Night, nor does that player's family."""

from mafiamail.game.model import TOWN, Who
from mafiamail.game.power import Blocked, Night, Outcome, Power, Step, nothing_happens
from mafiamail.game.role import Role, named


def block(night: Night, who: Who, target: Who) -> Outcome:
    special = named(night.game, night.players[target].role).special
    return Outcome("done" if special else "nothing to block", "2.1", Blocked(target))


ROLE = Role("priest", TOWN, Power(Step.BLOCK, "BLOCK", "2.1", block, nothing_happens("2.1")))
