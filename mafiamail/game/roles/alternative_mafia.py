"""Alternative mafia (2.10): a second family, by the same rules, at the same moment."""

from mafiamail.game.model import ALTERNATIVE_MAFIA
from mafiamail.game.role import Role
from mafiamail.game.roles.mafia import POWER

ROLE = Role("alternative mafia", ALTERNATIVE_MAFIA, POWER, family=True)
