"""Proof of shuffles: chance from a secret of the table and nonces of the players. See docs/record.md.

The table commits itself to its secret before it knows any nonce, the players give theirs without knowing the secret:
so nobody can steer the cards, and once the secret is out everybody can deal them again.

>>> dealer = Dealer(bytes(32), [bytes(range(32)), None, None])
>>> dealer.fairness.commitment == commitment(bytes(32))
True
>>> dealer.again({"by": "table", "do": "choose", "option": "start_seat", "value": 0})["value"]
1
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from tafelrunde.errors import BadChance, BadRecord, BadSeats, Malformed
from tafelrunde.game import Game
from tafelrunde.games.contract import Entry
from tafelrunde.nonces import SIZE
from tafelrunde.nonces import commitment as commitment
from tafelrunde.nonces import fresh as fresh
from tafelrunde.record import Record, header_of

HEX = re.compile(f"[0-9a-f]{{{2 * SIZE}}}")
"""How a secret, a nonce or a commitment is written."""

Item = TypeVar("Item")


def read_hex(given: object) -> bytes:
    """A secret, nonce or commitment from its digits; raises Malformed."""
    if isinstance(given, str) and HEX.fullmatch(given):
        return bytes.fromhex(given)
    raise Malformed(f"Here stand {2 * SIZE} hexadecimal digits in lower case, not {given!r}.")


@dataclass(frozen=True)
class Fairness:
    """What the header of a fair record says: the commitment to the secret, and each seat's nonce or None."""

    commitment: str
    nonces: tuple[bytes | None, ...]

    def to_json(self) -> dict[str, Any]:
        """As it stands in the header under ``fairness``."""
        return {
            "commitment": self.commitment,
            "nonces": [None if nonce is None else nonce.hex() for nonce in self.nonces],
        }

    @classmethod
    def from_json(cls, given: object, seats: int) -> Fairness:
        """Read what stands in a header; raises BadRecord."""
        if not isinstance(given, Mapping):
            raise BadRecord("'fairness' has the commitment to the secret and the nonces of the seats.")
        nonces = given.get("nonces")
        if not isinstance(nonces, list) or len(nonces) != seats:
            raise BadRecord(f"'nonces' has a nonce or null for each of the {seats} seats.")
        try:
            promised = read_hex(given.get("commitment")).hex()
            return cls(promised, tuple(None if nonce is None else read_hex(nonce) for nonce in nonces))
        except Malformed as error:
            raise BadRecord(f"'fairness' can not be read. {error.sentence}") from None


class Dealer:
    """Shuffles and chooses as a secret and the nonces of all seats have it; whoever knows them gets the same.

    A dealer serves one game, from its beginning: numbers are drawn one after the other, in the order of the record.
    """

    def __init__(self, secret: bytes, nonces: Sequence[bytes | None]) -> None:
        if any(len(value) != SIZE for value in (secret, *nonces) if value is not None):
            raise Malformed(f"A secret has {SIZE} bytes, and so has a nonce.")
        self.secret = secret
        self.fairness = Fairness(commitment(secret), tuple(nonces))
        self._key = sha256(secret + b"".join(map(_share, nonces))).digest()
        self._drawn = 0

    def order(self, game: Game) -> list[int]:
        """The chance that the game needs now, as ``game.supply`` takes it."""
        chance = game.needs
        if chance is None:
            raise BadChance("Nothing is left to chance now.")
        if game.seats != len(self.fairness.nonces):
            raise BadSeats(f"{game.seats} seats need {game.seats} nonces, or null for some.")
        if chance.do == "choose":
            return [self._below(game.seats)]
        offered = game.offer()
        # Sorted as they are written, not by our codes: everybody has to begin with the same pile.
        written: dict[int, Any] = {code: game.spec.notation.item_of(chance.of, code) for code in offered}
        return self._shuffle(sorted(offered, key=written.__getitem__))

    def again(self, entry: Entry) -> Entry:
        """A ``choose`` or ``shuffle`` of a record as this dealer deals it."""
        if entry["do"] == "choose":
            return entry | {"value": self._below(len(self.fairness.nonces))}
        return entry | {"order": self._shuffle(sorted(entry["order"]))}

    def disclose(self, entry: Entry) -> Entry:
        """An entry as it stands in the record of a fair game: the last one gives the secret away."""
        return entry | {"secret": self.secret.hex()} if entry["do"] == "end" else entry

    def _shuffle(self, items: list[Item]) -> list[Item]:
        for last in range(len(items) - 1, 0, -1):
            other = self._below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def _below(self, limit: int) -> int:
        """The next number from 0 up to but not including the limit; 2**256 is so many that none is favoured."""
        digest = sha256(self._key + self._drawn.to_bytes(8, "big")).digest()
        self._drawn += 1
        return int.from_bytes(digest, "big") % limit


def _share(nonce: bytes | None) -> bytes:
    """What a seat adds to the key: always as long, so that no nonce can pass for another seat's."""
    return bytes(1 + SIZE) if nonce is None else b"\x01" + nonce


def deal(game: Game, dealer: Dealer) -> list[Entry]:
    """Supply chance as long as the game needs it; gives the entries of that and of what followed."""
    entries: list[Entry] = []
    while game.needs is not None:
        entries += game.supply(dealer.order(game))
    return entries


def record_of(game: Game, dealer: Dealer) -> Record:
    """The game so far as a fair record; the secret is in it only when the game is over."""
    header = header_of(game.spec, game.names, game.options, game.deck, dealer.fairness.to_json())
    return Record(header, [dealer.disclose(entry) for entry in game.entries])


class Judge:
    """Holds a fair record to its word: notes what chance did, and deals it again once the secret is out."""

    def __init__(self, fairness: Fairness) -> None:
        self.proven = False
        self._fairness = fairness
        self._noted: list[tuple[int, Entry, str]] = []

    def note(self, line: int, entry: Entry, rule: str) -> None:
        """A ``choose`` or ``shuffle`` that is possible; whether it was fair will be seen."""
        self._noted.append((line, entry, rule))

    def judge(self, end: Entry) -> None:
        """The end tells the secret; raises BadRecord with the first line that it does not lead to."""
        dealer = Dealer(self._secret_in(end), self._fairness.nonces)
        for line, entry, rule in self._noted:
            if dealer.again(entry) != entry:
                chance = "order of" if entry["do"] == "shuffle" else "choice of"
                of = entry["pile" if entry["do"] == "shuffle" else "option"]
                raise BadRecord(f"The secret and the nonces give another {chance} {of}.", rule, line)
        self.proven = True

    def _secret_in(self, end: Entry) -> bytes:
        try:
            secret = read_hex(end.get("secret"))
        except Malformed as error:
            raise BadRecord(f"The end of a game with 'fairness' has its 'secret'. {error.sentence}") from None
        if commitment(secret) != self._fairness.commitment:
            raise BadRecord("The secret is not the one that the commitment was made for.")
        return secret
