"""What is not on the disk yet has not happened, as far as anybody is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from tafelrunde.store import Write
from tests.server.timeless import House, moment, timeless


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
    asked = asyncio.ensure_future(house.hall.state(table.code))
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
