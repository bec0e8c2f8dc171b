"""The FastEmbed adapter on the bundled model, and what happens when a model cannot be had."""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from fakes import downloads
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl import bundled_model, embedding, model_download
from memctl.bundled_model import BUNDLED_MODEL
from memctl.embedding import EmbeddingModel, FastEmbedEmbedder
from memctl.errors import EmbeddingModelError

SMALL_MODEL = "BAAI/bge-small-en-v1.5"
TEXTS = [
    "We chose PostgreSQL for billing.",
    "a",
    "The cat sleeps on the warm windowsill all afternoon while it rains.",
    "",
    "We chose PostgreSQL for billing.",
    "lone surrogate \ud800 and NUL \0",
    "word " * 300,
]


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(cache_folder: Path) -> FastEmbedEmbedder:
    return FastEmbedEmbedder(cache_folder=cache_folder)


def run_python(script: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess:
    """Runs a script in a process of its own and gives what came of it."""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


class TestVectors:
    def test_rows_are_unit_vectors_in_the_given_order(self, embedder):
        vectors = embedder.embed_passages(TEXTS)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(TEXTS), 384)
        assert np.isfinite(vectors).all()
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)
        one_by_one = [embedder.embed_passages([text])[0] for text in TEXTS]
        assert (vectors * np.array(one_by_one)).sum(axis=1) == pytest.approx(1.0, abs=1e-3)

    def test_equal_texts_have_equal_vectors(self, embedder):
        vectors = embedder.embed_passages(TEXTS)
        assert np.array_equal(vectors[0], vectors[4])

    def test_more_texts_than_a_batch_keep_their_places(self, embedder):
        texts = [f"{'note ' * (number % 7)}about topic number {number}" for number in range(80)]
        together = embedder.embed_passages(texts)
        for number in (0, 33, 79):
            alone = embedder.embed_passages([texts[number]])[0]
            assert float(together[number] @ alone) == pytest.approx(1.0, abs=1e-3)
            assert int(np.argmax(together @ alone)) == number

    def test_no_texts_give_no_rows(self, embedder):
        assert embedder.embed_passages([]).shape == (0, 384)

    def test_a_query_is_near_what_it_asks_for(self, embedder):
        passages = embedder.embed_passages(["We chose PostgreSQL for billing.", "The cat sleeps."])
        similarities = passages @ embedder.embed_query("which database do we use for billing?")
        assert similarities[0] > 0.4 > similarities[1] + 0.2

    def test_queries_of_several_threads_get_the_vectors_that_each_alone_would_get(self, embedder):
        queries = [f"{'long ' * number}question {number}?" for number in range(24)]
        alone = [embedder._embed_queries([query])[query] for query in queries]
        together = embedder._embed_queries(queries)
        with ThreadPoolExecutor(6) as pool:
            asked = list(pool.map(embedder.embed_query, queries))
        for query, one, vector in zip(queries, alone, asked, strict=True):
            assert np.array_equal(one, vector)
            assert np.array_equal(one, together[query])

    def test_a_query_s_vector_is_kept_and_cannot_be_changed(self, embedder):
        first = embedder.embed_query("the same question")
        assert embedder.embed_query("the same question") is first
        with pytest.raises(ValueError, match="read-only"):
            first[0] = 1.0

    def test_a_text_beyond_the_window_is_taken(self, embedder):
        long, longer = (("word " * count) + "end" for count in (400, 4_000))
        vectors = embedder.embed_passages([long, longer])
        assert float(vectors[0] @ vectors[1]) == pytest.approx(1.0, abs=1e-3)

    @given(text=st.text(max_size=40))
    @settings(max_examples=25)
    def test_any_text_has_a_direction(self, embedder, text):
        assert float(np.linalg.norm(embedder.embed_query(text))) == pytest.approx(1.0, abs=1e-6)

    def test_several_threads_may_share_it(self, embedder):
        texts = TEXTS[:-1]
        expected = embedder.embed_passages(texts)
        results: list[np.ndarray] = []
        workers = [
            threading.Thread(target=lambda: results.append(embedder.embed_passages(texts)))
            for _ in range(4)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert len(results) == 4
        assert all((result * expected).sum(axis=1).min() > 0.999 for result in results)

    def test_a_model_that_gives_no_number_is_an_error(self, cache_folder, monkeypatch):
        class Broken:
            def passage_embed(self, texts, **_):
                return [np.full(384, np.nan, dtype=np.float32) for _ in texts]

        broken = FastEmbedEmbedder(cache_folder=cache_folder)
        monkeypatch.setattr(broken, "_engine", Broken())
        with pytest.raises(EmbeddingModelError, match="without a direction"):
            broken.embed_passages(["text"])


class TestTokens:
    def test_tokens_are_counted_without_the_special_ones(self, embedder):
        assert embedder.count_tokens(["hello world", "", "unaffable"]) == [2, 0, 3]

    def test_long_texts_are_counted_whole(self, embedder):
        assert embedder.count_tokens(["word " * 1_000]) == [1_000]
        assert embedder.count_tokens([]) == []

    def test_few_and_many_texts_are_counted_alike(self, embedder):
        """Few are counted one by one and many on all cores, with the same result."""
        texts = ["word " * count + "unaffable \ud800" for count in range(40)]
        one_by_one = [tokens for text in texts for tokens in embedder.count_tokens([text])]
        assert embedder.count_tokens(texts) == one_by_one

    def test_more_texts_than_are_counted_at_a_time_keep_their_order(self, embedder, monkeypatch):
        monkeypatch.setattr(embedding, "MOST_TEXTS_COUNTED", 7)
        assert embedder.count_tokens(["word " * count for count in range(40)]) == list(range(40))

    def test_the_window_is_what_the_model_sees(self, embedder):
        window = embedder.window_tokens
        base = "word " * (window - 1)
        inside, outside = (base + tail for tail in ("cat", "word cat"))
        assert embedder.count_tokens([inside, outside]) == [window, window + 1]
        cut_off = embedder.embed_passages([base + "word"])[0]
        assert float(embedder.embed_passages([outside])[0] @ cut_off) > 0.99999
        assert float(embedder.embed_passages([inside])[0] @ cut_off) < 0.9999


class TestBundledModel:
    def test_its_name_and_dimension_need_no_library(self, tmp_path):
        script = (
            "import sys, pathlib\n"
            "from memctl.embedding import FastEmbedEmbedder\n"
            "model = FastEmbedEmbedder(cache_folder=pathlib.Path(sys.argv[1])).model\n"
            "heavy = {'fastembed', 'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)\n"
            "print(model.dimension, sorted(heavy))\n"
        )
        assert run_python(script, tmp_path).stdout == "384 []\n"

    def test_it_needs_no_network_at_all(self, tmp_path):
        script = (
            "import pathlib, sys\n"
            "def refuse(event, _):\n"
            "    if event.startswith('socket.'): raise RuntimeError(event)\n"
            "sys.addaudithook(refuse)\n"
            "from memctl.embedding import FastEmbedEmbedder\n"
            "embedder = FastEmbedEmbedder(cache_folder=pathlib.Path(sys.argv[1]) / 'new')\n"
            "print(embedder.embed_passages(['one', 'two']).shape, embedder.count_tokens(['one']))\n"
        )
        result = run_python(script, tmp_path)
        assert (result.stdout, result.stderr) == ("(2, 384) [1]\n", "")

    def test_several_first_runs_at_once_all_succeed(self, tmp_path):
        folder = tmp_path / "cache"
        script = (
            "import pathlib, sys\n"
            "from memctl.bundled_model import bundled_folder\n"
            "with bundled_folder(pathlib.Path(sys.argv[1])) as folder:\n"
            "    print(len((folder / 'tokenizer.json').read_bytes()))\n"
        )
        command = [sys.executable, "-c", script, str(folder)]
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
        assert {process.communicate()[0] for process in processes} == {b"466247\n"}
        assert len(list(folder.iterdir())) == 1

    def test_a_cache_on_another_file_system_gets_copies(self, tmp_path, monkeypatch):
        """Where no hard link can be made; the model loads from them as well."""

        def refuse(*_):
            raise OSError(errno.EXDEV, "Invalid cross-device link")

        monkeypatch.setattr(Path, "hardlink_to", refuse)
        assert FastEmbedEmbedder(cache_folder=tmp_path).embed_query("text").shape == (384,)
        (weights,) = tmp_path.glob("*/model.onnx")
        assert weights.stat().st_nlink == 1

    def test_a_cache_that_cannot_be_written_is_done_without(self, tmp_path):
        (tmp_path / "file").write_text("no folder")
        embedder = FastEmbedEmbedder(cache_folder=tmp_path / "file" / "cache")
        assert embedder.embed_query("text").shape == (384,)

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_read_only_cache_is_done_without(self, tmp_path):
        tmp_path.chmod(0o500)
        assert FastEmbedEmbedder(cache_folder=tmp_path).embed_query("text").shape == (384,)

    def test_a_wrong_file_is_refused_also_after_a_right_one(self, tmp_path, monkeypatch):
        copies = {}
        for file in (bundled_model._MODEL, bundled_model._TOKENIZER):
            copies[file.name] = tmp_path / file.name
            shutil.copyfile(bundled_model._installed(file), copies[file.name])
        monkeypatch.setattr(bundled_model, "_installed", lambda file: copies[file.name])
        with bundled_model.bundled_folder(tmp_path / "cache"):
            pass
        with copies["model.onnx"].open("r+b") as stream:
            stream.seek(1_000)
            stream.write(b"\0")
        with (
            pytest.raises(EmbeddingModelError, match="not the right file"),
            bundled_model.bundled_folder(tmp_path / "cache"),
        ):
            pass

    def test_its_graph_computes_what_the_model_s_own_graph_does(self, cache_folder, embedder):
        """Texts of all lengths, alone and padded to the longest of many."""
        import onnxruntime

        tokenizer = embedder._loaded_tokenizer()
        words = Path(__file__).read_text(encoding="utf-8").split()
        batches = [[""], ["word"], [" ".join(words[:400])]]
        batches.append([" ".join(words[start : 3 * start]) for start in range(0, 90, 7)])
        with bundled_model.bundled_folder(cache_folder) as folder:
            own, graph = (
                onnxruntime.InferenceSession(folder / name)
                for name in (bundled_model.MODEL_FILE, bundled_model.GRAPH.name)
            )
        for texts in batches:
            encodings = tokenizer.encode_batch(texts)
            seen = np.array([encoding.attention_mask for encoding in encodings])
            tokens = np.array([encoding.ids for encoding in encodings])
            inputs = {
                "input_ids": tokens,
                "attention_mask": seen,
                "token_type_ids": np.zeros_like(tokens),
            }
            expected, computed = (session.run(None, inputs)[0] for session in (own, graph))
            assert computed.shape == (*tokens.shape, 384)
            assert np.abs(computed - expected)[seen == 1].max() < 1e-4

    def test_a_graph_of_another_version_gets_a_folder_of_its_own(self, tmp_path, monkeypatch):
        """A folder that an earlier memctl has left in the cache is not taken for this one's."""
        with bundled_model.bundled_folder(tmp_path / "cache") as before:
            pass
        other = tmp_path / bundled_model.GRAPH.name
        other.write_bytes(bundled_model.GRAPH.read_bytes() + b"\0")
        monkeypatch.setattr(bundled_model, "GRAPH", other)
        with bundled_model.bundled_folder(tmp_path / "cache") as after:
            assert after != before
            assert (after / other.name).read_bytes() == other.read_bytes()

    def test_right_files_are_hashed_once(self, cache_folder, embedder, monkeypatch):
        embedder.embed_query("text")

        def refuse(*_):
            pytest.fail("hashed again")

        monkeypatch.setattr(bundled_model, "_check", refuse)
        assert FastEmbedEmbedder(cache_folder=cache_folder).embed_query("text").shape == (384,)

    def test_a_torn_folder_in_the_cache_is_made_again(self, tmp_path):
        with bundled_model.bundled_folder(tmp_path) as folder:
            (folder / "tokenizer_config.json").unlink()
        with bundled_model.bundled_folder(tmp_path) as folder:
            assert folder.parent == tmp_path
            assert len(list(folder.iterdir())) == 6

    def test_a_missing_package_is_named(self, tmp_path, monkeypatch):
        missing = bundled_model._PackagedFile("model.onnx", "no-such-package", "model.onnx", "")
        monkeypatch.setattr(bundled_model, "_MODEL", missing)
        with pytest.raises(EmbeddingModelError, match="install the package no-such-package again"):
            FastEmbedEmbedder(cache_folder=tmp_path).embed_query("text")


class _Hub(BaseHTTPRequestHandler):
    """A model hub that answers every request with 503."""

    def do_GET(self) -> None:
        self.send_error(503)

    def do_HEAD(self) -> None:
        self.send_error(503)

    def log_message(self, *_: object) -> None:
        """Tests are quiet."""


@pytest.fixture
def failing_hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def silent_hub() -> Iterator[str]:
    """Takes connections and never says a word, as behind a firewall that swallows packets."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def online(monkeypatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")


class TestOtherModels:
    def test_its_dimension_comes_from_fastembed(self, tmp_path):
        model = FastEmbedEmbedder(SMALL_MODEL, cache_folder=tmp_path).model
        assert model == EmbeddingModel(SMALL_MODEL, 384)

    def test_an_unknown_name_is_an_error_with_near_ones(self, tmp_path):
        with pytest.raises(EmbeddingModelError, match=r"knows no model.*near: baai/bge-small-en"):
            _ = FastEmbedEmbedder("BAAI/bge-smal-en-v1.5", cache_folder=tmp_path).model

    @pytest.mark.usefixtures("online")
    @pytest.mark.parametrize("hub", ["failing_hub", "silent_hub"])
    def test_a_hub_that_does_not_give_it_costs_seconds(self, hub, request, tmp_path, monkeypatch):
        monkeypatch.setenv("HF_ENDPOINT", request.getfixturevalue(hub))
        embedder = FastEmbedEmbedder(SMALL_MODEL, cache_folder=tmp_path, timeout_seconds=1)
        started = time.monotonic()
        with pytest.raises(EmbeddingModelError) as caught:
            embedder.embed_query("text")
        assert time.monotonic() - started < 20
        assert str(caught.value).startswith(f"cannot load the embedding model {SMALL_MODEL}: ")
        assert "keyword" in caught.value.next_step
        again = time.monotonic()
        with pytest.raises(EmbeddingModelError):
            embedder.embed_passages(["text"])
        assert time.monotonic() - again < 0.5

    def test_a_folder_without_the_mark_is_no_model(self, tmp_path, monkeypatch):
        own = tmp_path / "baai--bge-small-en-v1.5"
        own.mkdir()
        (own / "half.onnx").write_bytes(b"half")
        monkeypatch.setattr(embedding, "run_download", lambda *_, **__: "the network is down")
        with pytest.raises(EmbeddingModelError, match="the network is down"):
            FastEmbedEmbedder(SMALL_MODEL, cache_folder=tmp_path).embed_query("text")

    def test_a_download_that_cannot_be_loaded_is_removed(self, tmp_path, monkeypatch):
        def fake_download(*_, folder: Path, **__) -> None:
            (folder / "models--rubbish").mkdir()

        monkeypatch.setattr(embedding, "run_download", fake_download)
        with pytest.raises(EmbeddingModelError):
            FastEmbedEmbedder(SMALL_MODEL, cache_folder=tmp_path).embed_query("text")
        assert list(tmp_path.iterdir()) == []

    def test_a_download_that_can_be_loaded_is_used_from_then_on(
        self, tmp_path, cache_folder, monkeypatch
    ):
        with bundled_model.bundled_folder(cache_folder) as source:
            graph = source / bundled_model.GRAPH.name
            files = {path.name: path.read_bytes() for path in source.iterdir() if path != graph}

        def fake_download(*_, folder: Path, **__) -> None:
            snapshot = folder / "models--qdrant--bge-small-en-v1.5-onnx-q" / "snapshots" / "abc"
            snapshot.mkdir(parents=True)
            for name, content in files.items():
                target = "model_optimized.onnx" if name == "model.onnx" else name
                (snapshot / target).write_bytes(content)
            reference = snapshot.parents[1] / "refs" / "main"
            reference.parent.mkdir()
            reference.write_text("abc")

        monkeypatch.setattr(embedding, "run_download", fake_download)
        first = FastEmbedEmbedder(SMALL_MODEL, cache_folder=tmp_path)
        assert first.embed_query("text").shape == (384,)
        assert first.window_tokens == 254
        assert first.count_tokens(["word " * 600]) == [600]
        monkeypatch.delattr(embedding, "run_download")
        assert FastEmbedEmbedder(SMALL_MODEL, cache_folder=tmp_path).embed_query("text").any()


class TestDownload:
    def run(self, function, folder: Path, *more: object, stall_seconds: float) -> str | None:
        return model_download.run_download(
            downloads.__name__,
            function.__name__,
            [str(folder), *more],
            folder=folder,
            stall_seconds=stall_seconds,
        )

    def test_it_may_take_its_time_while_bytes_arrive(self, tmp_path):
        assert self.run(downloads.write_and_stop, tmp_path, 12, stall_seconds=1) is None
        assert len(list(tmp_path.iterdir())) == 13

    def test_it_is_ended_when_it_stalls(self, tmp_path):
        started = time.monotonic()
        problem = self.run(downloads.write_and_hang, tmp_path, stall_seconds=0.4)
        assert problem == "nothing arrived from the model hub for 0.4 s"
        assert time.monotonic() - started < 10

    def test_its_error_is_handed_on(self, tmp_path):
        problem = self.run(downloads.write_and_fail, tmp_path, stall_seconds=10)
        assert problem == "OSError: the disk is gone"


def test_the_configuration_says_what_the_tokenizer_is():
    """The generated files agree with the tokenizer's own vocabulary."""
    tokenizer = json.loads(bundled_model.bundled_tokenizer().read_text(encoding="utf-8"))
    ids = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    special = bundled_model._CONFIGURATION["special_tokens_map.json"]
    assert set(special.values()) == set(ids)
    assert bundled_model._CONFIGURATION["config.json"]["pad_token_id"] == ids["[PAD]"]
    assert BUNDLED_MODEL.endswith("all-MiniLM-L6-v2-int8")


def test_embedders_that_are_made_at_once_register_the_bundled_model_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process that watches and answers has an embedder for each, in threads of their own."""
    import fastembed

    registered: list[str] = []

    def list_models() -> list[dict[str, str]]:
        found = [{"model": name} for name in registered]
        time.sleep(0.02)
        return found

    def add_model(name: str, **_description: object) -> None:
        registered.append(name)

    monkeypatch.setattr(fastembed.TextEmbedding, "list_supported_models", list_models)
    monkeypatch.setattr(fastembed.TextEmbedding, "add_custom_model", add_model)
    threads = [
        threading.Thread(target=embedding._register_bundled, args=[fastembed]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert registered == [BUNDLED_MODEL]
