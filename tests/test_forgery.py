"""Ways of pretending to be a player or the host. None has an effect; the table says what each of them gets."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mafiamail import config as configuration
from mafiamail.checking import findings
from mafiamail.daemon import Daemon
from mafiamail.game.events import Heard
from tests.kit import DAEMON, HOST, LANGUAGES, OUTSIDE, OWN, Letter, World, address, new_game

ANNA, BORIS, EVE = address("Anna"), address("Boris"), "eve@evil.example.net"
FAIL = "mx.example.org; dkim=none; spf=fail smtp.mailfrom=players.example.org; dmarc=fail header.from=players.example.org"
FEEDBACK = "Content-Type: multipart/report; report-type=feedback-report; boundary=b"
PASS = "mx.example.org; dmarc=pass header.from=players.example.org"


def guarded(authserv_id: str = "mx.example.org", more: str = "") -> World:
    """A running game, whose mailbox is from now on one that does not vouch for whoever writes to it."""
    world = new_game(World(), lines="variant = one")
    text = OWN.format(mail=f"{OUTSIDE}, authserv_id: {authserv_id}{more}")
    world.config = configuration.parse(text, configuration.builtin_config())
    world.daemon = Daemon(world.config, world.store, LANGUAGES, world.mailbox, world.postman, world.now)
    return world


def mail(world: World, sender: str, text: str = "VOTE: Boris", to: str = DAEMON, *headers: str) -> bytes:
    """`headers` stand on top; a From among them stands alone."""
    froms = [] if any(line.lower().startswith("from:") for line in headers) else [f"From: {sender}"]
    ids = (
        [] if any(line.lower().startswith("message-id:") for line in headers) else [f"Message-ID: <forged{next(world.numbers)}@x.example>"]
    )
    return "\n".join([*headers, *froms, *ids, f"To: {to}", "Content-Type: text/plain; charset=utf-8", "", text, ""]).encode()


def private(world: World, who: str = ANNA) -> Letter:
    return world.last(who, "Your role")


def public(world: World, who: str = ANNA) -> Letter:
    return next(letter for letter in reversed(world.to(who)) if "Day 1" in letter.subject)


def received(world: World) -> bytes:
    """What Anna has really written, and what counted."""
    content = mail(world, ANNA, "VOTE: Clara", DAEMON, "Message-ID: <genuine@players.example.org>", f"Authentication-Results: {PASS}")
    world.raw(content)
    return content


def confirmation(world: World) -> Letter:
    world.raw(mail(world, ANNA))
    return world.last(ANNA, "Did you write it")


@dataclass(frozen=True)
class Forgery:
    """`gets`: to whom a letter goes because of it, with some words of it."""

    how: str
    content: Callable[[World], bytes]
    gets: tuple[tuple[str, str], ...] = ()


GENUINE = {
    "a player asks as if he hosted",
    "a mail that is sent again",
    "other words under the mark of an old mail",
}  # his own: a sign of life
ASKED = ((ANNA, "Did you write it?"),)
TOLD = ((HOST, "not genuine"),)
STRANGER = ((EVE, "yours is not in any of them yet"),)
PASSED_ON = ((HOST, "came from another address"), (ANNA, "Is that other address yours too?"))
NOTHING = ()

TABLE = [
    Forgery("From alone, no verdict", lambda w: mail(w, ANNA), ASKED),
    Forgery("From, and the server says fail", lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, f"Authentication-Results: {FAIL}"), TOLD),
    Forgery(
        "From, SPF passes for another domain",
        lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=evil.example.net"),
        ASKED,
    ),
    Forgery(
        "From, signed by another domain",
        lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, "Authentication-Results: mx.example.org; dkim=pass header.d=evil.example.net"),
        ASKED,
    ),
    Forgery(
        "From, DMARC passes for another domain",
        lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, "Authentication-Results: mx.example.org; dmarc=pass header.from=evil.example.net"),
        ASKED,
    ),
    Forgery(
        "a verdict of another server",
        lambda w: mail(
            w, ANNA, "VOTE: Boris", DAEMON, "Authentication-Results: mx.evil.example.net; dmarc=pass header.from=players.example.org"
        ),
        ASKED,
    ),
    Forgery(
        "a server whose name begins like ours",
        lambda w: mail(
            w, ANNA, "VOTE: Boris", DAEMON, f"Authentication-Results: {PASS}".replace("mx.example.org", "mx.example.org.evil.net")
        ),
        ASKED,
    ),
    Forgery(
        "a verdict in a comment",
        lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, "Authentication-Results: mx.example.org; (dmarc=pass) none"),
        ASKED,
    ),
    Forgery(
        "a forged pass below the server's fail",
        lambda w: mail(
            w, ANNA, "VOTE: Boris", DAEMON, f"Authentication-Results: {FAIL}", "Received: by x", f"Authentication-Results: {PASS}"
        ),
        TOLD,
    ),
    Forgery(
        "a forged pass below the server's silence",
        lambda w: mail(
            w,
            ANNA,
            "VOTE: Boris",
            DAEMON,
            "Authentication-Results: mx.example.org; none",
            "Received: by x",
            f"Authentication-Results: {PASS}",
        ),
        ASKED,
    ),
    Forgery(
        "a fail in the fourth header of the server",
        lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, *[f"Authentication-Results: {PASS}"] * 3, f"Authentication-Results: {FAIL}"),
        TOLD,
    ),
    Forgery("the name as display name", lambda w: mail(w, f"Anna <{EVE}>"), STRANGER),
    Forgery("the address as display name", lambda w: mail(w, f'"{ANNA}" <{EVE}>'), NOTHING),
    Forgery("the address before a comment", lambda w: mail(w, f"{ANNA} (x) <{EVE}>"), NOTHING),
    Forgery("two From headers", lambda w: mail(w, "", "VOTE: Boris", DAEMON, f"From: {EVE}", f"From: {ANNA}"), NOTHING),
    Forgery("two addresses in one From", lambda w: mail(w, f"{ANNA}, {EVE}"), NOTHING),
    Forgery("a group as From", lambda w: mail(w, f"players: {ANNA};"), NOTHING),
    Forgery("Reply-To", lambda w: mail(w, EVE, "VOTE: Boris", DAEMON, f"Reply-To: {ANNA}"), STRANGER),
    Forgery("Sender", lambda w: mail(w, EVE, "VOTE: Boris", DAEMON, f"Sender: {ANNA}"), STRANGER),
    Forgery("Return-Path", lambda w: mail(w, EVE, "VOTE: Boris", DAEMON, f"Return-Path: <{ANNA}>"), STRANGER),
    Forgery("Resent-From", lambda w: mail(w, EVE, "VOTE: Boris", DAEMON, f"Resent-From: {ANNA}"), STRANGER),
    Forgery(
        "a list that rewrote From",
        lambda w: mail(w, f"Anna via List <{EVE}>", "VOTE: Boris", DAEMON, f"X-Original-From: {ANNA}", "Precedence: list"),
        STRANGER,
    ),
    Forgery(
        "a domain that looks alike",
        lambda w: mail(w, "anna@pl\u0430yers.example.org"),
        (("anna@xn--plyers-4nf.example.org", "not in any"),),
    ),
    Forgery("a friend answers a forwarded private letter", lambda w: mail(w, EVE, "VOTE: Boris", private(w).reply_to), PASSED_ON),
    Forgery("a friend answers a forwarded public letter", lambda w: mail(w, EVE, "VOTE: Boris", public(w).reply_to), PASSED_ON),
    Forgery(
        "a reference to somebody's letter",
        lambda w: mail(w, EVE, "VOTE: Boris", DAEMON, f"In-Reply-To: {private(w).message_id}"),
        PASSED_ON,
    ),
    Forgery(
        "a fellow player uses another's secret",
        lambda w: mail(w, BORIS, "VOTE: Clara", private(w).reply_to),
        ((HOST, "A player has answered"), (BORIS, "went to somebody else")),
    ),
    Forgery(
        "From with the secret of another seat",
        lambda w: mail(w, ANNA, "VOTE: Boris", private(w, BORIS).reply_to),
        ((HOST, "A player has answered"), (ANNA, "went to somebody else")),
    ),
    Forgery("From with a guessed secret", lambda w: mail(w, ANNA, "VOTE: Boris", "mafia+0123456789abcdef0123@example.org"), ASKED),
    Forgery(
        "From with a guessed reference",
        lambda w: mail(w, ANNA, "VOTE: Boris", DAEMON, "In-Reply-To: <g1.private.mafia01.0123456789abcdef0123@example.org>"),
        ASKED,
    ),
    Forgery(
        "From with the right secret, and the server says fail",
        lambda w: mail(w, ANNA, "VOTE: Boris", private(w).reply_to, f"Authentication-Results: {FAIL}"),
        TOLD,
    ),
    Forgery("a mail that is sent again", received, NOTHING),
    Forgery(
        "other words under the mark of an old mail", lambda w: received(w).replace(b"Clara", b"Boris"), ((HOST, "only the first counts"),)
    ),
    Forgery("a stranger answers the confirmation", lambda w: mail(w, EVE, "", confirmation(w).reply_to), ((HOST, "another address"),)),
    Forgery("the host's From", lambda w: mail(w, HOST, "CLOSE ANYWAY"), ((HOST, "Did you write it?"),)),
    Forgery(
        "the host's From, and the server says fail",
        lambda w: mail(w, HOST, "CLOSE ANYWAY", DAEMON, "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org"),
        ((HOST, "in your own name is not genuine"),),
    ),
    Forgery(
        "a player with the host's secret",
        lambda w: mail(w, ANNA, "CLOSE ANYWAY", w.last(HOST).reply_to),
        ((HOST, "own name"), (ANNA, "went to somebody else")),
    ),
    Forgery("a player asks as if he hosted", lambda w: mail(w, ANNA, "CLOSE ANYWAY", private(w).reply_to), ((ANNA, "Only the host"),)),
    Forgery("the daemon's own From", lambda w: mail(w, DAEMON, "VOTE: Boris", private(w).reply_to), NOTHING),
    Forgery("the daemon's own mark", lambda w: mail(w, ANNA, "VOTE: Boris", private(w).reply_to, "X-Mafiamail: 1"), NOTHING),
    Forgery(
        "a report that the address is dead",
        lambda w: mail(
            w,
            "MAILER-DAEMON@evil.example.net",
            f"--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; {ANNA}\nAction: failed\nStatus: 5.1.1\n\n--b--",
            DAEMON,
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        ),
        ((HOST, "come back"),),
    ),
    Forgery(
        "a report that calls our letters spam",
        lambda w: mail(
            w, EVE, f"--b\n\nspam\n--b\nContent-Type: message/feedback-report\n\nOriginal-Rcpt-To: {ANNA}\n--b--", DAEMON, FEEDBACK
        ),
        NOTHING,
    ),
]


@pytest.mark.parametrize("forgery", TABLE, ids=lambda forgery: str(forgery.how))
def test_a_forgery_has_no_effect(forgery: Forgery) -> None:
    world = guarded()
    content = forgery.content(world)
    before = world.store.log.events(1)
    letters = world.raw(content)
    added = list(world.store.log.events(1))[len(before) :]
    assert all(isinstance(event, Heard) for event in added)
    assert not added or forgery.how in GENUINE
    assert len(letters) == len(forgery.gets)
    for to, words in forgery.gets:
        assert any(letter.to == to and words in letter.plain for letter in letters), [(letter.to, letter.plain) for letter in letters]
    assert not world.store.people.find(1, world.player("Anna").who).silent  # type: ignore[union-attr]
    assert "Boris" not in "".join(letter.plain for letter in letters if letter.to == EVE)


def test_there_are_at_least_thirty_of_them_and_no_two_alike() -> None:
    assert len({forgery.how for forgery in TABLE}) == len(TABLE) >= 30


def test_the_genuine_mail_of_each_kind_counts() -> None:
    world = guarded()
    for text, to, *headers in (
        ("VOTE: Boris", private(world).reply_to),
        ("VOTE: Clara", public(world).reply_to),
        ("VOTE: Boris", DAEMON, f"In-Reply-To: {private(world).message_id}"),
        ("VOTE: Clara", DAEMON, f"Authentication-Results: {PASS}"),
    ):
        world.raw(mail(world, ANNA, text, to, *headers))
        assert f"Your vote counts: {text[6:]}" in world.last(ANNA).plain


def test_the_host_hears_of_forgeries_once_a_day() -> None:
    world = guarded()
    for hour in range(30):
        world.raw(mail(world, ANNA, f"VOTE: Boris {hour}", DAEMON, f"Authentication-Results: {FAIL}"))
        world.wait(hours=1)
    assert len([letter for letter in world.to(HOST) if "not genuine" in letter.plain]) == 2


def test_nobody_is_asked_more_than_six_times_an_hour_whether_a_mail_was_his() -> None:
    world = guarded()
    asked = [len(world.raw(mail(world, ANNA, f"VOTE: Boris{attempt}"))) for attempt in range(10)]
    assert asked == [1] * 6 + [0] * 4


def test_what_proves_a_sender_can_be_chosen() -> None:
    plain, stamped = (ANNA, "VOTE: Boris"), (ANNA, "VOTE: Boris", DAEMON, f"Authentication-Results: {PASS}")
    failed = (ANNA, "VOTE: Boris", DAEMON, f"Authentication-Results: {FAIL}")
    for proof, counts in (("secret", (False, False, False)), ("verdict", (False, True, False)), ("address", (True, True, False))):
        for sent, counted in zip((plain, stamped, failed), counts, strict=True):
            world = guarded(more=f", proof: {proof}")
            world.raw(mail(world, *sent))
            assert bool(world.game().ballots) == counted, (proof, sent)


NEW = "anna.k@home.example.net"


def linked(world: World) -> World:
    """Anna has a second address: the first has said that it is hers, the second too."""
    world.raw(mail(world, NEW, "VOTE: Boris", private(world).reply_to))
    assert not world.game().ballots
    question = world.last(ANNA, "Is that other address yours too?")
    assert NEW in question.plain
    world.raw(mail(world, ANNA, "", question.reply_to))
    world.raw(mail(world, NEW, "", world.last(NEW, "Is that so?").reply_to))
    assert not world.game().ballots
    return world


def test_a_second_address_is_linked_by_a_letter_to_the_first_and_both_prove_the_seat() -> None:
    world = linked(guarded())
    world.raw(mail(world, NEW, "VOTE: Boris", private(world).reply_to))
    assert "Your vote counts: Boris" in world.last(NEW).plain
    world.raw(mail(world, ANNA, "VOTE: Clara", private(world).reply_to))
    assert "Your vote counts: Clara" in world.last(ANNA).plain
    world.raw(mail(world, NEW, "STATUS", DAEMON, "Authentication-Results: mx.example.org; dmarc=pass header.from=home.example.net"))
    assert "Clara" in world.last(NEW).plain


def test_a_second_address_that_says_nothing_is_not_linked() -> None:
    world = guarded()
    world.raw(mail(world, NEW, "VOTE: Boris", private(world).reply_to))
    world.raw(mail(world, ANNA, "", world.last(ANNA, "Is that other address").reply_to))
    world.raw(mail(world, NEW, "VOTE: Boris", private(world).reply_to))
    assert not world.game().ballots


def test_letters_go_to_the_address_from_which_he_wrote_last() -> None:
    world = linked(guarded())
    world.raw(mail(world, ANNA, "STATUS", private(world).reply_to))
    world.raw(mail(world, HOST, "ANNOUNCE: one", world.last(HOST).reply_to))
    assert "one" in world.last(ANNA).plain
    world.raw(mail(world, NEW, "VOTE: Boris", private(world).reply_to))
    world.raw(mail(world, HOST, "ANNOUNCE: two", world.last(HOST).reply_to))
    assert "two" in world.last(NEW).plain
    assert "two" not in world.last(ANNA).plain


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("", "so no server's verdict is believed"),
        (", authserv_id: mx.example.org", "or by the verdict of mx.example.org"),
        (", plus: false", "a reference to a letter that only they got"),
        (", authserv_id: mx.example.org, proof: secret", "and by nothing else"),
        (", proof: address", "whoever can write to this mailbox can play for anybody"),
    ],
)
def test_check_says_what_this_mailbox_can_prove(keys: str, words: str, tmp_path: Path) -> None:
    config = configuration.parse(OWN.format(mail=OUTSIDE + keys) + "database: 'sqlite:///:memory:'\n", tmp_path / "config.yaml")
    assert words in list(findings(config))[-1][0]
