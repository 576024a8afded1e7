"""Provably fair shuffles: chance comes from a secret of the table and nonces of the players. See docs/record.md.

The table commits to its secret before it knows any nonce, and the players give their nonces without knowing the secret,
so nobody can steer the cards. Once the secret is published, anybody can recompute every shuffle.

>>> dealer = Dealer(bytes(32), [bytes(range(32)), None, None])
>>> dealer.fairness.commitment == commitment(bytes(32))
True
>>> dealer.recompute({"by": "table", "do": "choose", "option": "start_seat", "value": 0})["value"]
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
"""A secret, nonce or commitment as text."""

Item = TypeVar("Item")


def read_hex(given: object) -> bytes:
    """Parse a secret, nonce or commitment; raises Malformed."""
    if isinstance(given, str) and HEX.fullmatch(given):
        return bytes.fromhex(given)
    raise Malformed(f"Here stand {2 * SIZE} hexadecimal digits in lower case, not {given!r}.")


@dataclass(frozen=True)
class Fairness:
    """The ``fairness`` part of a record's header: the commitment to the secret, and each seat's nonce or None."""

    commitment: str
    nonces: tuple[bytes | None, ...]

    def to_json(self) -> dict[str, Any]:
        """The value for the header."""
        return {
            "commitment": self.commitment,
            "nonces": [None if nonce is None else nonce.hex() for nonce in self.nonces],
        }

    @classmethod
    def from_json(cls, given: object, seats: int) -> Fairness:
        """Read the value from a header; raises BadRecord."""
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
    """Shuffles and chooses deterministically from a secret and the nonces of all seats.

    Use one dealer per game, from its beginning: it draws numbers one after the other, in the order of the record.
    """

    def __init__(self, secret: bytes, nonces: Sequence[bytes | None]) -> None:
        if any(len(value) != SIZE for value in (secret, *nonces) if value is not None):
            raise Malformed(f"A secret has {SIZE} bytes, and so has a nonce.")
        self.secret = secret
        self.fairness = Fairness(commitment(secret), tuple(nonces))
        self._key = sha256(secret + b"".join(map(_key_part, nonces))).digest()
        self._drawn = 0

    def order(self, game: Game) -> list[int]:
        """The shuffle or choice that the game needs now, in the form that ``game.supply`` takes."""
        chance = game.needs
        if chance is None:
            raise BadChance("Nothing is left to chance now.")
        if game.seats != len(self.fairness.nonces):
            raise BadSeats(f"{game.seats} seats need {game.seats} nonces, or null for some.")
        if chance.do == "choose":
            return [self._below(game.seats)]
        offered = game.offer()
        # Sorted by what the record shows, not by our codes, so that other programs can start from the same pile.
        written: dict[int, Any] = {code: game.spec.notation.item_of(chance.of, code) for code in offered}
        return self._shuffle(sorted(offered, key=written.__getitem__))

    def recompute(self, entry: Entry) -> Entry:
        """A ``choose`` or ``shuffle`` entry of a record, with the outcome that this dealer computes for it."""
        if entry["do"] == "choose":
            return entry | {"value": self._below(len(self.fairness.nonces))}
        return entry | {"order": self._shuffle(sorted(entry["order"]))}

    def disclose(self, entry: Entry) -> Entry:
        """Add the secret to the ``end`` entry; other entries stay as they are."""
        return entry | {"secret": self.secret.hex()} if entry["do"] == "end" else entry

    def _shuffle(self, items: list[Item]) -> list[Item]:
        for last in range(len(items) - 1, 0, -1):
            other = self._below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def _below(self, limit: int) -> int:
        """The next number from 0 to limit - 1; with 256 random bits the bias of the modulo is negligible."""
        digest = sha256(self._key + self._drawn.to_bytes(8, "big")).digest()
        self._drawn += 1
        return int.from_bytes(digest, "big") % limit


def _key_part(nonce: bytes | None) -> bytes:
    """A seat's part of the key. All parts have the same length, so that no nonce can be read as another seat's."""
    return bytes(1 + SIZE) if nonce is None else b"\x01" + nonce


def deal(game: Game, dealer: Dealer) -> list[Entry]:
    """Supply chance until the game needs no more; returns the new entries."""
    entries: list[Entry] = []
    while game.needs is not None:
        entries += game.supply(dealer.order(game))
    return entries


def record_of(game: Game, dealer: Dealer) -> Record:
    """The game so far as a fair record; it contains the secret only once the game is over."""
    header = header_of(game.spec, game.names, game.options, game.deck, dealer.fairness.to_json())
    return Record(header, [dealer.disclose(entry) for entry in game.entries])


class ShuffleCheck:
    """Collects the shuffles and choices of a fair record and recomputes them once the secret is known."""

    def __init__(self, fairness: Fairness) -> None:
        self.proven = False
        self._fairness = fairness
        self._noted: list[tuple[int, Entry, str]] = []

    def note(self, line: int, entry: Entry, rule: str) -> None:
        """Remember a ``choose`` or ``shuffle`` entry that the rules allow; ``check`` tells whether it was fair."""
        self._noted.append((line, entry, rule))

    def check(self, end: Entry) -> None:
        """Check all noted entries with the secret of the ``end`` entry; raises BadRecord with the first wrong line."""
        dealer = Dealer(self._secret_in(end), self._fairness.nonces)
        for line, entry, rule in self._noted:
            if dealer.recompute(entry) != entry:
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
