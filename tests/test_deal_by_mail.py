"""The deal that nobody has to believe: LUCK, the digests in letters, the chronicle, `mafiamail verify`, and the README's ten lines."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mafiamail.cli import main
from mafiamail.lab.verify import BadChronicle, verify
from mafiamail.mail.outbound import write
from tests.kit import HOST, NAMES, World, address, new_game
from tests.mail.test_outbound import LETTER

README = Path(__file__).parent.parent / "README.md"
SIX = "2 mafia, doctor, commissar, 3 citizens"


def digest_in(text: str) -> str:
    return re.findall(r"\b[0-9a-f]{64}\b", text)[0]


def attached(mail: Message) -> dict[str, Any]:
    part = next(part for part in mail.walk() if part.get_content_disposition() == "attachment")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    chronicle: dict[str, Any] = json.loads(content)
    return chronicle


def played_out(lines: str = "tie = random") -> World:
    """A game whose first Day is a tie of all, decided by a lot; then its host ends it."""
    world = new_game(World(), SIX, lines=lines)
    order = [player.character for player in world.game().players.values()]
    for place, name in enumerate(order):
        world.say(name, f"VOTE: {order[(place + 1) % len(order)]}")
    confirm = world.mail(HOST, "END", to="mafia+g1@example.org")
    world.mail(HOST, "", answering=next(letter for letter in confirm if "Do you mean it?" in letter.text))
    return world


def test_the_receipt_of_the_first_join_shows_the_digest_that_counts() -> None:
    world = new_game(World(), SIX, started=False)
    receipt = world.to(address("Anna"))[0]
    assert digest_in(receipt.text) == world.player("Anna").digest
    again = world.mail(address("Anna"), "JOIN: Annette\nSomebody else.", to="mafia+g1@example.org")[0]
    assert digest_in(again.text) == digest_in(receipt.text) == world.player("Annette").digest


def test_luck_before_the_start_replaces_what_the_digest_is_made_of() -> None:
    world = new_game(World(), SIX, started=False)
    receipt = world.say("Boris", "УДАЧА:  семь   футов")[0]
    wanted = sha256("семь футов".encode()).hexdigest()
    assert digest_in(receipt.text) == wanted == world.player("Boris").digest
    assert "‹семь футов›" in receipt.text


@pytest.mark.parametrize("text", ["JOIN: Anna\nA guest.\nLUCK: forty-two", "LUCK: forty-two\nJOIN: Anna\nA guest."])
def test_luck_stands_in_the_join_mail_too(text: str) -> None:
    world = World()
    world.mail(HOST, f"NEW GAME\ncomposition = {SIX}")
    receipt = world.mail(address("Anna"), text, to="mafia+g1@example.org")[0]
    assert world.player("Anna").digest == sha256(b"forty-two").hexdigest()
    assert world.player("Anna").description == "A guest."
    assert sha256(b"forty-two").hexdigest() in receipt.text


def test_luck_after_the_start_and_the_luck_of_another_are_refused() -> None:
    world = new_game(World(), SIX, started=False)
    world.say("Anna", "LUCK: seven")
    assert "Another player adds the same" in world.say("Boris", "LUCK: seven")[0].text
    world.mail(HOST, "START", to="mafia+g1@example.org")
    assert "The game has begun already" in world.say("Clara", "LUCK: eight")[0].text


def test_two_who_apply_by_the_subject_alone_have_digests_of_their_own() -> None:
    world = World()
    world.mail(HOST, f"NEW GAME\ncomposition = {SIX}")
    for name in NAMES[:2]:
        world.mail(address(name), "", subject=f"JOIN: {name}", to="mafia+g1@example.org")
    assert world.player("Anna").digest != world.player("Boris").digest


def test_4_1_the_role_letter_lists_all_digests_by_seat() -> None:
    world = new_game(World(), SIX)
    letter = world.last(address("Clara"), "Your role")
    listed = re.findall(r"(mafia\d\d) +([0-9a-f]{64})", letter.text)
    assert listed == [(player.seat, player.digest) for player in world.game().players.values()]
    assert letter.text.index(listed[-1][1]) < letter.text.index("– – –")


def test_the_end_letter_attaches_the_chronicle_and_verify_finds_it_good() -> None:
    world = played_out()
    letter = world.last(address("Anna"), "The game is over")
    chronicle = attached(letter.mail)
    assert chronicle["seal"] in world.to(HOST)[0].text
    assert chronicle["lots"][0]["label"] == "tie 1"
    findings = verify(json.dumps(chronicle))
    assert [(finding.what, finding.good) for finding in findings] == [
        (what, True) for what in ("seal", "digests", "seats", "roles", "tie 1")
    ]
    assert "chronicle-1.json" in str(letter.mail)


def test_an_attachment_stands_beside_both_bodies_and_its_name_breaks_no_header() -> None:
    content = write(replace(LETTER, attachments=(('a"\r\nBcc: eve@example.org\r\n.json', b'{"x": 1}' * 40),)))
    mail = message_from_bytes(content)
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "application/json"]
    assert list(mail.walk())[-1].get_filename() == "aBcceveexample.org.json"
    assert "Bcc" not in mail
    assert max(map(len, content.split(b"\r\n"))) <= 78


def _another_seed(chronicle: dict[str, Any]) -> None:
    chronicle["seed"] = "0" * 64


def _another_role(chronicle: dict[str, Any]) -> None:
    first, second = (next(one for one in chronicle["players"] if one["role"] == role) for role in ("doctor", "mafia"))
    first["role"], second["role"] = second["role"], first["role"]


def _another_digest(chronicle: dict[str, Any]) -> None:
    chronicle["players"][0]["digest"] = "0" * 64


def _another_execution(chronicle: dict[str, Any]) -> None:
    day = next(part for part in chronicle["phases"] if "day" in part)
    day["executed"] = [next(name for name in chronicle["lots"][0]["between"] if name not in day["executed"])]


@pytest.mark.parametrize("forge", [_another_seed, _another_role, _another_digest, _another_execution])
def test_verify_finds_what_was_forged(forge: Any, tmp_path: Path) -> None:
    chronicle = attached(played_out().last(address("Anna"), "The game is over").mail)
    forge(chronicle)
    file = tmp_path / "chronicle.json"
    file.write_text(json.dumps(chronicle), encoding="utf-8")
    answer = CliRunner().invoke(main, ["verify", str(file), "--json"])
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["good"] is False
    assert CliRunner().invoke(main, ["verify", str(file)]).stdout.count("FAIL") >= 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"mafiamail": 1}', '{"mafiamail": 1, "seed": 5, "seal": 6}', "seed: x"])
def test_what_is_no_chronicle_is_refused(text: str) -> None:
    with pytest.raises(BadChronicle):
        verify(text)


def test_a_file_that_cannot_be_read_is_refused_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    refused = CliRunner().invoke(main, ["verify", str(tmp_path / "bad.json")])
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "no chronicle of mafiamail" in refused.stderr
    assert CliRunner().invoke(main, ["verify", str(tmp_path / "none.json")]).exit_code == 2


def test_the_readmes_ten_lines_deal_the_same_by_hand(tmp_path: Path) -> None:
    chronicle = attached(played_out().last(address("Anna"), "The game is over").mail)
    (tmp_path / "chronicle-1.json").write_text(json.dumps(chronicle), encoding="utf-8")
    section = README.read_text(encoding="utf-8").partition("## Check the deal by hand")[2].partition("\n## ")[0]
    code = re.findall(r"```python\n(.*?)```", section, re.S)[0]
    assert len(code.strip().splitlines()) <= 11
    # S603: the README's own lines, which are what this test is about
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "chronicle-1.json")], capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    assert lines[0] == chronicle["seal"]
    assert [tuple(line.split(" ", 2)) for line in lines[1:]] == [(one["seat"], one["digest"], one["role"]) for one in chronicle["players"]]
    shell = re.findall(r"printf %s (\S+) \| sha256sum", section)
    assert len(shell) == 2
