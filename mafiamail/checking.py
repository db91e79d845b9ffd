"""`mafiamail check`: tries everything that the daemon will need."""

from collections.abc import Callable, Iterator

from mafiamail import config as configuration
from mafiamail.config import Config, ConfigError, Inbox
from mafiamail.desk.mistakes import BadLine
from mafiamail.desk.own_roles import check_roles
from mafiamail.letters.languages import Languages
from mafiamail.letters.understand import Keywords
from mafiamail.mail.transports import LoginRefused, TryLater
from mafiamail.mail.transports.local import utc_now
from mafiamail.offices import open_mailbox, open_postman
from mafiamail.store import Store

Finding = tuple[str, str | None]
"""What was tried, and what is wrong with it (None: nothing)."""


def findings(config: Config) -> Iterator[Finding]:
    """One finding for each thing tried, in the order in which the daemon needs them."""
    yield f"configuration: {config.mail.address}, hosts {', '.join(config.hosts)}", None
    yield _tried("database", config.database_url().rpartition("@")[2].removeprefix("sqlite:///"), lambda: _database(config))
    yield _tried("letters", str(config.templates or "built in"), lambda: _letters(config))
    if config.own_roles:
        yield _tried("roles", ", ".join(config.roles), lambda: _roles(config))
    yield _tried("mailbox", _inbox(config), lambda: _mailbox(config))
    yield _tried("sending", _outbox(config), lambda: _sending(config))
    yield _proof(config), None


def _inbox(config: Config) -> str:
    imap, maildir = config.mail.inbox.imap, config.mail.inbox.maildir
    if imap is not None:
        return f"IMAP at {imap.host}, port {imap.real_port}, folder {imap.folder}"
    return f"the folder {maildir}" if maildir is not None else f"the built-in post office, in {config.post_office_folder()}"


def _outbox(config: Config) -> str:
    smtp = config.mail.outbox.smtp
    return f"SMTP at {smtp.host}, port {smtp.real_port}" if smtp is not None else "the built-in post office"


def _tried(name: str, where: str, attempt: Callable[[], None]) -> Finding:
    problem = _problem(attempt)
    return (f"{name}: {where}", None) if problem is None else (name, problem)


def _problem(attempt: Callable[[], None]) -> str | None:
    try:
        attempt()
    except (TryLater, LoginRefused, ConfigError, OSError, ValueError) as error:
        return " ".join(str(error).split())
    return None


def _database(config: Config) -> None:
    Store(config.database_url()).close()


def _letters(config: Config) -> None:
    languages(config).check()


def languages(config: Config) -> Languages:
    """The built-in letters, under those of the host's own folder. Raises ValueError."""
    if config.templates and not config.templates.is_dir():
        raise ValueError(f"{config.templates} is no folder")
    found = Languages([*([config.templates] if config.templates else []), configuration.builtin_templates()])
    if config.language not in found.names:
        raise ValueError(f"there are none in the language {config.language!r}; allowed: {', '.join(found.names)}")
    return found


def _roles(config: Config) -> None:
    """A role's own keyword must mean nothing else in any language."""
    try:
        check_roles(config.own_roles, Keywords(languages(config).keywords), {})
    except BadLine as error:
        raise ConfigError(f"roles.{error.line}: {_ROLE_PROBLEMS[error.problem]}") from error


_ROLE_PROBLEMS = {
    "role_name": "its name or its side cannot be used; allowed: words of letters, no role of the rulebook",
    "role_keyword": "its keyword cannot be used; allowed: a word of letters that is no keyword in any language yet, of a role with a power",
    "role_text": "its letters cannot be used; allowed: one line of at most 400 signs in which nothing looks like a command",
}


def _mailbox(config: Config) -> None:
    mailbox = open_mailbox(config)
    try:
        mailbox.fetch(None, utc_now())
    finally:
        mailbox.close()


def _sending(config: Config) -> None:
    postman = open_postman(config)
    try:
        postman.open()
    finally:
        postman.close()


def _proof(config: Config) -> str:
    """What this mailbox can prove of a sender: no fault, but a host should know it."""
    if config.mail.inbox == Inbox() and config.mail.proof != "secret":
        return "senders: the built-in post office believes everybody who can reach it, that is every program on this machine"
    way = (
        "the secret in the address that they answer to"
        if config.mail.plus
        else "a reference to a letter that only they got (plus is false)"
    )
    server, asked = config.mail.authserv_id, "anything else waits until a letter to the known address is answered"
    if config.mail.proof == "secret":
        return f"senders: players prove themselves by answering their letters ({way}) and by nothing else; {asked}"
    if config.mail.proof == "address":
        return "senders: the bare address is believed (mail.proof: address), so whoever can write to this mailbox can play for anybody" + (
            f"; a fail from {server} is believed" if server else ""
        )
    signed = ", or by a signature of their domain that we check ourselves (DKIM)" if config.mail.dkim else ""
    if server is None:
        return (
            f"senders: mail.authserv_id is null, so no server's verdict is believed; players prove themselves by answering their letters "
            f"({way}){signed}; {asked}"
        )
    return f"senders: players prove themselves by answering their letters ({way}), or by the verdict of {server}{signed}; {asked}"
