"""Real mail and mail like it: each file of tests/mails is read as its line in expect.jsonl says."""

import json
from pathlib import Path
from typing import Any

import pytest

from mafiamail.mail.message import Raw, read
from tests.mail.reading import ARRIVED, SERVER, collapsed, reading, seat

MAILS = Path(__file__).parent.parent / "mails"
EXPECTED = [json.loads(line) for line in (MAILS / "expect.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: str(expected["file"]))
def test_a_sample_mail_is_read_as_it_should_be(expected: dict[str, Any]) -> None:
    found = reading((MAILS / expected["file"]).read_bytes(), expected["phase"].split()[0].lower())
    assert (found.verdict, found.why) == (expected["verdict"], expected["why"])
    assert found.commands == (expected["commands"] or [])
    assert collapsed(found.text) == collapsed(expected["text"])
    assert seat(found) == expected["sender"]
    assert ([found.bounce["kind"], found.bounce["address"]] if found.bounce else None) == expected["bounce"]
    assert not [leak for leak in expected["leaks"] or [] if leak in (found.text or "")]


def test_every_sample_mail_has_an_expectation() -> None:
    assert {path.name for path in MAILS.glob("*.eml")} == {expected["file"] for expected in EXPECTED}


def test_the_key_of_a_mail_without_message_id_is_a_digest_of_all_of_it() -> None:
    content = (MAILS / "25-no-message-id-date-lies.eml").read_bytes()
    mail = read(Raw(content, ARRIVED), SERVER)
    assert not mail.message_id
    assert mail.key == read(Raw(content, ARRIVED), SERVER).key
    assert mail.key != read(Raw(content + b"\n", ARRIVED), SERVER).key
    assert mail.arrived == ARRIVED
