"""What is not on the disk yet has not happened, as far as anybody is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from tafelrunde.server.table_store import table_of, writes_of
from tafelrunde.store import Write
from tafelrunde.table import Table
from tests.server.timeless import House, moment, timeless
from tests.table.tables import read_command


@timeless
async def test_nobody_is_told_what_is_not_on_the_disk_yet(house: House) -> None:
    table = await house.table()
    ada = table.guest(0)
    await moment()
    free, append = threading.Event(), house.store.append

    def busy(writes: Sequence[Write], now: int) -> set[int]:
        free.wait()
        return append(writes, now)

    house.store.append = busy  # type: ignore[method-assign]
    before = table.live.durable
    said = ada.ask("say", text="Hello")
    asked = asyncio.ensure_future(house.service.state(table.code))
    newcomer = table.guest()
    for _ in range(50):
        await asyncio.sleep(0)
    assert table.live.table.number == before + 1
    assert not asked.done()
    assert not ada.messages("say")
    assert not newcomer.messages("welcome")
    free.set()
    assert (await asked).number == ada.answer(said)["number"] == before + 1
    await moment()
    assert [one["number"] for one in newcomer.messages("welcome")] == [before + 1]


@timeless
async def test_what_another_process_wrote_after_us_is_told_even_if_we_hear_of_it_first(house: House) -> None:
    table = await house.table()
    ada = table.guest(0)
    await moment()
    loop, append = asyncio.get_running_loop(), house.store.append

    def slow_to_tell(writes: Sequence[Write], now: int) -> set[int]:
        """Ours is on the disk; before anybody here knows, another process has written, and its note is here."""
        house.store.append = append  # type: ignore[method-assign]
        lost = append(writes, now)
        stored = house.store.find(table.code)
        assert stored is not None
        other = table_of(stored, house.store.lines(stored.id, Table.lines_needed_after(stored.head, stored.number)))
        outcome = other.command(frozenset({1}), read_command("say", id="other", text="Hello too"), now)
        assert not append(writes_of(other.id, outcome), now)
        loop.call_soon_threadsafe(table.live.catch_up, outcome.number)
        return lost

    house.store.append = slow_to_tell  # type: ignore[method-assign]
    ada.ask("say", text="Hello")
    await moment()
    assert [said["text"] for said in ada.messages("say")] == ["Hello", "Hello too"]
