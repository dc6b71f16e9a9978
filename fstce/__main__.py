"""``python -m fstce`` is the program ``fstce``."""

from fstce.cli.main import run

if __name__ == "__main__":
    run()
