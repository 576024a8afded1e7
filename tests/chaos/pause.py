"""The pauses that people make, and the moments at which something goes wrong: by chance, so that any may be met."""

from __future__ import annotations

import asyncio
import random


async def pause(dice: random.Random, least: float, most: float) -> None:
    """Wait for any time between these, in seconds."""
    await asyncio.sleep(dice.uniform(least, most))
