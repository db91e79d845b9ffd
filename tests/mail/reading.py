"""How the sample mails are understood: reading, gate, language and names together, without a game's rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from mafiamail.letters import names
from mafiamail.letters.understand import Keywords, Line, NotUnderstood, from_subject, looks_like_command, read_lines
from mafiamail.mail.gate import REFUSED, gate
from mafiamail.mail.message import Inbound, Raw, Unreadable, read

ROBOT = "mafia@example.org"
SERVER = "mx.example.org"
ARRIVED = datetime(2026, 5, 13, 7, 12, 44, tzinfo=UTC)
PEOPLE = {
    "anna.k@mail.example.org": "Ёжик",
    "boris@post.example.org": "Лесник",
    "pmerrick@corp.example.org": "Капитан Штиль",
    "helen.marsh@web.example.org": "Duchess",
    "gsomov@mail.example.org": "Old Tom",
    "i.vetrova@ya.example.org": "Мисс О’Брайен",
    "timur@kmail.example.org": "Доктор Рыбкин",
    "owen@icl.example.org": "Secret Postman",
}
SEATS = {address: f"mafia{number:02}" for number, address in enumerate(PEOPLE, 1)}
SECRET = {"BLOCK", "HEAL", "KILL", "CHECK", "RAISE", "RECRUIT", "PASS", "FAMILY"}
KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "VOTE": ("ГОЛОС", "ГОЛОСУЮ ЗА", "КАЗНИТЬ"),
    "SAY": ("В ТЕМУ", "ВСЕМ", "СКАЗАТЬ"),
    "BLOCK": ("БЛОК", "БЛОКИРУЮ"),
    "HEAL": ("ЛЕЧИТЬ", "ЛЕЧУ", "СПАСТИ", "СКОРАЯ"),
    "KILL": ("УБИТЬ", "УБИВАЕМ", "ЖЕРТВА", "ЗАКАЗ"),
    "CHECK": ("ПРОВЕРИТЬ", "ПРОВЕРЯЮ", "ДОСЬЕ"),
    "SHOOT": ("ПИСТОЛЕТ", "ЗАСТРЕЛИТЬ"),
    "PASS": ("ПАС", "ПРОПУСК"),
    "FAMILY": ("СВОИМ", "СЕМЬЯ"),
    "STORY": ("ОПИСАНИЕ", "РАССКАЗ"),
    "LAST WORDS": ("ПОСЛЕДНЕЕ СЛОВО",),
    "JOIN": ("ИГРАЮ",),
    "STATUS": ("СТАТУС",),
    "HELP": ("ПОМОЩЬ",),
    "RULES": ("ПРАВИЛА",),
    "LANG": ("ЯЗЫК",),
    "GAME": ("ИГРА",),
    "LEAVE": ("ВЫХОЖУ ИЗ ИГРЫ",),
    "NEW GAME": ("НОВАЯ ИГРА",),
    "START": ("НАЧАТЬ",),
    "CLOSE": ("ЗАКРЫТЬ",),
    "CLOSE ANYWAY": ("ЗАКРЫТЬ ВСЁ РАВНО",),
    "GO ON": ("ИГРАЕМ ДАЛЬШЕ",),
    "REMOVE": ("ВЫВЕСТИ",),
    "REMOVE NOW": ("ВЫВЕСТИ СЕЙЧАС",),
    "VOTE FOR": ("ГОЛОС ОТ",),
    "END": ("КОНЕЦ ИГРЫ",),
}
WORDS = Keywords(KEYWORDS)


@dataclass
class Reading:
    """One mail, as `mafiamail read` tells it."""

    verdict: str
    why: str | None = None
    commands: list[list[str]] = field(default_factory=list)
    text: str | None = None
    seat: str | None = None
    mail: Inbound | None = None


def raw(content: bytes) -> Raw:
    return Raw(content, ARRIVED)


def reading(content: bytes, phase: str = "day") -> Reading:
    try:
        mail = read(raw(content), SERVER)
    except Unreadable as error:
        return Reading("refuse", error.why)
    seat = SEATS.get(mail.sender or "")
    reason = gate(mail, ROBOT)
    if reason is None and mail.verdict == "fail":
        reason = "forged"
    if reason is None and seat is None:
        reason = "stranger"
    if reason is not None:
        refused = reason in REFUSED or reason == "stranger"
        return Reading("refuse" if refused else "ignore", reason, seat=seat, mail=mail)
    return _words(mail, seat, phase)


def _words(mail: Inbound, seat: str | None, phase: str) -> Reading:
    understood = read_lines(from_subject(mail.subject, mail.commands_text), WORDS)
    commands: list[list[str]] = []
    for item in understood.items:
        if isinstance(item, NotUnderstood):
            break
        commands.append([item.keyword, _named(item)])
    near = any(isinstance(item, NotUnderstood) for item in understood.items)
    text = None if near or phase == "night" or SECRET & {command[0] for command in commands} else _post(mail)
    if commands:
        return Reading("command", None, commands, text, seat, mail)
    if near:
        return Reading("refuse", "near-command", seat=seat, mail=mail)
    if not understood.rest.strip():
        return Reading("refuse", "nothing", seat=seat, mail=mail)
    if text is None:
        return Reading("refuse", "night" if phase == "night" else "near-command", seat=seat, mail=mail)
    return Reading("text", None, [], text, seat, mail)


def _named(line: Line) -> str:
    candidates = {seat: (PEOPLE[address], seat) for address, seat in SEATS.items()}
    found = names.find(line.argument, candidates) if WORDS.kind(line.keyword) == "name" else None
    return candidates[found][0] if isinstance(found, str) else line.argument


def _post(mail: Inbound) -> str | None:
    """What may be shown to others, or None."""
    if mail.post_text is None:
        return None
    rest = read_lines(mail.post_text, WORDS).rest.strip()
    return rest if rest and not looks_like_command(rest, WORDS) else None


def collapsed(text: str | None) -> str | None:
    return re.sub(r"\s+", " ", text).strip() if text is not None else None
