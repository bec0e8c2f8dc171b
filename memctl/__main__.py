"""``python -m memctl``."""

from memctl.cli.main import run

run()
