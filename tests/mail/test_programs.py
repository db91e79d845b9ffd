"""What mail programs make of a reply, one each: the commands, and what may be shown to others."""

import pytest

from tests.mail.reading import collapsed, reading

HEAD = (
    "Return-Path: <owen@icl.example.org>\nFrom: Owen Price <owen@icl.example.org>\nTo: mafia@example.org\n"
    "Subject: [Dacha] Day 2\nMessage-ID: <a@icl.example.org>\n"
)
LETTER = (
    "[Dacha village] Day 2. The vote is open.\nTo vote, answer with a line of its own, for example:\n"
    "VOTE: Secret Postman\nГОЛОС: Лесник\nDo not forward."
)
QUOTED = "> " + LETTER.replace("\n", "\n> ")
INDENTED, SHIFTED, HTML = LETTER.replace("\n", "\n    "), LETTER.replace("\n", "\n "), LETTER.replace("\n", "<br>")

PLAIN_MAILS: dict[str, tuple[str, list[str], str | None, str | None]] = {  # body, votes, text for all, why not
    "roundcube ru": ("ГОЛОС: Ёжик\n\nВедущий писал 2026-05-13 07:02:\n" + QUOTED, ["Ёжик"], None, None),
    "roundcube de": ("ГОЛОС: Ёжик\n\nAm 2026-05-13 07:02, schrieb Mafia host:\n" + QUOTED, ["Ёжик"], None, None),
    "roundcube en unmarked": ("ГОЛОС: Ёжик\n\nOn 2026-05-13 07:02, Mafia host wrote:\n" + LETTER, ["Ёжик"], None, None),
    "zoho": (
        "ГОЛОС: Ёжик\n\n---- On Wed, 13 May 2026 07:02:19 +0300 Mafia host <mafia@example.org> wrote ----\n" + LETTER,
        ["Ёжик"],
        None,
        None,
    ),
    "zoho ru": (
        "ГОЛОС: Ёжик\n\n---- Вкл ср, 13 май 2026 07:02:19 +0300 Ведущий <mafia@example.org> написал ----\n" + LETTER,
        ["Ёжик"],
        None,
        None,
    ),
    "samsung": (
        (
            "ГОЛОС: Ёжик\n\n\nОтправлено с моего Galaxy\n\n\n-------- Исходное сообщение --------\n"
            "От: Ведущий <mafia@example.org>\nДата: 13.05.2026 07:02 (GMT+03:00)\nКому: owen@icl.example.org\n"
            "Тема: [Dacha] Day 2\n\n"
        )
        + LETTER,
        ["Ёжик"],
        None,
        None,
    ),
    "zimbra": (
        (
            'ГОЛОС: Ёжик\n\n----- Исходное сообщение -----\nОт: "Ведущий" <mafia@example.org>\n'
            'Кому: "owen" <owen@icl.example.org>\nОтправленные: Среда, 13 Май 2026 г 7:02:19\nТема: Day 2\n\n'
        )
        + LETTER,
        ["Ёжик"],
        None,
        None,
    ),
    "winmail app": (
        (
            "ГОЛОС: Ёжик\n\nОтправлено из Почты для Windows\n\nОт: Ведущий\nОтправлено: 13 мая 2026 г. в 7:02\n"
            "Кому: owen@icl.example.org\nТема: [Dacha] Day 2\n\n"
        )
        + LETTER,
        ["Ёжик"],
        None,
        None,
    ),
    "yahoo": (
        "VOTE: Duchess\n\n    On Wednesday, May 13, 2026 at 07:02:19 AM GMT+3, Mafia host <mafia@example.org> wrote:  \n \n " + SHIFTED,
        ["Duchess"],
        None,
        None,
    ),
    "banner no blank": ("[EXTERNAL EMAIL] Be careful\nVOTE: Duchess\n", ["Duchess"], None, None),
    "banner": ("EXTERNAL SENDER: do not click.\n\nVOTE: Duchess\n", ["Duchess"], None, None),
    "caution ru": ("Внимание! Это письмо получено от внешнего отправителя. Не открывайте вложения.\n\nГОЛОС: Ёжик", ["Ёжик"], None, None),
    "mutt custom": ("VOTE: Duchess\n\n* Mafia host <mafia@example.org> [2026-05-13 07:02]:\n" + QUOTED, ["Duchess"], None, None),
    "person wrote above quote": ("I disagree.\n\nMafia host wrote:\n" + QUOTED, [], "I disagree.", None),
    "quote depth": ("> > VOTE: x\n>> VOTE: y\n\nNo.", [], "No.", None),
    "bottom no blank": (QUOTED + "\nVOTE: Duchess", ["Duchess"], None, None),
    "multi votes w near": ("VOTE: Duchess\nVOTE Old Tom\n", ["Duchess"], None, None),
    "tab quoted": ("VOTE: Duchess\n\n\t> VOTE: x\n", ["Duchess"], None, None),
    "nfd": ("ГОЛОС: Ёжик\n", ["Ёжик"], None, None),
    "dot after": ("VOTE: Duchess.\n", ["Duchess"], None, None),
    "greeting same line": ("Hi, VOTE: Duchess\n", [], None, "near-command"),
    "sig en dash": ("VOTE: Duchess\n\n–\nOwen", ["Duchess"], None, None),
    "sig leak 2": ("I am the law.\n\nOwen", [], "I am the law.", None),
    "sig leak 3": ("I am the law.\n- Owen Price", [], "I am the law.", None),
    "sig leak 4": ("I am the law.\n\nBest regards,\nOwen Price | CEO | owen@icl.example.org", [], "I am the law.", None),
    "sig phone mid": ("I am the law.\n\nO.P.\n+44 20 7946 0123", [], "I am the law.", None),
    "reaction en": (
        "👍 Owen Price reacted to your message:\n\nFrom: Mafia host <mafia@example.org>\nSent: Wed\nTo: x\nSubject: y\n\n" + LETTER,
        [],
        None,
        "reaction",
    ),
    "liked": ("Owen Price liked your message", [], None, "reaction"),
    "cont": (
        (
            "VOTE: Duchess\n\nFrom: Mafia host <mafia@example.org>\nDate: Wed, 13 May 2026\n"
            "To: someone very long name <a@example.org>,\n another <b@example.org>,\n third <c@example.org>\n"
            "Subject: x\n\n"
        )
        + LETTER,
        ["Duchess"],
        None,
        None,
    ),
    "zwnj keyword": ("V\u200cO\u200dT\u2060E\ufeff: Duchess", ["Duchess"], None, None),
    "spaced keyword": ("V O T E: Duchess", [], None, "near-command"),
    "trailing rule": ("ГОЛОС: Ёжик\n---\n", ["Ёжик"], None, None),
    "thunderbird fwd de": (
        "-------- Weitergeleitete Nachricht --------\nBetreff: x\nDatum: y\nVon: z\nAn: w\n\n" + LETTER,
        [],
        None,
        "forward-only",
    ),
    "quote pipe": ("| VOTE: x\n\nNo way.", [], None, "near-command"),
    "outlook de": (
        "VOTE: Duchess\n\nVon: Mafia host <mafia@example.org>\nGesendet: Mittwoch, 13. Mai 2026 07:02\nAn: Owen\nBetreff: x\n\n" + LETTER,
        ["Duchess"],
        None,
        None,
    ),
    "outlook uk": (
        "VOTE: Duchess\n\nВід: Mafia host <mafia@example.org>\nНадіслано: середа\nКому: Owen\nТема: x\n\n" + LETTER,
        ["Duchess"],
        None,
        None,
    ),
    "gmail uk": (
        "VOTE: Duchess\n\nср, 13 трав. 2026 р. о 07:02 Mafia host <mafia@example.org> пише:\n\n" + QUOTED,
        ["Duchess"],
        None,
        None,
    ),
    "iphone de": (
        "VOTE: Duchess\n\nVon meinem iPhone gesendet\n\n> Am 13.05.2026 um 07:02 schrieb Mafia host <mafia@example.org>:\n> \n" + QUOTED,
        ["Duchess"],
        None,
        None,
    ),
    "gmail de": (
        "VOTE: Duchess\n\nAm Mi., 13. Mai 2026 um 07:02 Uhr schrieb Mafia host <\nmafia@example.org>:\n\n" + QUOTED,
        ["Duchess"],
        None,
        None,
    ),
    "gmail old ru": (
        "VOTE: Duchess\n\n13 мая 2026 г., 7:02 пользователь Ведущий <mafia@example.org> написал:\n" + LETTER,
        ["Duchess"],
        None,
        None,
    ),
    "outlook 2019 ru": (
        'VOTE: Duchess\n\n13/05/2026, 07:02 пользователь "Ведущий" <mafia@example.org> написал:\n\n    ' + INDENTED,
        ["Duchess"],
        None,
        None,
    ),
    "three-line attribution": (
        (
            "VOTE: Duchess\n\nOn Wednesday, 13 May 2026 at 07:02:19 EEST, the Mafia host of the game called\n"
            "Dachny posyolok <\nmafia@example.org> wrote:\n\n"
        )
        + LETTER,
        ["Duchess"],
        None,
        None,
    ),
    "apple fwd": (
        "Look!\n\nBegin forwarded message:\n\nFrom: Mafia host <mafia@example.org>\nSubject: x\nDate: y\nTo: z\n\n" + LETTER,
        [],
        "Look!",
        None,
    ),
    "text that starts w date": (
        "On Wed 13 May I was at home.\nI saw nobody: not even the cat.\n",
        [],
        "On Wed 13 May I was at home. I saw nobody: not even the cat.",
        None,
    ),
    "text w To: line": ("To: everybody\nI am innocent.\n", [], "To: everybody I am innocent.", None),
    "text w dialogue": ("— Where were you?\n— At home.\n", [], "— Where were you? — At home.", None),
    "time": ("Meet at 7:30 at the pond: bring a lamp.\n", [], "Meet at 7:30 at the pond: bring a lamp.", None),
    "number": ("I counted 2 3 4 5 6 7 boots.\n", [], "I counted 2 3 4 5 6 7 boots.", None),
}

HTML_MAILS: dict[str, tuple[str, list[str], str | None, str | None]] = {  # body, votes, text for all, why not
    "html simple": ("<div>VOTE: Old&nbsp;Tom</div>", ["Old Tom"], None, None),
    "html no tags": ("VOTE: Old Tom", ["Old Tom"], None, None),
    "html p list": ("<ul><li>VOTE: Duchess</li><li>hello</li></ul>", ["Duchess"], "hello", None),
    "html pre": ("<pre>hi\nVOTE: Duchess\n</pre>", ["Duchess"], "hi", None),
    "html entities": ("VOTE&#58;&#32;Du&shy;chess<br>", ["Duchess"], None, None),
    "html font runs": ("<font>V</font><font>O</font><wbr>TE<i>:</i> <u>Duch</u>ess", ["Duchess"], None, None),
    "html outlook ru mobile": (
        (
            '<div dir="auto">ГОЛОС: Ёжик</div><div id="ms-outlook-mobile-signature">'
            '<div><br></div>Получить <a href="x">Outlook для iOS</a></div><hr tabindex="-1">'
            '<div id="divRplyFwdMsg"><b>От:</b> Ведущий<br><b>Отправлено:</b> x<br></div>'
        )
        + HTML
        + "",
        ["Ёжик"],
        None,
        None,
    ),
    "html new outlook": (
        '<div class="elementToProof">ГОЛОС: Ёжик</div><div id="mail-editor-reference-message-container"><div>От: x</div>' + HTML + "</div>",
        ["Ёжик"],
        None,
        None,
    ),
    "html yahoo": (
        '<div class="ydp1">VOTE: Duchess</div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Wed, X wrote:</div>'
        + HTML
        + "</div>",
        ["Duchess"],
        None,
        None,
    ),
    "html gmail fwd": (
        (
            '<div dir="ltr"><br><br><div class="gmail_quote">'
            '<div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>От: x</div>'
        )
        + HTML
        + "</div></div>",
        [],
        None,
        "forward-only",
    ),
    "html bold attribution no container": (
        '<div>VOTE: Duchess</div><div>13.05.2026 07:02, Ведущий пишет:</div><blockquote type="cite">' + HTML + "</blockquote>",
        ["Duchess"],
        None,
        None,
    ),
    "html outlook headers no mark": (
        "<p>VOTE: Duchess</p><p><b>From:</b> Mafia host<br><b>Sent:</b> x<br><b>To:</b> y<br><b>Subject:</b> z</p><p>" + HTML + "</p>",
        ["Duchess"],
        None,
        None,
    ),
}


def check(content: str, votes: list[str], text: str | None, why: str | None) -> None:
    found = reading(content.encode())
    assert found.commands == [["VOTE", name] for name in votes]
    assert (collapsed(found.text), found.why) == (text, why)


@pytest.mark.parametrize("name", PLAIN_MAILS)
def test_a_plain_reply_is_read_whatever_program_wrote_it(name: str) -> None:
    body, votes, text, why = PLAIN_MAILS[name]
    check(f"{HEAD}Content-Type: text/plain; charset=utf-8\n\n{body}", votes, text, why)


@pytest.mark.parametrize("name", HTML_MAILS)
def test_an_html_reply_is_read_whatever_program_wrote_it(name: str) -> None:
    body, votes, text, why = HTML_MAILS[name]
    check(f"{HEAD}Content-Type: text/html; charset=utf-8\n\n{body}", votes, text, why)
