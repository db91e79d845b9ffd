"""A private mail server (Dovecot and Postfix) on loopback, for tests: free ports, its own folder, nothing outside it.

Needs root and Debian's packages dovecot-core, dovecot-imapd, dovecot-lmtpd and postfix (Dovecot 2.3). Mail to other domains
and to unknown mailboxes is refused; `+detail` is kept. The password of `anna` is `pw-anna`.
"""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pytest

T = TypeVar("T")

DOVECOT = """\
base_dir = {d}/run
state_dir = {d}/state
instance_name = mafiamail-{pid}
log_path = {d}/log/dovecot.log
listen = 127.0.0.1
protocols = imap lmtp
ssl = yes
ssl_cert = <{d}/etc/cert.pem
ssl_key = <{d}/etc/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:~/Maildir
mail_fsync = never
recipient_delimiter = +
imap_capability = {capability}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu {d}/etc/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%Lu {d}/etc/users
}}
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service auth {{
  unix_listener auth-postfix {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
protocol lmtp {{
  auth_username_format = %Lu
  postmaster_address = postmaster@{domain}
}}
"""

MAIN_CF = """\
compatibility_level = 3.6
config_directory = {d}/pf/etc
queue_directory = {d}/pf/spool
data_directory = {d}/pf/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
meta_directory = /etc/postfix
maillog_file = {d}/log/postfix.log
maillog_file_prefixes = {d}/log
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.{domain}
mydomain = {domain}
myorigin = {domain}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = texthash:{d}/pf/etc/vmailbox
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
recipient_delimiter = +
default_transport = error:5.1.2 no mail leaves this server
relay_transport = error:5.1.2 no mail leaves this server
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtpd_tls_cert_file = {d}/etc/cert.pem
smtpd_tls_key_file = {d}/etc/key.pem
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = {d}/run/auth-postfix
smtpd_recipient_restrictions = check_recipient_access texthash:{d}/pf/etc/refusals
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
in_flow_delay = 0
"""

MASTER_CF = """\
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{submission} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_tls_auth_only=yes
  -o smtpd_tls_security_level=encrypt
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
127.0.0.1:{submissions} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_tls_wrappermode=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""

PORTS = ("imap", "imaps", "lmtp", "smtp", "submission", "submissions")
DOVECOT_MASTER, DOVEADM = Path("/usr/sbin/dovecot"), Path("/usr/bin/doveadm")
POSTFIX_MASTER = Path("/usr/lib/postfix/sbin/master")


def require_servers() -> None:
    """Skips the test where the servers are not installed, or fails it where MAFIAMAIL_REQUIRE_SERVERS=1 forbids that."""
    missing = []
    if not DOVECOT_MASTER.exists():
        missing.append("dovecot-core, dovecot-imapd, dovecot-lmtpd")
    if not POSTFIX_MASTER.exists():
        missing.append("postfix")
    if os.geteuid() != 0:
        missing.append("root")
    if not missing:
        return
    reason = f"real mail servers are not tried: needs {', '.join(missing)}"
    if os.environ.get("MAFIAMAIL_REQUIRE_SERVERS") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


class MailServers:
    """Dovecot and Postfix for some users of one domain. `start` and `stop` may be called in turns; the ports and the mail stay."""

    def __init__(self, users: Sequence[str], domain: str = "example.test", move: bool = True) -> None:
        self.domain = domain
        self.users = list(users)
        self.folder = Path(tempfile.mkdtemp(prefix="mafiamail-servers-"))
        self.folder.chmod(0o755)  # the servers' own users walk through it
        self.ports = dict(zip(PORTS, _free_ports(len(PORTS)), strict=True))
        self.cafile = self.folder / "etc" / "cert.pem"
        self._move = move
        self._running: list[subprocess.Popen[bytes]] = []
        self._lay_out()

    def address(self, user: str) -> str:
        return f"{user}@{self.domain}"

    def password(self, user: str) -> str:
        return f"pw-{user}"

    def start(self) -> Self:
        log = (self.folder / "log" / "stderr.log").open("ab")
        for command in (
            [str(DOVECOT_MASTER), "-F", "-c", f"{self.folder}/etc/dovecot.conf"],
            [str(POSTFIX_MASTER), "-d", "-c", f"{self.folder}/pf/etc"],
        ):
            self._running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))
        log.close()
        for name in PORTS:
            self._wait_for(name)
        return self

    def stop(self) -> None:
        for process in self._running:
            process.send_signal(signal.SIGTERM)
        for process in self._running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._running = []

    def doveadm(self, *arguments: str) -> str:
        command = [str(DOVEADM), "-c", str(self.folder / "etc/dovecot.conf"), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def kick(self, user: str) -> None:
        """Ends all IMAP connections of a user, and waits until they are gone."""
        self.doveadm("kick", self.address(user))
        within(10, lambda: self.address(user) not in self.doveadm("who") or None)

    def append(self, user: str, content: bytes, folder: str = "INBOX") -> None:
        """Puts a mail straight into a mailbox, as if it had just arrived."""
        command = [str(DOVEADM), "-c", str(self.folder / "etc/dovecot.conf"), "save", "-u", self.address(user), "-m", folder]
        subprocess.run(command, check=True, capture_output=True, input=content)

    def refuse(self, recipient: str, answer: str) -> None:
        """From now on the server answers `RCPT TO` of this address so, e.g. `450 4.2.0 greylisted`; a `start` may be needed."""
        with (self.folder / "pf/etc/refusals").open("a") as table:
            table.write(f"{recipient} {answer}\n")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _lay_out(self) -> None:
        d, mail = self.folder, pwd.getpwnam("mail")
        for part in ("etc", "run", "state", "mail", "log", "pf/etc", "pf/data", "pf/spool"):
            (d / part).mkdir(parents=True)
        os.chown(d / "mail", mail.pw_uid, mail.pw_gid)
        for user in self.users:
            (d / "mail" / user).mkdir()
            os.chown(d / "mail" / user, mail.pw_uid, mail.pw_gid)
        _certificate(d / "etc")
        _spool(d / "pf")
        facts = {
            **self.ports,
            "d": d,
            "domain": self.domain,
            "pid": os.getpid(),
            "capability": "" if self._move else "IMAP4rev1 LITERAL+ UIDPLUS",
        }
        logins = (f"{self.address(u)}:{{PLAIN}}{self.password(u)}:{mail.pw_uid}:{mail.pw_gid}::{d}/mail/{u}::\n" for u in self.users)
        (d / "etc/users").write_text("".join(logins))
        (d / "pf/etc/vmailbox").write_text("".join(f"{self.address(user)} ok\n" for user in self.users))
        (d / "pf/etc/refusals").write_text("")
        (d / "etc/dovecot.conf").write_text(DOVECOT.format(**facts))
        (d / "pf/etc/main.cf").write_text(MAIN_CF.format(**facts))
        (d / "pf/etc/master.cf").write_text(MASTER_CF.format(**facts))

    def _wait_for(self, name: str) -> None:
        def answers() -> bool | None:
            try:
                socket.create_connection(("127.0.0.1", self.ports[name]), 0.2).close()
            except OSError:
                return None
            return True

        within(15, answers)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as open_sockets:
        sockets = [open_sockets.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def _certificate(folder: Path) -> None:
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    kind = [
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "30",
        "-subj",
        "/CN=localhost",
        "-addext",
        names,
    ]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(["openssl", "req", *kind, *files], check=True, capture_output=True)


def _spool(folder: Path) -> None:
    """Postfix's queue as `postfix check` would make it, only faster."""
    owner, drop = pwd.getpwnam("postfix").pw_uid, grp.getgrnam("postdrop").gr_gid
    for queue in ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace"):
        (folder / "spool" / queue).mkdir(mode=0o700)
        os.chown(folder / "spool" / queue, owner, -1)
    (folder / "spool/pid").mkdir()
    for queue, mode in (("maildrop", 0o1730), ("public", 0o2710)):
        (folder / "spool" / queue).mkdir()
        os.chown(folder / "spool" / queue, owner, drop)
        (folder / "spool" / queue).chmod(mode)
    os.chown(folder / "data", owner, -1)


def within(seconds: float, look: Callable[[], T | None]) -> T:
    """What `look` gives as soon as it gives something: for what another program does in its own time."""
    end = time.monotonic() + seconds
    while (found := look()) is None:
        if time.monotonic() > end:
            raise TimeoutError(f"nothing within {seconds} s")
        time.sleep(0.02)
    return found
