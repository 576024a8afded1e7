"""What the locked packages require themselves, as their own metadata has it; for the test that the locks are complete.

Prints JSON: for each ``name==version`` its requirements. Packages that are only for other systems are not asked.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def required(lock: Path) -> dict[str, list[str]]:
    """Ask pip what it would install, and read what it has found out about it."""
    ask = ("-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps", "--require-hashes")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        subprocess.run([sys.executable, *ask, "-r", lock, "--report", report], check=True)  # noqa: S603
        found = [one["metadata"] for one in json.loads(report.read_text())["install"]]
    return {f"{canonical(one['name'])}=={one['version']}": one.get("requires_dist", []) for one in found}


def canonical(name: str) -> str:
    """A name as the lock writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    together: dict[str, list[str]] = {}
    for lock in sorted(Path(__file__).parent.glob("*.lock")):
        together |= required(lock)
    print(json.dumps(together, indent=1, sort_keys=True))
