"""Who was invited to a game, and who applies to one that is for the invited: erasable like all that holds addresses."""

from typing import NamedTuple

from mafiamail.store import tables


class Guest(NamedTuple):
    """An address that is in no game yet. `character` and what follows are of an application that waits; empty: none does."""

    game: int
    address: str
    invited: bool
    character: str = ""
    description: str = ""
    digest: str = ""
    arrived: str = ""


class Guests:
    def find(self, game: int, address: str) -> Guest | None:
        row = tables.Guest.get_or_none(tables.Guest.game == game, tables.Guest.address == address)
        return None if row is None else _guest(row)

    def is_invited(self, game: int, address: str) -> bool:
        guest = self.find(game, address)
        return guest is not None and guest.invited

    def keep(self, guest: Guest) -> None:
        """In the place of what was known of this address; nothing is kept of one that is neither invited nor applies."""
        self.forget(guest.game, guest.address)
        if guest.invited or guest.character:
            tables.Guest.insert(**guest._asdict()).execute()

    def forget(self, game: int, address: str) -> bool:
        """Whether there was anything to forget."""
        same = (tables.Guest.game == game) & (tables.Guest.address == address)
        return bool(tables.Guest.delete().where(same).execute())

    def applications(self, game: int) -> list[Guest]:
        """Those that wait, in order of arrival."""
        waiting = (tables.Guest.game == game) & (tables.Guest.character != "")
        return [_guest(row) for row in tables.Guest.select().where(waiting).order_by(tables.Guest.arrived, tables.Guest.address)]

    def addresses(self, game: int) -> set[str]:
        return {row.address for row in tables.Guest.select().where(tables.Guest.game == game)}

    def erase_game(self, game: int) -> None:
        tables.Guest.delete().where(tables.Guest.game == game).execute()

    def invitations(self, address: str) -> list[int]:
        """The games to which this address is invited."""
        invited = (tables.Guest.address == address) & tables.Guest.invited
        return [row.game for row in tables.Guest.select().where(invited).order_by(tables.Guest.game)]


def _guest(row: tables.Guest) -> Guest:
    return Guest(*(getattr(row, field) for field in Guest._fields))
