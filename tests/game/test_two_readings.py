"""Two independent readings of section 2 agree on random nights. MAFIAMAIL_NIGHTS=100000 asks for more of them."""

import os
import random

from mafiamail.game import clock, night, victory
from mafiamail.game.evolve import evolve
from mafiamail.game.model import Game, Order, Settings, Stage
from mafiamail.game.role import ROLES
from mafiamail.lab.documents import People
from mafiamail.lab.resolve import seated
from tests.game.naive import naive_night
from tests.game.table import BEGIN

NIGHTS = int(os.environ.get("MAFIAMAIL_NIGHTS", "4000"))


def random_night(lot: random.Random) -> tuple[dict[str, str], dict[str, str], dict[str, str | None]]:
    """People, the dead, and lawful orders. Few names, so that powers meet; families often agree."""
    names = [f"P{place}" for place in range(lot.randint(3, 11))]
    people = {name: lot.choice(list(ROLES)) for name in names}
    dead = {f"D{place}": lot.choice(list(ROLES)) for place in range(lot.randint(0, 2))}
    favourites = lot.sample(names, min(len(names), lot.randint(1, 4)))
    orders: dict[str, str | None] = {}
    for name, role in people.items():
        power = ROLES[role].power
        if power is None or lot.random() < 0.12:
            continue
        pool = list(dead) if power.names_dead else favourites if lot.random() < 0.8 else names
        orders[name] = None if lot.random() < 0.08 or not pool else lot.choice(pool)
    for family in ("mafia", "alternative mafia"):
        if lot.random() < 0.7:
            victim = lot.choice(names)
            orders.update({name: victim for name in orders if people[name] == family})
    return people, dead, orders


def with_orders(people: dict[str, str], dead: dict[str, str], orders: dict[str, str | None]) -> Game:
    game = seated(People(people, dead), Settings())
    game = clock.begin(clock.Course(game), BEGIN, Stage.NIGHT, 1).game
    keywords = {name: power.keyword for name in people if (power := ROLES[people[name]].power)}
    given = {name: Order(keywords[name] if target else "PASS", target, BEGIN) for name, target in orders.items()}
    return game.but(orders=given)


def test_2_two_readings_agree_on_random_nights() -> None:
    lot = random.Random(853)
    for _ in range(NIGHTS):
        people, dead, orders = random_night(lot)
        game = with_orders(people, dead, orders)
        resolved = night.resolve(game, BEGIN)
        told = {who: dossier and (dossier.about, dossier.role, dossier.killed_by) for who, dossier in resolved.told.items()}
        engine = {
            "died": resolved.died,
            "saved": set(resolved.saved),
            "revived": set(resolved.revived),
            "recruited": set(resolved.recruited),
            "told": told,
            "winner": victory.winner(evolve(game, resolved)),
        }
        assert engine == naive_night(people, dead, orders), (people, dead, orders)


def test_4_1_every_power_and_every_order_is_explained_once() -> None:
    lot = random.Random(6)
    for _ in range(500):
        people, dead, orders = random_night(lot)
        explained = [deed.who for deed in night.resolve(with_orders(people, dead, orders), BEGIN).deeds]
        assert sorted(explained) == sorted(name for name, role in people.items() if ROLES[role].power)
