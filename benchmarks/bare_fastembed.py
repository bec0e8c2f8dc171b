"""FastEmbed alone, with the model's own graph: what the benchmarks compare with."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.bundled_model import DIMENSION, MODEL_FILE, bundled_folder
from memctl.embedding import BATCH_SIZE

if TYPE_CHECKING:
    from fastembed import TextEmbedding

BARE_MODEL = "benchmarks/all-MiniLM-L6-v2-int8-with-its-own-graph"


def bare_fastembed(cache_folder: Path, *, threads: int | None = None) -> TextEmbedding:
    """The bundled model as its package has it, loaded, on all cores by default; once for each
    process."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    TextEmbedding.add_custom_model(
        BARE_MODEL,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=BARE_MODEL),
        dim=DIMENSION,
        model_file=MODEL_FILE,
    )
    with bundled_folder(cache_folder) as files:
        return TextEmbedding(
            BARE_MODEL, specific_model_path=str(files), threads=threads or os.cpu_count()
        )


def bare_seconds(bare: TextEmbedding, texts: Sequence[str]) -> float:
    """Time for all texts, in batches of 32 sorted by length, its fastest plain use."""
    ordered = sorted(texts, key=len)
    started = time.perf_counter()
    for _ in bare.embed(ordered, batch_size=BATCH_SIZE):
        pass
    return time.perf_counter() - started
