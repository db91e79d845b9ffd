"""Citizen (1.4): town, no power."""

from mafiamail.game.model import TOWN
from mafiamail.game.role import Role

ROLE = Role("citizen", TOWN)
