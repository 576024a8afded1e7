"""``python -m tafelrunde``, and the command ``tafelrunde``."""

import sys


def main() -> None:
    """Run the command line; if a package is missing for that, say which."""
    try:
        from tafelrunde.cli import main as run

        run()
    except ImportError:
        from tafelrunde import doctor

        if doctor.look_at_packages().state == "good":
            raise
        sys.exit(doctor.examine())


if __name__ == "__main__":
    main()
