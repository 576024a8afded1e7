"""``python -m tafelrunde``, and the command ``tafelrunde``."""

import sys


def main() -> None:
    """Run the command line; if a package is missing for that, say which."""
    try:
        from tafelrunde.cli import main as run

        run()
    except ImportError:
        from tafelrunde.doctor import examine, look_at_packages

        if look_at_packages().state == "good":
            raise
        sys.exit(examine())


if __name__ == "__main__":
    main()
