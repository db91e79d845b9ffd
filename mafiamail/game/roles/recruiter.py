"""Recruiter (2.18, experimental): on the mafia's side and known to it; turns one citizen, once in a game."""

from mafiamail.game.model import MAFIA, Who
from mafiamail.game.power import Night, Outcome, Power, Recruited, Step, nothing_happens
from mafiamail.game.role import Role, killer, named


def recruit(night: Night, who: Who, target: Who) -> Outcome:
    if target in night.blocked:
        return Outcome("target blocked", "2.18", None, done=False, spent=False)
    if target in night.killed:
        return Outcome("target dead", "2.18", None, done=False)
    if named(night.game, night.players[target].role).special:
        return Outcome("no citizen", "2.18", None, done=False)
    side = named(night.game, night.players[who].role).side
    return Outcome("done", "2.18", Recruited(target, killer(night.game, side)))


ROLE = Role("recruiter", MAFIA, Power(Step.RECRUIT, "RECRUIT", "2.18", recruit, nothing_happens("2.18")), family=True, uses=1)
