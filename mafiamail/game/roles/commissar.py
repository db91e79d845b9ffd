"""Commissar Cattani (2.11, 2.13): town; learns one player's role a Night, and has a pistol."""

from mafiamail.game.model import TOWN, Dossier, Who
from mafiamail.game.power import Learned, Night, Outcome, Power, Step
from mafiamail.game.role import Role


def check(night: Night, who: Who, target: Who) -> Outcome:
    dossier = Dossier(target, night.players[target].role, tuple(night.killed.get(target, ())))
    return Outcome("done", "2.11", Learned(who, dossier))


def nothing_became_clear(night: Night, who: Who) -> Outcome:
    return Outcome("blocked", "2.2", Learned(who, None), done=False, spent=False)


ROLE = Role("commissar", TOWN, Power(Step.CHECK, "CHECK", "2.11", check, nothing_became_clear, when_dead="2.12"), pistol=True)
