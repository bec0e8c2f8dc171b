"""Keeps in the store what the last run of a language model has cost, for `memctl status`."""

from __future__ import annotations

import json
from dataclasses import asdict

from memctl.document import Usage
from memctl.runtime import Runtime
from memctl.store_status import LAST_MODEL_RUN_FACT


def note_usage(runtime: Runtime, noted: Usage) -> Usage:
    """Writes down the usage of this program so far, unless it is what was ``noted`` before;
    returns it."""
    usage = runtime.model_usage
    if usage != noted:
        moment, model = runtime.clock().isoformat(), runtime.settings.llm.model
        last_run = {"at": moment, "model": model, **asdict(usage)}
        runtime.store.write_facts({LAST_MODEL_RUN_FACT: json.dumps(last_run)})
    return usage
