"""A whole game of the recorded party 6 on the built-in post office, with scripted players who write real mails."""

from mafiamail.demo.play import play

__all__ = ["play"]
