"""Necromancer (2.17, experimental): town; brings one dead player back, once in a game."""

from mafiamail.game.model import TOWN, Who
from mafiamail.game.power import Night, Outcome, Power, Raised, Step, nothing_happens
from mafiamail.game.role import Role


def lift(night: Night, who: Who, target: Who) -> Outcome:
    return Outcome("done", "2.17", Raised(target))


ROLE = Role("necromancer", TOWN, Power(Step.RAISE, "RAISE", "2.17", lift, nothing_happens("2.17"), names_dead=True), uses=1)
