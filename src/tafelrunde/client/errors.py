"""What can go wrong between a client and a server."""

from __future__ import annotations

from pydantic import ValidationError

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError


class FileRefusal(wire.DeckRefusal, wire.RecordRefusal):
    """A refusal over HTTP, with what it says about a file that was sent, be it a deck or a record."""


class RemoteRefusal(TafelrundeError):
    """The server has refused something; ``code``, ``rule``, ``sentence`` and ``line`` are the server's."""

    def __init__(self, refusal: wire.Refusal) -> None:
        of_file = refusal if isinstance(refusal, FileRefusal) else None
        super().__init__(refusal.sentence, refusal.rule, (of_file and of_file.line) or 0)
        self.code = refusal.code  # type: ignore[misc]  # as many codes as there are refusals, in one class
        self.faults = of_file.faults if of_file else []
        """Of a deck file that was refused: everything that is wrong with it, by line."""


class Unreachable(TafelrundeError):
    """The server does not answer, or has not answered for too long, or we have hung up ourselves."""

    code = "unreachable"


class OtherVersion(TafelrundeError):
    """The server speaks another version of the protocol, or plays another version of the rules."""

    code = "other-version"


def refusal_in(status: int, body: bytes) -> RemoteRefusal:
    """What an answer over HTTP says; something between us and the server may have put it in words of its own."""
    try:
        refusal: wire.Refusal = FileRefusal.model_validate_json(body)
    except ValidationError:
        refusal = wire.Refusal(code=f"http-{status}", sentence=f"The server answered with HTTP status {status}.")
    return RemoteRefusal(refusal)
