"""``python -m memctl``."""

from memctl.cli.start import run

run()
