"""The Embedder protocol and its FastEmbed adapter.

An embedder turns texts into unit vectors of one fixed dimension. It never waits for a network
longer than its time-out, and an interrupted download never counts as a model. The bundled model
needs no network at all.
"""

from __future__ import annotations

import difflib
import os
import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from memctl.bundled_model import (
    BUNDLED_MODEL,
    DIMENSION,
    GRAPH,
    MAXIMUM_TOKENS,
    SPECIAL_TOKENS,
    bundled_folder,
    bundled_tokenizer,
)
from memctl.embedding_process import EmbeddingProcess
from memctl.embedding_work import EmbeddingWork
from memctl.errors import EmbeddingModelError
from memctl.fastembed_import import import_fastembed
from memctl.model_download import STARTED, run_download
from memctl.shared_work import SharedWork

if TYPE_CHECKING:
    import numpy as np
    from fastembed import TextEmbedding
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

BATCH_SIZE = 32
"""Most texts per run of the model, all of about one length so that few tokens are padding."""

TEXTS_WORTH_SHARING = 16
"""From so many texts on, all cores count their tokens: for fewer, waking them takes as long as the
counting."""

MOST_TEXTS_COUNTED = 4_096
"""Texts whose tokens are counted at a time: the tokenizer keeps a kilobyte and more of each."""

QUERY_CACHE_SIZE = 256
"""Query vectors kept, of 1.5 kB each for 384 dimensions."""

RETRY_SECONDS = 60.0
"""How long a model that could not be had is not tried again by the same process."""

_COMPLETE_MARK = "complete"

LIBRARY_SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}
"""Since 1.29 ONNX Runtime for Linux and macOS reports its use to its maker, from a queue in the
user's cache folder, unless this is set before it is loaded; a hub would be told what runs here."""

os.environ.update(LIBRARY_SWITCHES)


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """Which vectors a store holds: two models' vectors never mix."""

    name: str
    dimension: int
    distance: str = "cosine"


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model(self) -> EmbeddingModel:
        """Name and dimension; known without loading the model where it can be."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 array of shape (len(texts), dimension), rows of norm 1, in the given order.

        Raises EmbeddingModelError when the model cannot be had.
        """
        ...

    def embed_ahead(self, texts: Sequence[str]) -> None:
        """Begins to embed passages that will be asked for soon, beside what the caller does."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """float32 array of shape (dimension,), of norm 1. Raises EmbeddingModelError."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text for this model, without special tokens and without truncation."""
        ...

    @property
    def window_tokens(self) -> int:
        """How many tokens of a text the model sees; the rest would be cut off."""
        ...

    def expect_many(self) -> None:
        """Prepares for many passages, where that makes them faster; ``close`` ends it."""
        ...

    def close(self) -> None:
        """Drops what was begun and nobody has asked for."""
        ...


class FastEmbedEmbedder:
    """Embeds with FastEmbed: the bundled model, or any that FastEmbed knows by name.

    ``cache_folder`` keeps assembled and downloaded models; it may be missing or read-only, and
    models that FastEmbed put there itself are used as they are. ``threads`` defaults to the cores
    that this process may use: each takes batches of ``batch_size`` texts of its own.
    ``timeout_seconds`` bounds how long a download may go without a byte arriving, connecting
    included. One embedder may be used from several threads; queries that they ask for at the same
    time go through the bundled model together: measured, four cost half of what they cost one by
    one, and their vectors are the same to the bit.
    """

    def __init__(
        self,
        model_name: str = BUNDLED_MODEL,
        *,
        cache_folder: Path,
        threads: int | None = None,
        batch_size: int = BATCH_SIZE,
        timeout_seconds: float = 10.0,
    ) -> None:
        self._name = model_name
        self._is_bundled = model_name == BUNDLED_MODEL
        self._cache_folder = cache_folder
        self._threads = threads or _usable_cores()
        self._timeout_seconds = timeout_seconds
        self._lock = threading.RLock()
        self._engine: TextEmbedding | None = None
        self._counter: Tokenizer | None = None
        self._model: EmbeddingModel | None = None
        self._work = EmbeddingWork(
            self.run, self._window_lengths, threads=self._threads, batch_size=batch_size
        )
        self._failure: tuple[float, EmbeddingModelError] | None = None
        self._queries = SharedWork(self._embed_queries)
        self._cached_query = lru_cache(QUERY_CACHE_SIZE)(self._embed_one)

    @property
    def model(self) -> EmbeddingModel:
        if self._model is None:
            dimension = DIMENSION if self._is_bundled else _known_dimension(self._name)
            self._model = EmbeddingModel(self._name, dimension)
        return self._model

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.zeros((0, self.model.dimension), dtype=np.float32)
        return self._unit(self._work.finish([_encodable(text) for text in texts]))

    def embed_ahead(self, texts: Sequence[str]) -> None:
        """Uses the cores that the caller leaves free; nothing where there is one core only."""
        self._work.begin([_encodable(text) for text in texts])

    def expect_many(self) -> None:
        """The bundled model then runs in a process of its own, unless there is one core only."""
        if self._is_bundled and self._threads > 1:
            self._work.use_process(
                lambda: EmbeddingProcess(self._cache_folder, threads=self._threads)
            )

    def close(self) -> None:
        self._work.close()

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The array is shared and cannot be written."""
        return self._cached_query(_encodable(text))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for start in range(0, len(texts), MOST_TEXTS_COUNTED):
            counts += self._count_some(texts[start : start + MOST_TEXTS_COUNTED])
        return counts

    def _count_some(self, texts: Sequence[str]) -> list[int]:
        counter = self._token_counter()
        encodable = [_encodable(text) for text in texts]
        if len(texts) < TEXTS_WORTH_SHARING:
            encodings = [counter.encode(text, add_special_tokens=False) for text in encodable]
        else:
            encodings = counter.encode_batch(encodable, add_special_tokens=False)
        return [len(encoding) for encoding in encodings]

    @property
    def window_tokens(self) -> int:
        if self._is_bundled:
            return MAXIMUM_TOKENS - SPECIAL_TOKENS
        tokenizer = self._loaded_tokenizer()
        return int(tokenizer.truncation["max_length"]) - int(
            tokenizer.num_special_tokens_to_add(is_pair=False)
        )

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        # Of other models nobody knows whether vectors depend on what goes through them together.
        embed = self._queries.do if self._is_bundled else self._embed_queries
        return embed([text])[text]

    def _embed_queries(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors by text."""
        import numpy as np

        distinct = list(dict.fromkeys(texts))
        vectors = self._unit(np.stack(list(self._loaded().query_embed(distinct))))
        vectors.setflags(write=False)
        return dict(zip(distinct, vectors, strict=True))

    def load(self) -> None:
        """Loads the model, which is otherwise done when the first text comes. Raises
        EmbeddingModelError."""
        self._loaded()

    def run(self, texts: list[str]) -> NDArray[Any]:
        """One run of the model in this process: array of shape (len(texts), dimension), as the
        model gives it. Raises EmbeddingModelError."""
        import numpy as np

        return np.stack(list(self._loaded().passage_embed(texts, batch_size=len(texts))))

    def _window_lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text that the model will see."""
        if len(texts) < 2:
            return [0] * len(texts)
        window_tokens = self.window_tokens
        return [min(tokens, window_tokens) for tokens in self.count_tokens(texts)]

    def _unit(self, vectors: NDArray[Any]) -> NDArray[np.float32]:
        """Rows scaled to norm 1; refuses what no direction can be taken from."""
        import numpy as np

        norms = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise EmbeddingModelError(model=self._name, why="it gave a vector without a direction")
        unit: NDArray[np.float32] = (vectors / norms).astype(np.float32)
        return unit

    def _token_counter(self) -> Tokenizer:
        from tokenizers import Tokenizer

        with self._lock:
            if self._counter is None:
                counter = (
                    Tokenizer.from_file(str(bundled_tokenizer()))
                    if self._is_bundled
                    else Tokenizer.from_str(self._loaded_tokenizer().to_str())
                )
                counter.no_truncation()
                counter.no_padding()
                self._counter = counter
            return self._counter

    def _loaded_tokenizer(self) -> Any:
        engine: Any = self._loaded()
        return engine.model.tokenizer

    def _loaded(self) -> TextEmbedding:
        with self._lock:
            if self._engine is None:
                if self._failure and time.monotonic() - self._failure[0] < RETRY_SECONDS:
                    raise self._failure[1]
                try:
                    self._engine = self._load()
                except EmbeddingModelError as error:
                    self._failure = time.monotonic(), error
                    raise
            return self._engine

    def _load(self) -> TextEmbedding:
        if self._is_bundled:
            fastembed = import_fastembed(with_hub=False)
            _register_bundled(fastembed)
            with bundled_folder(self._cache_folder) as folder:
                return self._open(fastembed.TextEmbedding, specific_model_path=str(folder))
        text_embedding = import_fastembed(with_hub=True).TextEmbedding
        _known_dimension(self._name)
        own = self._cache_folder / self._name.lower().replace("/", "--")
        if (own / _COMPLETE_MARK).exists():
            return self._open(text_embedding, cache_dir=str(own), local_files_only=True)
        if self._cache_folder.is_dir():
            with suppress(EmbeddingModelError):
                return self._open(
                    text_embedding, cache_dir=str(self._cache_folder), local_files_only=True
                )
        return self._downloaded(text_embedding, own)

    def _downloaded(self, text_embedding: type[TextEmbedding], folder: Path) -> TextEmbedding:
        """Counts as a model only once it has been loaded; what cannot be loaded is removed."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            why = f"its files cannot be kept in {folder}: {error.strerror}"
            raise EmbeddingModelError(model=self._name, why=why) from error
        problem = run_download(
            __name__,
            fetch.__name__,
            [self._name, str(folder), self._timeout_seconds],
            folder=folder,
            stall_seconds=self._timeout_seconds,
        )
        if problem is not None:
            raise EmbeddingModelError(model=self._name, why=problem)
        try:
            engine = self._open(text_embedding, cache_dir=str(folder), local_files_only=True)
        except EmbeddingModelError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        (folder / _COMPLETE_MARK).touch()
        return engine

    def _open(self, text_embedding: type[TextEmbedding], **options: Any) -> TextEmbedding:
        from loguru import logger
        from onnxruntime.capi import onnxruntime_pybind11_state as onnxruntime

        logger.disable("fastembed")
        broken = (onnxruntime.Fail, onnxruntime.InvalidProtobuf, onnxruntime.NoSuchFile)
        try:
            return text_embedding(self._name, threads=1, **options)
        except (OSError, ValueError, RuntimeError, *broken) as error:
            raise EmbeddingModelError(model=self._name, why=str(error)) from error


def fetch(name: str, folder: str, timeout_seconds: float) -> None:
    """Downloads a model that FastEmbed knows; runs in a process of its own."""
    import huggingface_hub
    from fastembed import TextEmbedding
    from loguru import logger

    logger.disable("fastembed")
    (source,) = (
        description["sources"]
        for description in TextEmbedding.list_supported_models()
        if description["model"].lower() == name.lower()
    )
    (Path(folder) / STARTED).touch()
    if source["hf"]:
        huggingface_hub.model_info(source["hf"], timeout=timeout_seconds / 2)
    TextEmbedding(name, cache_dir=folder, lazy_load=True)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _known_dimension(name: str) -> int:
    text_embedding = import_fastembed(with_hub=True).TextEmbedding
    dimensions = {
        str(description["model"]).lower(): int(description["dim"])
        for description in text_embedding.list_supported_models()
    }
    if name.lower() in dimensions:
        return dimensions[name.lower()]
    close = difflib.get_close_matches(name.lower(), dimensions, n=3)
    why = "FastEmbed knows no model of this name"
    raise EmbeddingModelError(model=name, why=f"{why}; near: {', '.join(close)}" if close else why)


_registering = threading.Lock()
"""FastEmbed's list of models belongs to the process, and each embedder finds its own way to it."""


def _register_bundled(fastembed: ModuleType) -> None:
    text_embedding = fastembed.TextEmbedding
    descriptions = fastembed.common.model_description
    with _registering:
        known = {description["model"] for description in text_embedding.list_supported_models()}
        if BUNDLED_MODEL in known:
            return
        text_embedding.add_custom_model(
            BUNDLED_MODEL,
            pooling=descriptions.PoolingType.MEAN,
            normalization=True,
            sources=descriptions.ModelSource(hf="sentence-transformers/all-MiniLM-L6-v2"),
            dim=DIMENSION,
            model_file=GRAPH.name,
        )
