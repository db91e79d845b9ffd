"""IN: one mail, or one tick of a game's clock, is one transaction."""

from mafiamail.desk.desk import Desk

__all__ = ["Desk"]
