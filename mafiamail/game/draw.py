"""Every chance of a game, from its sealed seed, so that anybody can recompute it once the seed is published.

The n-th value of a stream (n = 0, 1, 2, …) is the number SHA-256("seed:label:n"), 256 bits. `below(k)` takes the next value that is
less than the greatest multiple of k, modulo k. `shuffled` walks from the last place to the second and swaps each with the place
`below(place + 1)`.
What is called seed here is the key of the deal (deal.py): the seed and all digests. Labels: "seats", "roles" (deal.py), and "tie 3" for
a tie on Day 3 between the tied in the order of their seats (1.8).
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
_ALL = 2**256


def seal(seed: str) -> str:
    """What is published before the deal: the SHA-256 of the seed's text, in hex."""
    return sha256(seed.encode()).hexdigest()


def stream(seed: str, label: str) -> Callable[[int], int]:
    """A function `below(k)`: the next chance among 0 … k - 1."""
    n = 0
    begun = sha256(f"{seed}:{label}:".encode())

    def below(k: int) -> int:
        nonlocal n
        fair = _ALL - _ALL % k
        while True:
            whole = begun.copy()
            whole.update(str(n).encode())
            value = int.from_bytes(whole.digest())
            n += 1
            if value < fair:
                return value % k

    return below


def shuffled(seed: str, label: str, items: Sequence[T]) -> tuple[T, ...]:
    """The items in an order that the seed decides."""
    below = stream(seed, label)
    cards = list(items)
    for place in range(len(cards) - 1, 0, -1):
        other = below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def lot(seed: str, label: str, items: Sequence[T]) -> T:
    """One of the items."""
    return items[stream(seed, label)(len(items))]
