"""How mail programs write an answer: real MIME, with the quotes, tails and encodings of each."""

import html
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

MONTHS = ("янв.", "февр.", "мар.", "апр.", "мая", "июн.", "июл.", "авг.", "сент.", "окт.", "нояб.", "дек.")


@dataclass(frozen=True, slots=True)
class Answered:
    """The letter that is answered, as its reader's program knows it."""

    subject: str
    message_id: str
    reply_to: str
    sender: str  # Name <address>
    text: str
    date: datetime


Mailer = Callable[[str, str, str, Answered | None, datetime], EmailMessage]
"""(person, address, text, answered letter, now) -> the mail, without a recipient's decision: that is `answered.reply_to`."""


def _mail(person: str, address: str, answered: Answered | None, now: datetime, program: str) -> EmailMessage:
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"] = f'"{person}" <{address}>'
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = make_msgid(domain=address.partition("@")[2])
    mail["Subject"] = f"Re: {answered.subject}" if answered else "Mafia"
    if answered:
        mail["In-Reply-To"] = mail["References"] = answered.message_id
    mail["X-Mailer"] = program
    return mail


def _quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(mark + line for line in text.splitlines())


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\n")


def gmail(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    """Text and HTML; the attribution in the writer's language, narrow no-break space and all."""
    mail = _mail(person, address, answered, now, "Gmail")
    plain, rich = text + "\n", f'<div dir="ltr">{_lines(text)}</div>'
    if answered:
        day = f"{answered.date:%a, %b %d, %Y} at {answered.date:%I:%M}\u202f{answered.date:%p}"
        head = f"On {day} {answered.sender} wrote:"
        plain += f"\n{head}\n\n{_quoted(answered.text)}\n"
        rich += f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{_lines(head)}<br></div>'
        rich += f'<blockquote class="gmail_quote">{_lines(answered.text)}</blockquote></div>'
    mail.set_content(plain, cte="base64")
    mail.add_alternative(rich, subtype="html", cte="quoted-printable")
    return mail


def apple(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    mail = _mail(person, address, answered, now, "Apple Mail (2.3826.600.51.1.1)")
    quote = (
        f"\n> On {answered.date:%d %b %Y}, at {answered.date:%H:%M}, {answered.sender} wrote:\n> \n{_quoted(answered.text)}\n"
        if answered
        else ""
    )
    mail.set_content(f"{text}\n{quote}", cte="quoted-printable")
    return mail


def iphone(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    russian = any("а" <= char <= "я" for char in person.lower())
    tail = "Отправлено с iPhone" if russian else "Sent from my iPhone"
    mail = _mail(person, address, answered, now, "iPhone Mail (22F76)")
    quote = ""
    if answered:
        date = answered.date
        when = f"{date.day} {MONTHS[date.month - 1]} {date.year} г., в {date:%H:%M}" if russian else f"On {date:%d %b %Y}, at {date:%H:%M}"
        quote = f"\n> {when}, {answered.sender} {'написал(а)' if russian else 'wrote'}:\n> \n{_quoted(chr(0xFEFF) + answered.text)}\n"
    mail.set_content(f"{text}\n\n{tail}\n{quote}", cte="base64")
    return mail


def thunderbird(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    russian = any("а" <= char <= "я" for char in person.lower())
    mail = _mail(person, address, answered, now, "Mozilla Thunderbird")
    quote = ""
    if answered:
        name = answered.sender.partition(" <")[0]
        head = f"{answered.date:%d.%m.%Y %H:%M}, {name} пишет:" if russian else f"On {answered.date:%d/%m/%Y %H:%M}, {name} wrote:"
        quote = f"\n{head}\n{_quoted(answered.text)}\n"
    mail.set_content(f"{text}\n{quote}\n-- \n{person}\n", cte="8bit")
    mail.set_param("format", "flowed")
    return mail


def mutt(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    """The quote above, the answer below it."""
    mail = _mail(person, address, answered, now, "Mutt/2.2.9")
    head = f"On {answered.date:%a, %b %d, %Y at %H:%M:%S} +0000, {answered.sender} wrote:\n{_quoted(answered.text)}\n\n" if answered else ""
    mail.set_content(f"{head}{text}\n\n-- \n{person}\n", cte="8bit")
    return mail


def outlook(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    """History without a mark: a rule, four header lines, and the whole letter flush left."""
    mail = _mail(person, address, answered, now, "Microsoft Outlook 16.0")
    plain, rich = f"{text}\n", f"<html><body><div>{_lines(text)}</div>"
    if answered:
        head = (
            f"From: {answered.sender}\nSent: {answered.date:%A, %B %d, %Y %H:%M}\nTo: {person} <{address}>\nSubject: {answered.subject}\n"
        )
        plain += f"\n{'_' * 32}\n{head}\n{answered.text}\n"
        rich += f'<hr tabindex="-1" style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">{_lines(head)}</div>'
        rich += f"<div>{_lines(answered.text)}</div>"
    mail.set_content(plain, cte="base64")
    mail.add_alternative(rich + "</body></html>", subtype="html", cte="base64")
    return mail


def yandex(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    """HTML alone."""
    mail = _mail(person, address, answered, now, "Yamail [ http://yandex.ru ] 5.0")
    rich = "".join(f"<div>{html.escape(line) or ' '}</div>" for line in text.splitlines())
    if answered:
        sender = html.escape(answered.sender.replace(" <", '" <', 1))
        rich += f"<div> </div><div>----------------</div><div>Кому: {person} ({address});</div>"
        rich += f"<div>Тема: {html.escape(answered.subject)};</div>"
        rich += f'<div>{answered.date:%d.%m.%Y, %H:%M}, "{sender}:</div>'
        rich += "<blockquote>" + "".join(f"<div>{html.escape(line) or ' '}</div>" for line in answered.text.splitlines()) + "</blockquote>"
    mail.set_content(rich + f"<div> </div><div>-- </div><div>{person}</div>", subtype="html", cte="base64")
    return mail


def mailru(person: str, address: str, text: str, answered: Answered | None, now: datetime) -> EmailMessage:
    mail = _mail(person, address, answered, now, "Mail.Ru Mailer 1.0")
    quote = ""
    if answered:
        date = answered.date
        head = f">Среда, {date.day} {MONTHS[date.month - 1]} {date.year}, {date:%H:%M} +03:00 от {answered.sender}:"
        quote = f"{head}\n> \n{_quoted(answered.text, '>')}\n"
    mail.set_content(f"\n{text}\n \n \n{quote} \n--\n{person}\nОтправлено из Почты Mail\n", cte="base64")
    return mail
