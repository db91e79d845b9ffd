"""Letters to a provider, over SMTP: one connection for many letters, one recipient for each."""

import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from mafiamail.mail.transports import LoginRefused, TryLater, Undeliverable

LETTERS = 50
"""Letters for each connection: real servers end a session after some."""

IDLE = 30.0
"""Seconds after which a silent connection is not trusted any more."""

TIMEOUT = 30.0
"""Seconds until a silent server is given up."""

_QUOTA = re.compile(r"\b5\.4\.5\b")
"""Gmail's and others' daily limit comes as a 5xx, but says nothing about the recipient."""


class SmtpPostman:
    """Sends through one server. `password` is asked for at each login; `user` "" sends without one."""

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password: Callable[[], str],
        *,
        security: Literal["tls", "starttls", "none"] = "tls",
        cafile: Path | None = None,
    ) -> None:
        self._server = f"SMTP {host}:{port}"  # as it is called in messages
        self._host = host
        self._port = port
        self._user = user
        self._password = password
        self._security = security
        self._cafile = cafile
        self._client: smtplib.SMTP | None = None
        self._letters = 0
        self._used = 0.0

    def open(self) -> None:
        with self._trouble():
            self._connected()

    def send(self, letter: bytes, sender: str, recipient: str) -> None:
        with self._trouble():
            client = self._begin(letter, sender, recipient)
            self._expect(client.rcpt(_wire(recipient)))
            self._expect(client.data(letter))
        self._letters += 1

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, smtplib.SMTPException):
                client.quit()

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        """Any error but a refused recipient ends the connection; what the world does wrong becomes TryLater."""
        try:
            yield
        except Undeliverable:
            self._begin_anew()
            raise
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise TryLater(f"{self._server}: {_one_line(error)}") from error
        except BaseException:
            self._drop()
            raise
        self._used = time.monotonic()

    def _begin(self, letter: bytes, sender: str, recipient: str) -> smtplib.SMTP:
        """A connection on which the sender of this letter is accepted."""
        if self._letters >= LETTERS or time.monotonic() - self._used > IDLE:
            self.close()
        kept = self._client is not None
        client = self._connected()
        options = _options(client, letter, sender, recipient)
        try:
            code, words = client.mail(_wire(sender), options)
        except (OSError, smtplib.SMTPServerDisconnected):
            if not kept:
                raise
            code, words = 421, b""  # the server ended the kept connection while it was not used
        if kept and code == 421:
            self._drop()
            client = self._connected()
            code, words = client.mail(_wire(sender), options)
        if code in (530, 535):
            raise LoginRefused(f"{self._server}: {code} {_words(words)}")
        if code != 250:  # not the recipient's fault, whatever the code
            raise TryLater(f"{self._server}: sender {sender}: {code} {_words(words)}")
        return client

    def _expect(self, reply: tuple[int, bytes]) -> None:
        code, words = reply[0], _words(reply[1])
        if 200 <= code < 300:
            return
        if code >= 500 and not _QUOTA.search(words):
            raise Undeliverable(code, words)
        raise TryLater(f"{self._server}: {code} {words}")

    def _connected(self) -> smtplib.SMTP:
        if self._client is None:
            self._client = self._connect()
            self._letters = 0
        return self._client

    def _connect(self) -> smtplib.SMTP:
        context = ssl.create_default_context(cafile=self._cafile) if self._security != "none" else None
        # a name of our own for EHLO spares a question to DNS and does not tell the machine's name
        if self._security == "tls":
            client: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, "[127.0.0.1]", timeout=TIMEOUT, context=context)
        else:
            client = smtplib.SMTP(self._host, self._port, "[127.0.0.1]", timeout=TIMEOUT)
        try:
            if self._security == "starttls":
                client.starttls(context=context)
            client.ehlo_or_helo_if_needed()
            if self._user:
                self._login(client)
        except BaseException:
            client.close()
            raise
        return client

    def _login(self, client: smtplib.SMTP) -> None:
        try:
            client.login(self._user, self._password())
        except smtplib.SMTPAuthenticationError as error:
            if error.smtp_code < 500:
                raise
            raise LoginRefused(f"{self._server}: login of {self._user} refused: {_one_line(error)}") from error
        except UnicodeError as error:
            raise LoginRefused(f"{self._server}: login of {self._user}: only ASCII can be sent as name and password") from error

    def _begin_anew(self) -> None:
        """After a refused letter the same connection goes on, if the server agrees."""
        try:
            if self._client is not None and self._client.rset()[0] == 250:
                self._used = time.monotonic()
                return
        except (OSError, smtplib.SMTPException):
            pass
        self._drop()

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


def _options(client: smtplib.SMTP, letter: bytes, sender: str, recipient: str) -> list[str]:
    options = []
    if client.does_esmtp and client.has_extn("size"):
        options.append(f"size={len(letter)}")
    if not letter.isascii() and client.has_extn("8bitmime"):
        options.append("BODY=8BITMIME")
    if not (_wire(sender).isascii() and _wire(recipient).isascii()):
        if not client.has_extn("smtputf8"):
            raise Undeliverable(553, f"5.6.7 the server takes no such address as {recipient}")
        options.append("SMTPUTF8")
    return options


def _wire(address: str) -> str:
    """The address as it travels: the domain in its ASCII form."""
    local, at, domain = address.rpartition("@")
    if not address.isprintable():  # a line end would be a command of its own
        raise Undeliverable(553, f"5.1.3 {address!r} is no address")
    if domain.isascii():
        return address
    try:
        return f"{local}{at}{domain.encode('idna').decode()}"
    except UnicodeError:
        raise Undeliverable(553, f"5.1.2 {domain} is no domain") from None


def _words(reply: bytes | str) -> str:
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    return " ".join(text.split())[:300]


def _one_line(error: BaseException) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_words(error.smtp_error)}"
    return " ".join(str(error).split()) or type(error).__name__
