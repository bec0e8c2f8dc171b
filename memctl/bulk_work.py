"""The interpreter's settings for minutes of work on many objects beside a native library.

They belong to the whole process, change nothing but speed, and are put back afterwards.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while others want it. Between two runs of the embedding
model some ten short steps need it: with the usual 5 ms each, the model stands still for as long as
it works."""

YOUNG_OBJECTS = 20_000
"""New objects after which the collector of reference cycles looks at the young ones."""


@contextmanager
def work_in_bulk() -> Iterator[None]:
    """Lets threads take turns more often and the collector run less often.

    What is loaded already is not looked at for cycles meanwhile: modules of large libraries make
    up most of what a full collection would go through, and none of it goes away.
    """
    switch_seconds, thresholds = sys.getswitchinterval(), gc.get_threshold()
    is_outermost = gc.get_freeze_count() == 0
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(YOUNG_OBJECTS, *thresholds[1:])
    if is_outermost:
        gc.freeze()
    try:
        yield
    finally:
        if is_outermost:
            gc.unfreeze()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(switch_seconds)
