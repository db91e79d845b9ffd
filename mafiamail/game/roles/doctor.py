"""Doctor (2.3): town; whom he names cannot die this Night."""

from mafiamail.game.model import TOWN, Who
from mafiamail.game.power import Night, Outcome, Power, Protected, Step, nothing_happens
from mafiamail.game.role import Role


def heal(night: Night, who: Who, target: Who) -> Outcome:
    return Outcome("done", "2.3", Protected(target))


ROLE = Role("doctor", TOWN, Power(Step.HEAL, "HEAL", "2.3", heal, nothing_happens("2.3")))
