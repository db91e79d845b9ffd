"""A host's daemon for forum Mafia played by ordinary mail."""

__version__ = "0.1.0"
