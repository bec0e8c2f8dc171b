"""FastEmbed is imported without the hub's client for the bundled model, and with it for others."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from command_runner import child_environment

SMALL_MODEL = "BAAI/bge-small-en-v1.5"


def run(program: str, folder: Path, *first_on_path: Path) -> list[str]:
    """The lines that a program prints in a process of its own."""
    environment = child_environment(folder)
    environment["PYTHONPATH"] = ":".join([*map(str, first_on_path), environment["PYTHONPATH"]])
    finished = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(folder / "models")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.splitlines()


@pytest.mark.slow
def test_the_bundled_model_gives_the_same_vectors_without_the_client(tmp_path: Path) -> None:
    """The client can be imported afterwards, as the real one."""
    program = """
        import sys
        from pathlib import Path
        from memctl.embedding import FastEmbedEmbedder
        from memctl.fastembed_import import HUB_CLIENT, import_fastembed
        texts = ["We chose PostgreSQL for billing.", "The cat sleeps.", ""]
        lighter = FastEmbedEmbedder(cache_folder=Path(sys.argv[1]))
        vectors = lighter.embed_passages(texts)
        print(sorted({*HUB_CLIENT, "httpx", "urllib3"} & set(sys.modules)))
        import huggingface_hub, requests, tqdm
        print(huggingface_hub.snapshot_download.__module__, requests.get.__module__)
        print(tqdm.tqdm.__module__)
        import_fastembed(with_hub=True)
        whole = FastEmbedEmbedder(cache_folder=Path(sys.argv[1]))
        print((whole.embed_passages(texts) == vectors).all())
        print((lighter.embed_passages(texts) == vectors).all())
        """
    assert run(program, tmp_path) == [
        "[]",
        "huggingface_hub._snapshot_download requests.api",
        "tqdm.std",
        "True",
        "True",
    ]


@pytest.mark.slow
def test_another_model_after_the_bundled_one_has_the_client(tmp_path: Path) -> None:
    """Its name is looked up, it is looked for offline, and its error names what is wrong."""
    program = f"""
        import sys
        from pathlib import Path
        from memctl.embedding import FastEmbedEmbedder
        from memctl.errors import EmbeddingModelError
        folder = Path(sys.argv[1])
        bundled = FastEmbedEmbedder(cache_folder=folder)
        before = bundled.embed_query("text")
        other = FastEmbedEmbedder({SMALL_MODEL!r}, cache_folder=folder)
        print(other.model.dimension)
        try:
            other.embed_query("text")
        except EmbeddingModelError as error:
            print(str(error).partition(":")[0])
        import fastembed.common.model_management as management
        import huggingface_hub
        print(management.snapshot_download is huggingface_hub.snapshot_download)
        print(huggingface_hub.utils.RepositoryNotFoundError in management._HF_DOWNLOAD_ERRORS)
        print((bundled.embed_passages(["text"])[0] @ before).round(3))
        """
    assert run(program, tmp_path) == [
        "384",
        f"cannot load the embedding model {SMALL_MODEL}",
        "True",
        "True",
        "1.0",
    ]


@pytest.mark.parametrize(
    "demand",
    [
        "from requests import Session\nclient = Session()\n",
        "from huggingface_hub import HfApi\nclass Client(HfApi): pass\nclient = Client()\n",
        "import tqdm\nclient = {**tqdm.DEFAULTS}\n",
    ],
)
def test_a_version_that_needs_the_client_gets_it(tmp_path: Path, demand: str) -> None:
    """A call, a subclass or a value of the client while FastEmbed is imported is a need."""
    folder = tmp_path / "packages"
    for name in ("fastembed", "huggingface_hub", "requests", "tqdm"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(
            "class Session: pass\nclass HfApi: pass\nDEFAULTS = {}\n"
        )
    (folder / "fastembed" / "__init__.py").write_text(demand)
    program = """
        import sys
        from memctl.fastembed_import import HUB_CLIENT, import_fastembed
        print(type(import_fastembed(with_hub=False).client).__name__)
        print(len(set(HUB_CLIENT) & set(sys.modules)))
        """
    name, loaded = run(program, tmp_path, folder)
    assert (name, loaded) in {("Session", "1"), ("Client", "1"), ("dict", "1")}


@pytest.mark.slow
def test_what_was_left_out_says_so_when_it_is_used(tmp_path: Path) -> None:
    """Nothing of the client passes for a result."""
    program = """
        from memctl.fastembed_import import import_fastembed
        management = import_fastembed(with_hub=False).common.model_management
        try:
            management.requests.get("http://127.0.0.1:9")
        except TypeError as error:
            print(error)
        """
    assert run(program, tmp_path) == ["FastEmbed was imported without requests.get"]
