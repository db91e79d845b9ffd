"""Who wrote a mail, and what the own mail server says of it. Thirty ways of pretending, and what each of them gets."""

import pytest

from mafiamail.mail import identity

OWN = "mx.example.org"
ANNA = "anna.k@mail.example.org"


def sender(value: str, *more: str) -> str | None:
    return identity.sender([("from", value), *(("from", other) for other in more)])


@pytest.mark.parametrize(
    "value",
    [
        *(
            ANNA,
            f"<{ANNA}>",
            f"Anna <{ANNA}>",
            f'"Anna K." <{ANNA}>',
            f'"Anna \\"K\\"" <{ANNA}>',
            "ANNA.K@Mail.Example.ORG",
            f"K, Anna <{ANNA}>",
        ),
        *(
            f"=?utf-8?B?0JDQvdC90LA=?= <{ANNA}>",
            f"{ANNA} <{ANNA}>".replace("@", "@"),
            f'"{ANNA}" <{ANNA}>',
            f"  Anna\t<{ANNA}>  ",
            f"'Anna' <{ANNA}>",
        ),
        *("Анна".encode("koi8-r").decode("ascii", "surrogateescape") + f" <{ANNA}>", f"<{ANNA}.>"),
    ],
)
def test_an_honest_from_names_one_address(value: str) -> None:
    assert sender(value) == (ANNA if value != f"{ANNA} <{ANNA}>" else None)


@pytest.mark.parametrize(
    "value",
    [
        *(
            f"{ANNA} (c) <eve@bad.example>",
            f"(x) {ANNA}",
            f"{ANNA} (Anna)",
            f"{ANNA}, eve@bad.example",
            f"Anna <{ANNA}>, Eve <eve@bad.example>",
        ),
        *(
            f"{ANNA}) <eve@bad.example>",
            "anna.k@mail.example.org)b@bad.example",
            f"{ANNA} <eve@bad.example>",
            f'"{ANNA}" <eve@bad.example>',
        ),
        *(f"=?utf-8?Q?{ANNA.replace('@', '=40')}?= <eve@bad.example>", f"<{ANNA}> <eve@bad.example>", f"<eve@bad.example> <{ANNA}>"),
        *(
            f"friends: {ANNA};",
            "<>",
            "",
            "anna",
            "@mail.example.org",
            "anna@",
            f"<{ANNA}",
            f"{ANNA}>",
            f"Anna <{ANNA}> x",
            '"anna k"@mail.example.org',
        ),
        *(f"<@bad.example:{ANNA}>", f"Anna <{ANNA}\x00>", "anna..k@mail.example.org", ".anna@mail.example.org", "anna.k@mail..example.org"),
        *("anna.k@mail.example.org\u0430", "а" + ANNA[1:], "anna.\u212a@mail.example.org", "anna.k@mail.e\uff58ample.org"),
    ],
)
def test_a_from_that_two_programs_read_differently_names_nobody(value: str) -> None:
    found = sender(value)
    assert found is None or found.startswith("anna.k@xn--") or ".xn--" in found


def test_two_from_headers_name_nobody() -> None:
    assert sender(ANNA, "eve@bad.example") is None
    assert identity.sender([]) is None


def test_a_foreign_domain_is_compared_as_dns_knows_it() -> None:
    assert sender("anna@почта.example") == "anna@xn--80a1acny.example"


def test_the_shown_name_is_only_for_finding_it_in_signatures() -> None:
    assert identity.shown_name([("from", f"=?utf-8?B?0JDQvdC90LA=?= <{ANNA}>")]) == "Анна"
    assert identity.shown_name([("from", ANNA)]) == ""


def test_every_way_to_the_mailbox_is_a_recipient() -> None:
    headers = [
        ("to", '"Host, the" <Mafia+abc@Example.org>, b@example.net'),
        ("delivered-to", "mafia@example.org"),
        ("x-original-to", "mafia+xyz@example.org"),
    ]
    assert identity.recipients(headers) == ("mafia+abc@example.org", "b@example.net", "mafia@example.org", "mafia+xyz@example.org")


RECEIVED = ("received", "from out3 by mx.example.org; Wed, 13 May 2026 10:12:44 +0300")
PASS = (
    "authentication-results",
    f"{OWN}; spf=pass smtp.mailfrom={ANNA}; dkim=pass header.d=mail.example.org; dmarc=pass header.from=mail.example.org",
)
FAIL = ("authentication-results", f"{OWN}; spf=fail smtp.mailfrom={ANNA}; dmarc=fail (p=none) header.from=mail.example.org")


def result(text: str) -> tuple[str, str]:
    return ("authentication-results", f"{OWN}; {text}")


@pytest.mark.parametrize(
    ("headers", "verdict"),
    [
        ([RECEIVED, PASS], "pass"),
        ([PASS, RECEIVED], "pass"),
        ([RECEIVED, FAIL], "fail"),
        ([RECEIVED], "none"),
        ([RECEIVED, ("authentication-results", "other.example.org; dmarc=pass header.from=mail.example.org")], "none"),
        ([RECEIVED, ("authentication-results", "dmarc=pass header.from=mail.example.org")], "none"),
        ([RECEIVED, FAIL, PASS], "fail"),
        ([RECEIVED, PASS, FAIL], "fail"),
        ([RECEIVED, FAIL, ("received", "from eve"), PASS], "fail"),
        ([RECEIVED, result("none"), ("received", "from eve"), PASS], "none"),
        ([RECEIVED, result("spf=softfail smtp.mailfrom=x@bad.example; dkim=none"), PASS], "none"),
        ([RECEIVED, result("iprev=pass"), result("arc=none"), result("x-ptr=pass smtp.helo=bad.example"), PASS], "pass"),
        ([RECEIVED, result("spf=pass smtp.mailfrom=x@esp.example"), PASS], "pass"),  # one server, its verdict in several headers
        ([RECEIVED, result("spf=none; dkim=none"), result("dmarc=pass header.from=mail.example.org")], "none"),
        ([RECEIVED, result("dkim=none"), PASS], "none"),
        ([RECEIVED, result("dkim=pass header.d=bad.example; dmarc=none")], "none"),
        ([RECEIVED, result("dkim=pass header.d=example.org")], "pass"),
        ([RECEIVED, result("dkim=pass header.d=org")], "none"),
        ([RECEIVED, result("dkim=pass header.i=@mail.example.org")], "pass"),
        ([RECEIVED, result("dmarc=pass header.from=bad.example")], "none"),
        ([RECEIVED, result("spf=pass smtp.mailfrom=eve@bad.example")], "none"),
        ([RECEIVED, result("spf=pass smtp.mailfrom=mail.example.org")], "pass"),
        ([RECEIVED, result("spf=fail smtp.mailfrom=mail.example.org; dkim=pass header.d=mail.example.org; dmarc=pass")], "pass"),
        ([RECEIVED, result("dkim=fail header.d=mail.example.org; dmarc=none")], "fail"),
        ([RECEIVED, ("authentication-results", f"{OWN} 1; dmarc=pass (dmarc=fail; (x)) header.from=mail.example.org")], "pass"),
        ([RECEIVED, ("authentication-results", f"(mx.example.org;) bad.example; x=({OWN}; dmarc=pass)")], "none"),
        ([RECEIVED, ("authentication-results", "MX.Example.ORG; DMARC=Pass header.from=mail.example.org")], "pass"),
        ([RECEIVED, ("authentication-results", f"bad.example; a=b; {OWN}; dmarc=pass header.from=mail.example.org")], "none"),
        ([RECEIVED, ("arc-authentication-results", f"i=1; {OWN}; dmarc=pass header.from=mail.example.org")], "none"),
        ([RECEIVED, ("x-authentication-results", f"{OWN}; dmarc=pass header.from=mail.example.org")], "none"),
        ([RECEIVED, ("authentication-results", ";;;===(((")], "none"),
    ],
)
def test_only_the_own_servers_verdict_counts_and_a_fail_wins(headers: list[tuple[str, str]], verdict: str) -> None:
    assert identity.verdict(headers, OWN, ANNA) == verdict


def test_without_a_known_server_there_is_no_verdict() -> None:
    assert identity.verdict([RECEIVED, PASS], None, ANNA) == "none"
    assert identity.verdict([RECEIVED, PASS], OWN, None) == "none"


def test_a_server_that_writes_no_name_counts_where_it_is_configured_so() -> None:
    headers = [
        RECEIVED,
        (
            "authentication-results",
            "spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=mail.example.org; dkim=pass header.d=mail.example.org; dmarc=pass",
        ),
    ]
    assert identity.verdict(headers, "none", ANNA) == "pass"
    assert identity.verdict(headers, OWN, ANNA) == "none"
