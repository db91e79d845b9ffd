"""Opens what the configuration names: the mailbox, the postman, the built-in post office."""

from collections.abc import Callable
from datetime import datetime, timedelta

from mafiamail.config import Config, ConfigError, Inbox, Outbox, Secret, Server
from mafiamail.mail.transports import LoginRefused, Mailbox, Postman
from mafiamail.mail.transports.imap import ImapMailbox
from mafiamail.mail.transports.local import MaildirMailbox, MaildirPostman, PostOffice, maildir, utc_now
from mafiamail.mail.transports.smtp import SmtpPostman

FOREIGN = timedelta(seconds=5)
"""How long another mail server may need between the stamp of a file in its Maildir and the moment that it can be seen."""


def open_mailbox(config: Config, now: Callable[[], datetime] = utc_now) -> Mailbox:
    """The mailbox that the daemon reads; nothing is connected before the first fetch."""
    inbox = config.mail.inbox
    if inbox.imap:
        imap = inbox.imap
        return ImapMailbox(
            host=imap.host,
            port=imap.real_port,
            security=imap.security,
            user=config.mail.address if imap.user is None else imap.user,
            password=_password(config, imap),
            folder=imap.folder,
            move_to=imap.move_to,
            cafile=imap.cafile,
            now=now,
            settle=imap.settle,
        )
    if inbox.maildir:
        return MaildirMailbox(inbox.maildir, now, FOREIGN)
    return MaildirMailbox(maildir(config.post_office_folder(), config.mail.address), now)


def open_postman(config: Config, now: Callable[[], datetime] = utc_now) -> Postman:
    """The postman who takes the daemon's letters; nothing is connected before the first letter."""
    smtp = config.mail.outbox.smtp
    if smtp:
        return SmtpPostman(
            host=smtp.host,
            port=smtp.real_port,
            security=smtp.security,
            user=config.mail.address if smtp.user is None else smtp.user,
            password=_password(config, smtp),
            cafile=smtp.cafile,
        )
    return MaildirPostman(config.post_office_folder(), now)


def open_post_office(config: Config, now: Callable[[], datetime] = utc_now) -> PostOffice | None:
    """The built-in post office, not started yet; None where the configuration does not use it."""
    if config.mail.inbox != Inbox() or config.mail.outbox != Outbox():
        return None
    return PostOffice(config.post_office_folder(), config.mail.address, now, config.post_office.port)


def _password(config: Config, server: Server) -> Callable[[], str]:
    secret: Secret | None = server.password or config.mail.password

    def read() -> str:
        try:
            return secret.read() if secret else ""
        except ConfigError as error:
            raise LoginRefused(str(error)) from error

    return read
