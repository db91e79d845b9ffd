"""From the call for players to the deal: compositions (1.1, 1.2, 4.4), names (5.2), night zero (2.16), the sealed seed."""

from dataclasses import replace
from hashlib import sha256

import pytest

from mafiamail.game import clock, deal, draw, events, night
from mafiamail.game.commands import Create, GiveOrder, Join, Leave, Start, Vote
from mafiamail.game.decide import decide
from mafiamail.game.evolve import fold
from mafiamail.game.model import HOST, Game, OwnRole, Settings, Stage
from mafiamail.game.refusal import Refused, Why
from tests.game.table import BEGIN

SEED = "5eed" * 16
SIX = (("mafia", 2), ("commissar", 1), ("citizen", 3))


def created(composition: deal.Composition = SIX, settings: Settings | None = None, **more: object) -> Game:
    command = Create("Dacha", "", "en", "UTC", settings or Settings(), composition, SEED)
    return fold(decide(Game(), HOST, replace(command, **more), BEGIN))  # type: ignore[arg-type]


def joined(game: Game, count: int) -> Game:
    for place in range(count):
        game = fold(decide(game, f"w{place}", Join(f"w{place}", f"Player {place}", "", f"{place:064x}"), BEGIN), game)
    return game


def started(composition: deal.Composition = SIX, settings: Settings | None = None) -> Game:
    game = joined(created(composition, settings), deal.size(composition))
    return fold(decide(game, HOST, Start(), BEGIN), game)


@pytest.mark.parametrize("party", deal.PARTIES)
def test_4_4_every_recorded_party_is_within_the_limits(party: str) -> None:
    deal.check_composition(deal.PARTIES[party])


def test_4_4_the_sizes_are_those_of_the_source() -> None:
    sizes = {"1": 9, "2": 11, "3": 12, "4": 12, "5": 13, "6": 14, "7": 16, "8": 12, "9": 15, "10": 14, "11": 9, "unnumbered": 14}
    sizes |= {"12": 14, "13": 13, "14": 16, "15": 13, "16": 19, "17": 17, "18": 14, "19": 14}
    assert {party: deal.size(composition) for party, composition in deal.PARTIES.items()} == sizes


@pytest.mark.parametrize(
    ("composition", "problem"),
    [
        ((("mafia", 1), ("citizen", 4)), "players"),
        ((("mafia", 3), ("citizen", 18)), "players"),
        ((("mafia", 3), ("citizen", 5)), "family"),
        ((("mafia", 2), ("recruiter", 1), ("citizen", 4)), "family"),
        ((("mafia", 2), ("plumber", 1), ("citizen", 4)), "roles"),
        ((("doctor", 2), ("citizen", 5)), "roles"),
    ],
)
def test_1_1_1_2_1_4_what_a_composition_may_not_be(composition: deal.Composition, problem: str) -> None:
    with pytest.raises(Refused) as caught:
        created(composition)
    assert caught.value.facts["problem"] == problem


def test_1_1_1_2_more_is_allowed_when_the_host_says_so() -> None:
    created((("mafia", 2), ("citizen", 1)), insist=True)


def test_1_2_each_family_by_itself() -> None:
    deal.check_composition((("mafia", 3), ("alternative mafia", 3), ("citizen", 3)))


def test_1_3_a_host_may_make_a_role_from_an_existing_power() -> None:
    own = (OwnRole("guard", "town", "heal"), OwnRole("godfather", "mafia", "check", family=True))
    composition = (("mafia", 1), ("guard", 1), ("godfather", 1), ("citizen", 6))
    game = created(composition, Settings(begins="night"), own_roles=own)
    game = joined(game, 9)
    game = fold(decide(game, HOST, Start(), BEGIN), game)
    guard, boss = (next(who for who, player in game.players.items() if player.role == role) for role in ("guard", "godfather"))
    assert night.keywords(game, guard) == ("HEAL", "PASS")
    assert night.keywords(game, boss) == ("CHECK", "PASS")
    assert len(night.family(game, boss)) == 2


@pytest.mark.parametrize("own", [OwnRole("guard", "town", "fly"), OwnRole("doctor", "town", "heal")])
def test_1_3_a_role_of_ones_own_has_a_power_that_there_is_and_a_new_name(own: OwnRole) -> None:
    with pytest.raises(Refused) as caught:
        created(SIX, own_roles=(own,))
    assert caught.value.facts["problem"] == "roles"


def test_4_4_a_composition_is_read_from_words() -> None:
    assert deal.parse_composition("3 mafia, doctor, commissar, 7 citizens") == deal.PARTIES["3"]
    assert deal.parse_composition("7 мирных, 3 мафии", {"мирных": "citizen", "мафии": "mafia"}) == (("mafia", 3), ("citizen", 7))
    with pytest.raises(Refused, match=Why.COMPOSITION.value):
        deal.parse_composition("3 mafia, 2 plumbers")


def test_4_4_the_recorded_parties_for_a_number_of_players() -> None:
    assert deal.recorded(9) == ("1", "11")
    assert deal.recorded(8) == ()


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 41, "mafia07", "VOTE: Ben", "-- !", "a@b", "‹name›"])
def test_5_2_names_that_no_character_may_have(name: str) -> None:
    with pytest.raises(Refused, match=Why.NAME_BAD.value):
        decide(created(), "w", Join("w", name, "", ""), BEGIN)


@pytest.mark.parametrize("name", ["Ёжик", "Miss O’Brien", "Доктор Рыбкин", "R2-D2", "李"])
def test_5_2_names_of_all_kinds(name: str) -> None:
    assert decide(created(), "w", Join("w", name, "", ""), BEGIN)


def test_5_2_a_name_that_reads_like_another_is_taken() -> None:
    game = fold(decide(created(), "w", Join("w", "Ёжик", "", ""), BEGIN), created())
    with pytest.raises(Refused, match=Why.NAME_TAKEN.value):
        decide(game, "v", Join("v", "ежик.", "", ""), BEGIN)


def test_who_leaves_before_the_start_is_gone_at_once() -> None:
    game = joined(created(), 6)
    with pytest.raises(Refused, match=Why.FULL.value):
        decide(game, "late", Join("late", "Late", "", ""), BEGIN)
    happened = decide(game, "w3", Leave(), BEGIN)
    assert happened == (events.Withdrew(BEGIN, "w3"),)
    assert "w3" not in fold(happened, game).players


def test_start_needs_exactly_that_many_players() -> None:
    with pytest.raises(Refused) as caught:
        decide(joined(created(), 5), HOST, Start(), BEGIN)
    assert caught.value.facts == {"have": 5, "need": 6}


def test_1_4_the_deal_is_a_function_of_the_seed_and_the_digests_alone() -> None:
    digests = {f"w{place}": sha256(str(place).encode()).hexdigest() for place in range(9)}
    seats, roles = deal.deal(SEED, digests, deal.PARTIES["1"])
    other_way = dict(reversed(digests.items()))
    assert (seats, roles) == deal.deal(SEED, other_way, deal.PARTIES["1"])
    assert sorted(roles.values()) == sorted(role for role, number in deal.PARTIES["1"] for _ in range(number))
    assert sorted(seats.values()) == [f"mafia{place:02d}" for place in range(1, 10)]
    assert deal.deal(SEED, digests | {"w0": "lucky"}, deal.PARTIES["1"]) != (seats, roles)


def test_1_4_ten_lines_of_python_recompute_the_deal() -> None:
    digests = {who: sha256(who.encode()).hexdigest() for who in "abcdefghi"}
    cards = sorted(["mafia"] * 3 + ["doctor", "commissar"] + ["citizen"] * 4)
    key = SEED + ":" + ",".join(sorted(digests.values()))

    def shuffle(label: str, things: list[str]) -> list[str]:
        n = 0
        for place in range(len(things) - 1, 0, -1):
            while (value := int(sha256(f"{key}:{label}:{n}".encode()).hexdigest(), 16)) >= 2**256 - 2**256 % (place + 1):
                n += 1
            n += 1
            other = value % (place + 1)
            things[place], things[other] = things[other], things[place]
        return things

    order = shuffle("seats", sorted(digests, key=lambda who: digests[who]))
    dealt = dict(zip(order, shuffle("roles", cards), strict=True))
    assert deal.deal(SEED, digests, deal.PARTIES["1"])[1] == dealt


def test_1_4_no_seat_and_no_player_is_favoured() -> None:
    digests = {f"w{place}": f"{place:064x}" for place in range(9)}
    mafiosi = dict.fromkeys(digests, 0)
    first = dict.fromkeys(digests, 0)
    for n in range(3000):
        seats, roles = deal.deal(f"{n:064x}", digests, deal.PARTIES["1"])
        for who in digests:
            mafiosi[who] += roles[who] == "mafia"
            first[who] += seats[who] == "mafia01"
    assert all(880 < count < 1120 for count in mafiosi.values())
    assert all(270 < count < 400 for count in first.values())


def test_the_seal_is_the_sha_256_of_the_seeds_text() -> None:
    assert draw.seal("00") == "f1534392279bddbf9d43dde8701cb5be14b82f76ec6607bf8d6ad557f60f304e"


@pytest.mark.parametrize(
    ("composition", "wanted", "zero"),
    [
        (SIX, "auto", True),
        (deal.PARTIES["1"], "auto", True),
        (deal.PARTIES["11"], "auto", False),
        (deal.PARTIES["2"], "auto", False),
        (deal.PARTIES["2"], "always", True),
        (SIX, "never", False),
        ((("mafia", 2), ("citizen", 4)), "always", False),
    ],
)
def test_2_16_who_gets_a_dossier_in_night_zero(composition: deal.Composition, wanted: str, zero: bool) -> None:
    game = started(composition, Settings(zero_night_dossier=wanted))  # type: ignore[arg-type]
    assert (game.phase.stage is Stage.ZERO) is zero


def test_2_16_night_zero_lasts_until_the_commissar_has_named_a_player() -> None:
    game = started()
    commissar = next(who for who, player in game.players.items() if player.role == "commissar")
    mafioso = next(who for who, player in game.players.items() if player.role == "mafia")
    assert night.keywords(game, commissar) == ("CHECK", "PASS")
    assert night.keywords(game, mafioso) == ()
    for command in (GiveOrder("KILL", commissar), Vote(commissar)):
        with pytest.raises(Refused):
            decide(game, mafioso, command, BEGIN)
    game = fold(decide(game, commissar, GiveOrder("CHECK", mafioso), BEGIN), game)
    game, happened = clock.run(game, BEGIN)
    resolved = happened[0]
    assert isinstance(resolved, events.NightResolved)
    assert resolved.told[commissar].role == "mafia"  # type: ignore[union-attr]
    assert (game.phase.stage, game.phase.number) == (Stage.DAY, 1)


def test_2_16_night_zero_lasts_a_day_at_most() -> None:
    game = started()
    assert clock.due(game) == clock.ends(game) == BEGIN + Settings().night_zero
    game, _ = clock.run(game, BEGIN + Settings().night_zero)
    assert game.phase.stage is Stage.DAY
    assert all(player.idle == 0 for player in game.players.values())


def test_1_6_after_the_start_players_stand_in_the_order_of_their_seats() -> None:
    game = started(deal.PARTIES["6"])
    seats = [player.seat for player in game.players.values()]
    assert seats == sorted(seats)


def test_1_4_the_order_in_which_a_composition_is_written_chooses_no_deal() -> None:
    digests = {f"p{place}": f"{place:064x}" for place in range(9)}
    one = (("mafia", 3), ("doctor", 1), ("commissar", 1), ("citizen", 4))
    assert deal.deal(SEED, digests, one) == deal.deal(SEED, digests, one[::-1])
