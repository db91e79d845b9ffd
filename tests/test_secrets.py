"""Nobody reads what he may not know: random games of many parties, with players who also write at the wrong time and what is not theirs."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, groupby, pairwise

import pytest

from mafiamail.demo.script import Move
from mafiamail.game.events import NightResolved
from mafiamail.game.model import Game, Player, Stage
from mafiamail.store import tables
from tests.kit import HOST, LANGUAGES, Letter, World, address, new_game
from tests.programme import RULE
from tests.theatre import TROUPE, Step, Theatre, fixed_secrets

SETUPS = (  # (party, further lines of NEW GAME)
    *(
        ("1", ""),
        ("2", "reveal = role"),
        ("3", "victory = parity"),
        ("5", "victory = parity"),
        ("6", "victory = parity"),
        ("7", "victory = parity"),
    ),
    *(
        ("8", ""),
        ("9", "victory = parity"),
        ("11", "reveal = side"),
        ("unnumbered", "victory = parity"),
        ("12", "victory = parity\ntie = all"),
    ),
    *(
        ("13", ""),
        ("15", "victory = parity\nfamily_orders = last"),
        ("16", "victory = parity"),
        ("17", "victory = parity"),
        ("18", "begins = night\nvictory = parity"),
    ),
)
GAMES = [(party, lines, seed) for seed in (101, 102) for party, lines in SETUPS]
PLAYED = pytest.mark.parametrize(("party", "lines", "seed"), GAMES, ids=[f"party {party}, {seed}" for party, _, seed in GAMES])
SAME_SHAPE = ("role", "night", "morning", "reminder")
PERSON = {actor.address: actor for actor in TROUPE}


@cache
def played(party: str, lines: str, seed: int) -> tuple[Theatre, dict[str, str]]:
    """The game, and of what kind each letter of it was, by its Message-ID."""
    theatre = Theatre(party, seed, "en" if seed % 2 else "ru", lines, noise=0.25).play()
    return theatre, {row.message_id: row.kind for row in tables.Letter.select(tables.Letter.message_id, tables.Letter.kind)}


def before_the_end(theatre: Theatre) -> Iterator[tuple[Step, Letter]]:
    for step in theatre.steps:
        if step.game.phase.stage is not Stage.OVER:
            yield from ((step, letter) for letter in step.letters)


@cache
def visible(html: str) -> str:
    """What a reader, a preview or a screen reader gets of an HTML letter."""
    return " ".join(re.sub(r"(?s)<style.*?</style>|<title.*?</title>|<!--.*?-->|<[^>]*>", " ", html).split())


def words_for_roles() -> re.Pattern[str]:
    found: set[str] = set()
    for language in LANGUAGES.names:
        for role in LANGUAGES.words(language)["roles"].values():
            found |= {role["name"].lower(), *(word.lower() for word in role["count"])}
    return re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(found, key=len, reverse=True))) + r")\b", re.IGNORECASE)


ROLES = words_for_roles()


def reader_of(game: Game, letter: Letter) -> Player | None:
    """The player to whom a letter goes; None for the host and for who has not joined."""
    name = PERSON[letter.to].name if letter.to in PERSON else ""
    return next((player for player in game.players.values() if player.character == name), None)


def named(game: Game, text: str, but: Player | None = None) -> list[Player]:
    return [player for player in game.players.values() if player is not but and player.character in text]


# addresses, people, keys, secrets


@PLAYED
def test_no_letter_holds_an_address_a_persons_name_or_a_key_of_anybody_else(party: str, lines: str, seed: int) -> None:
    theatre, _ = played(party, lines, seed)
    key = re.compile(r"\bp[1-9][0-9]?\b")
    known = {actor.address: (actor.address.encode(), actor.person) for actor in theatre.actors} | {HOST: (HOST.encode(), "The Host")}
    for letter in theatre.letters:
        headers = letter.content.partition(b"\r\n\r\n")[0].lower()
        words = f"{letter.subject} {letter.header('From')} {letter.text} {letter.html}"
        for reader, (written, person) in known.items():
            if reader != letter.to:
                assert written not in headers
                assert written.decode() not in words.lower()
                assert person not in words
        assert not key.search(letter.text), letter.text


@PLAYED
def test_the_secret_in_a_reply_address_is_known_to_one_reader(party: str, lines: str, seed: int) -> None:
    theatre, _ = played(party, lines, seed)
    readers: dict[str, set[str]] = {}
    for letter in theatre.letters:
        readers.setdefault(letter.reply_to, set()).add(letter.to)
    shared = {address for address, people in readers.items() if len(people) > 1}
    assert shared <= {"mafia@example.org"}
    secret = re.compile("|".join(re.escape(address.partition("@")[0]) for address in readers if "+" in address))
    assert not [letter.text for letter in theatre.letters if secret.search(letter.text) or secret.search(letter.html)]


# roles


@PLAYED
def test_no_line_names_another_player_together_with_his_role(party: str, lines: str, seed: int) -> None:
    theatre, kinds = played(party, lines, seed)
    reveals = "reveal" in lines
    for step, letter in before_the_end(theatre):
        reader = reader_of(step.game, letter)
        if letter.to == HOST or reader is None:
            continue
        for line in chain(letter.text.splitlines(), [visible(part) for part in re.split(r"</?(?:p|tr|li|div|br)\b", letter.html)]):
            others = named(step.game, line, but=reader)
            if not others or not ROLES.search(_without_names(step.game, line)):
                continue
            dossier = kinds[letter.message_id] == "morning" and reader.role == "commissar"
            revealed = reveals and all(not player.alive for player in others)
            own = reader.side == "mafia" and all(player.side == "mafia" for player in others)
            assert dossier or revealed or own, (letter.to, kinds[letter.message_id], line)


def _without_names(game: Game, line: str) -> str:
    for player in game.players.values():
        line = line.replace(player.character, "…")
    return line


@PLAYED
def test_only_a_commissar_has_a_dossier_and_it_is_his_own(party: str, lines: str, seed: int) -> None:
    theatre, kinds = played(party, lines, seed)
    for step, letter in before_the_end(theatre):
        if kinds[letter.message_id] == "morning":
            reader = reader_of(step.game, letter)
            assert reader is not None
            told = named(step.game, letter.text.partition(RULE)[2])
            recruited = reader.side == "mafia" and all(player.side == "mafia" for player in told)  # 2.18
            assert reader.role == "commissar" or recruited or not told, letter.text


@PLAYED
def test_family_talk_and_orders_stay_in_the_family(party: str, lines: str, seed: int) -> None:
    theatre, kinds = played(party, lines, seed)
    for step, letter in before_the_end(theatre):
        if kinds[letter.message_id] in ("family", "family_order"):
            reader = reader_of(step.game, letter)
            writer = next(player for player in step.game.players.values() if step.actor and player.character == step.actor.name)
            assert reader is not None
            assert reader is not writer
            assert reader.side == writer.side
            assert reader.role in ("mafia", "alternative mafia", "recruiter") or reader.side == "mafia"


# one shape


def alike(letters: list[Letter], text: float) -> bool:
    """The text within this factor, and the whole letter, as whoever sees the mail pass by could measure it, within 15 %."""
    texts, whole = ([len(letter.text) for letter in letters], [len(letter.content) for letter in letters])
    return max(texts) <= text * min(texts) and max(whole) <= 1.15 * min(whole)


def of_one_moment(theatre: Theatre, kinds: dict[str, str]) -> Iterator[tuple[Step, Step, str, list[Letter]]]:
    """The letters of one kind that went out together, if it is a kind that all the living get; with the steps before and after."""
    for before, step in pairwise(theatre.steps):
        letters = sorted((kinds[letter.message_id], position) for position, letter in enumerate(step.letters))
        for kind, group in groupby(letters, key=lambda item: item[0]):
            by_day = kind == "reminder" and step.game.phase.stage is Stage.DAY
            if kind in SAME_SHAPE and not by_day:
                yield before, step, kind, [step.letters[position] for _, position in group]


@PLAYED
def test_role_night_morning_and_reminder_go_to_all_the_living_in_one_shape_4_1(party: str, lines: str, seed: int) -> None:
    """4.1, 3.3.5: no one can tell roles by who got mail, nor by its size."""
    theatre, kinds = played(party, lines, seed)
    seen = set()
    for before, step, kind, letters in of_one_moment(theatre, kinds):
        seen.add(kind)
        readers = {reader.character for letter in letters if (reader := reader_of(step.game, letter))}
        assert (
            living(step.game) <= readers <= living(before.game) | living(step.game)
        )  # who goes in the morning (3.2.3) has lived till then
        assert len(letters) == len(readers)
        assert len({letter.subject.partition("] ")[2] for letter in letters}) <= 2  # one in each language
        for language in ("Private", "Личное"):
            same = [letter for letter in letters if language in letter.subject]
            if same:
                sizes = sorted((len(letter.text), len(letter.content)) for letter in same)
                assert alike(same, 1.2 if party == "17" else 1.15), (kind, sizes)  # 2.18: a recruit learns five names at once
                assert len({_open_lines(letter) for letter in same}) == 1, kind
    assert {"role", "night", "morning"} <= seen


def living(game: Game) -> set[str]:
    return {player.character for player in game.players.values() if player.alive}


def _open_lines(letter: Letter) -> tuple[int, ...]:
    """How the part before the rule looks: the number of words of each line, names taken as one."""
    opening, _, _ = letter.text.partition(RULE)
    for actor in TROUPE:
        opening = opening.replace(actor.name, "…")
    return tuple(len(line.split()) for line in opening.splitlines())


# the lock screen


@PLAYED
def test_subject_and_first_200_signs_of_a_private_letter_say_nothing_secret(party: str, lines: str, seed: int) -> None:
    theatre, kinds = played(party, lines, seed)
    for step, letter in before_the_end(theatre):
        reader = reader_of(step.game, letter)
        if reader is None or not any(word in letter.subject for word in ("Private", "Личное")):
            continue
        for head in (f"{letter.subject} {letter.text[:200]}", visible(letter.html)[:200]):
            assert step.text in ("RULES", "HELP") or not ROLES.search(_without_names(step.game, head)), head
            if kinds[letter.message_id] != "receipt" or not _public(step):
                assert not named(step.game, head, but=reader), (kinds[letter.message_id], step.text, head)


ORDERS = (
    "KILL",
    "ЛЕЧИТЬ",
    "CHECK",
    "БЛОК",
    "SHOOT",
    "ЗАСТРЕЛИТЬ",
    "RAISE",
    "RECRUIT",
    "FAMILY",
    "СВОИМ",
    "УБИТЬ",
    "ПРОВЕРИТЬ",
    "HEAL",
    "BLOCK",
)


def _public(step: Step) -> bool:
    """Votes are public (1.7) and so is talk; a shot is, once it has been fired. Whoever else is named in a mail is named in secret."""
    fired = step.game.phase.stage is Stage.LAST_WORDS and step.text.startswith(("SHOOT", "ЗАСТРЕЛИТЬ"))
    return fired or not any(word in step.text for word in ORDERS)


@PLAYED
def test_a_refusal_of_an_order_is_the_same_for_every_role(party: str, lines: str, seed: int) -> None:
    """Who writes somebody else's order learns nothing but that it is not his."""
    theatre, kinds = played(party, lines, seed)
    for step, letter in before_the_end(theatre):
        if step.actor and letter.to == step.actor.address and kinds[letter.message_id] == "receipt":
            reader = reader_of(step.game, letter)
            said = {word.group(0).lower() for word in ROLES.finditer(_without_names(step.game, letter.text.partition(RULE)[2]))}
            assert reader is None or not said - {"mafia", "мафия", "мафии"} or "HELP" in step.text or "RULES" in step.text, (
                step.text,
                said,
            )


# noninterference


class Twist:
    """In one Night one player names somebody else; nothing else is different."""

    def __init__(self, night: int, actor: str, target: str) -> None:
        self.night, self.actor, self.target, self.done = night, actor, target, False

    def __call__(self, game: Game, move: Move) -> Move:
        word, _, name = move.text.partition(": ")
        if (
            game.phase.stage not in (Stage.NIGHT, Stage.ZERO)
            or game.phase.number != self.night
            or move.actor.name != self.actor
            or word in TALK
        ):
            return move
        assert name != self.target
        self.done = True
        return Move(move.minutes, move.actor, f"{word}: {self.target}", move.private)


TALK = ("FAMILY", "СВОИМ")


def harmless(theatre: Theatre) -> Iterator[tuple[int, Player, str]]:
    """Changes of one order that change nothing for anybody else: (Night, who, whom he names instead)."""
    game = theatre.game
    for resolved in (event for event in theatre.log if isinstance(event, NightResolved)):
        gone = {*resolved.died, *(who for who, player in game.players.items() if not _alive_at(theatre, resolved.number, who))}
        quiet = [who for who in game.players if who not in gone and who not in resolved.saved and game.players[who].role == "citizen"]
        for deed in resolved.deeds:
            player = game.players[deed.who]
            others = [who for who in quiet if who not in (deed.target, deed.who)]
            named_nobody_special = deed.target in quiet or (deed.did == "check" and deed.target is not None)
            if others and named_nobody_special and deed.did in ("check", "heal", "block") and deed.who not in resolved.died:
                yield resolved.number, player, game.players[others[0]].character


def _alive_at(theatre: Theatre, night: int, who: str) -> bool:
    steps = [step for step in theatre.steps if step.game.phase.stage is Stage.NIGHT and step.game.phase.number == night]
    return all(step.game.players[who].alive for step in steps)


TWINS = (
    ("1", "commissar", 200),
    ("6", "priest", 200),
    ("9", "doctor", 200),
    ("8", "commissar", 200),
    ("11", "doctor", 300),
    ("9", "priest", 300),
)


@pytest.mark.parametrize(("party", "role", "seed"), TWINS, ids=[f"party {party}, {role}, {seed}" for party, role, seed in TWINS])
def test_whom_somebody_named_at_night_is_seen_by_nobody_else(party: str, role: str, seed: int) -> None:
    for number in range(seed, seed + 20):  # the first game with an order whose change changes nothing else
        theatre = Theatre(party, number, lines="victory = parity").play()
        if change := next((change for change in harmless(theatre) if change[1].role == role), None):
            break
    assert change
    night, player, target = change
    twist = Twist(night, player.character, target)
    twin = Theatre(party, number, lines="victory = parity", turn=twist).play()
    assert twist.done
    assert seen(twin, [player.character]) == seen(theatre, [player.character]), change


def seen(theatre: Theatre, but: list[str]) -> list[tuple[str, ...]]:
    """All that everybody else reads before the end, Message-IDs left out."""
    letters = [letter for _, letter in before_the_end(theatre) if PERSON.get(letter.to, TROUPE[0]).name not in but or letter.to == HOST]
    return [
        (letter.to, letter.subject, letter.text, letter.html, *map(letter.header, ("Date", "From", "Reply-To", "Auto-Submitted")))
        for letter in letters
    ]


QUIET_NIGHTS: tuple[dict[str, str], ...] = (
    {"mafia": "PASS"},
    {"mafia": "KILL: {citizen}", "doctor": "HEAL: {citizen}"},
    {"mafia": "KILL: {citizen}", "priest": "BLOCK: {mafia}"},
)


def test_a_quiet_night_tells_nobody_why_it_was_quiet_4_3() -> None:
    """Saves, blocks and failed attempts are not told: all but the family read the same letters, whatever it was."""
    assert len({tuple(quiet_night(orders)) for orders in QUIET_NIGHTS}) == 1


def quiet_night(orders: dict[str, str]) -> list[tuple[str, ...]]:
    with fixed_secrets("quiet"):
        world = new_game(World(), "2 mafia, doctor, commissar, priest, 4 citizens")
        world.mail(HOST, "CLOSE ANYWAY", to="mafia+g1@example.org")
        acting = {role: world.with_role(role) for role in ("mafia", "doctor", "priest", "commissar")}
        names = {"citizen": world.with_role("citizen")[0], "mafia": acting["mafia"][0]}
        for role, players in acting.items():
            for player in players:
                world.say(player, orders.get(role, "PASS").format_map(names))
        assert world.stage() is Stage.DAY
        assert len(world.alive()) == 9
        writers = {address(player) for player in [*acting["mafia"], *acting["doctor"], *acting["priest"]]}
        return [(letter.to, letter.subject, letter.text) for letter in world.letters() if letter.to not in writers]


@pytest.mark.parametrize("party", ["5", "13"])
def test_whom_a_member_of_a_family_that_disagrees_named_is_seen_by_his_family_alone_2_8(party: str) -> None:
    theatre = Theatre(party, 301).play()
    killers = [player for player in theatre.game.players.values() if player.role == "mafia"]
    others = [
        player.character for player in theatre.game.players.values() if player.role == "citizen" and _alive_at(theatre, 1, player.who)
    ]
    member = next(player for player in killers if _alive_at(theatre, 1, player.who))
    victim = next(
        deed.target for event in theatre.log if isinstance(event, NightResolved) for deed in event.deeds if deed.who == member.who
    )
    first, second = [name for name in others if victim is None or name != theatre.game.players[victim].character][:2]
    family = [player.character for player in killers]
    one, two = (Theatre(party, 301, turn=Twist(1, member.character, name)).play() for name in (first, second))
    assert seen(one, family) == seen(two, family)
