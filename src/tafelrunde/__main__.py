"""``python -m tafelrunde``, and the command ``tafelrunde``."""

import sys


def main() -> None:
    """Run the command line; if that fails because a package is missing, say which."""
    try:
        from tafelrunde.cli import main as run

        run()
    except ImportError:
        from tafelrunde.doctor import check_packages, examine

        if check_packages().state == "good":
            raise
        sys.exit(examine())


if __name__ == "__main__":
    main()
