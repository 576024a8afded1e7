"""A client for programs, with asyncio.

Ada sets up a table of four, fills it with three bots and plays; any legal decision will do:

    import asyncio
    from tafelrunde.client import Client

    async def main():
        async with Client("http://127.0.0.1:8000") as client:
            seated = await client.create("buffet", 4, "Ada", bots={1: "greedy", 2: "greedy", 3: "random"})
            async with client.table(seated.code) as table:
                await table.start()
                async for message in table:
                    if table.view.phase == "over":
                        break
                    if decisions := table.legal():
                        await table.act(decisions[0])
            print((await client.results(seated.code)).results[-1])

    asyncio.run(main())

What the server refuses is raised as ``RemoteRefusal``, with the server's code, rule and sentence. Messages are those of
``tafelrunde.wire``. ``tafelrunde.remote`` lets a bot sit down.
"""

from __future__ import annotations

from tafelrunde.client.errors import OtherVersion, RemoteRefusal, Unreachable
from tafelrunde.client.http import DEFAULT_URL, Client
from tafelrunde.client.table import Answer, RemoteTable

__all__ = ["DEFAULT_URL", "Answer", "Client", "OtherVersion", "RemoteRefusal", "RemoteTable", "Unreachable"]
