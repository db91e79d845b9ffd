"""One database: no row leaves this room, and nothing else imports peewee."""

from mafiamail.store.store import Store

__all__ = ["Store"]
