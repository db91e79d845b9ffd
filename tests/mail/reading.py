"""How the sample mails are understood: as `mafiamail read --people` tells it, with the mails still in memory."""

import re
from datetime import UTC, datetime
from pathlib import Path

from mafiamail import config as configuration
from mafiamail.letters.languages import Languages
from mafiamail.letters.understand import Keywords
from mafiamail.mail.message import Raw
from mafiamail.reading import Phase, Reading, read_mail

ROBOT = "mafia@example.org"
SERVER = "mx.example.org"
ARRIVED = datetime(2026, 5, 13, 7, 12, 44, tzinfo=UTC)
CONFIG = configuration.parse(f"mail: {{address: {ROBOT}, authserv_id: {SERVER}}}", Path("config.yaml"))
WORDS = Keywords(Languages([configuration.builtin_templates()]).keywords)
_CAST = {
    "anna.k@mail.example.org": "Ёжик",
    "boris@post.example.org": "Лесник",
    "pmerrick@corp.example.org": "Капитан Штиль",
    "helen.marsh@web.example.org": "Duchess",
    "gsomov@mail.example.org": "Old Tom",
    "i.vetrova@ya.example.org": "Мисс О’Брайен",
    "timur@kmail.example.org": "Доктор Рыбкин",
    "owen@icl.example.org": "Secret Postman",
}
PEOPLE = {address: (character, f"mafia{number:02}") for number, (address, character) in enumerate(_CAST.items(), 1)}


def raw(content: bytes) -> Raw:
    return Raw(content, ARRIVED)


def reading(content: bytes, phase: Phase = "day") -> Reading:
    return read_mail("mail.eml", content, CONFIG, WORDS, phase, PEOPLE, set())


def seat(found: Reading) -> str | None:
    """The seat of the sender, where he has one."""
    return PEOPLE[found.sender][1] if found.sender in PEOPLE else None


def collapsed(text: str | None) -> str | None:
    return re.sub(r"\s+", " ", text).strip() if text is not None else None
