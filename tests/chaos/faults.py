"""The disk and the clock of a server when things go wrong: steers ``faults.c``, which is loaded into the server."""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
FIELDS = (
    "sync_ms", "full", "end", "clock_ms", "coin",  # set here
    "writes", "syncs", "clocks", "refusals", "ends", "undone",  # counted there
)  # fmt: skip
TEAR, POWER_CUT = 1, 2
"""What ``end`` does at the next write to the log of the database: half of it is written and the process is killed; or
the power fails, and of what was not synced some is lost."""


def build(folder: Path) -> Path:
    """Compile the library that is loaded into servers."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise FileNotFoundError("A C compiler is needed to make disks fail: apt install gcc libc6-dev")
    library = folder / "faults.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl", "-pthread"], check=True)
    return library


class Faults:
    """The block of numbers shared with one server; it outlives the process."""

    def __init__(self, library: Path, folder: Path, block: Path) -> None:
        block.write_bytes(bytes(8 * len(FIELDS)))
        self._file = block.open("r+b")
        self._block = mmap.mmap(self._file.fileno(), 8 * len(FIELDS))
        self.environment = {
            "LD_PRELOAD": str(library), "CHAOS_FAULTS": str(block), "CHAOS_FOLDER": f"{folder.resolve()}/",
        }  # fmt: skip

    def __getitem__(self, name: str) -> int:
        return int(struct.unpack_from("=q", self._block, 8 * FIELDS.index(name))[0])

    def __setitem__(self, name: str, value: int) -> None:
        struct.pack_into("=q", self._block, 8 * FIELDS.index(name), value)

    def clear(self) -> None:
        """Everything works again; only the clock stays where it is."""
        self["sync_ms"] = self["full"] = self["end"] = 0

    def close(self) -> None:
        self._block.close()
        self._file.close()
