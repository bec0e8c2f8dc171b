"""A process killed while it takes in a changed file leaves nothing hidden that has a successor."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.hash_embedder import HashEmbedder

from memctl.config import Settings, StoreSettings
from memctl.memory import ForgetReason
from memctl.runtime import Runtime

BEFORE = """# House

- We decided to paint the kitchen sage green.
- The bees swarm in May.
- The oven came from Ghent.
- [ ] Hire the van
"""
AFTER = """# House

- We decided to paint the kitchen ochre.
- The bees swarm in May.
- The oven came from Lisbon.
- [x] Hire the van
"""

INGEST = '''
"""Takes a file in, and kills itself at the commit of the number given, or says how many there are.
By another extractor than the built-in one each passage is stored by itself."""

import itertools
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from fakes.hash_embedder import HashEmbedder

from memctl.config import Settings, StoreSettings
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.file_runtime import FileRuntime
from memctl.ingestion.options import IngestOptions
from memctl.runtime import Runtime
from memctl.store.memory_store import MemoryStore
from memctl.store.steps import Step

_, _, store, file, extractor, number = sys.argv
numbers = itertools.count()


def checkpoint(step):
    if step is Step.COMMITTED and next(numbers) == int(number):
        os.kill(os.getpid(), signal.SIGKILL)


class Extraction:
    def __init__(self, document):
        self.rules = RulesExtractor().begin(document)

    def extract(self, chunk, known=()):
        return self.rules.extract(chunk)


class AnotherExtractor:
    name = "another"

    def begin(self, document):
        return Extraction(document)


MemoryStore.__init__.__kwdefaults__["checkpoint"] = checkpoint
runtime = Runtime(Settings(store=StoreSettings(path=Path(store))), warn=print)
runtime.embedder = HashEmbedder()
if extractor == "another":
    runtime.extractor = AnotherExtractor()
files = FileRuntime(runtime)
for _ in files.ingest(files.discover([Path(file)]), IngestOptions()):
    pass
runtime.close()
print(next(numbers))
'''


class House:
    """A file that is taken in by a process of its own, and a store."""

    def __init__(self, folder: Path, extractor: str) -> None:
        self.store = folder / "memory"
        self.file = folder / "house.md"
        self.extractor = extractor

    def take_in(self, text: str, *, killed_at: int = -1) -> int:
        """Returns how many commits there were; -1 where the process was killed."""
        self.file.write_text(text, encoding="utf-8")
        tests = str(Path(__file__).parent.parent)
        arguments = [tests, str(self.store), str(self.file), self.extractor, str(killed_at)]
        done = subprocess.run(
            [sys.executable, "-c", INGEST, *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode == -signal.SIGKILL:
            return -1
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    def said(self) -> list[tuple[object, ...]]:
        """All memories with what became of them."""
        runtime = Runtime(Settings(store=StoreSettings(path=self.store)), warn=print)
        runtime.embedder = HashEmbedder()
        memories = runtime.graph.list_memories(include_forgotten=True, include_superseded=True)
        texts = {memory.id: memory.content for memory in memories}
        found = sorted(
            (
                memory.content,
                memory.memory_type,
                memory.forgotten_reason,
                texts.get(memory.superseded_by or ""),
                round(memory.importance, 6),
            )
            for memory in memories
        )
        runtime.close()
        return found

    def copy(self, folder: Path) -> House:
        """The same file, under the same name, with a copy of the store."""
        shutil.copytree(self.store, folder / "memory")
        house = House(folder, self.extractor)
        house.file = self.file
        return house


def half_revised(house: House) -> list[str]:
    """What is hidden as gone from the file although it was edited."""
    reason = ForgetReason.DOCUMENT
    return [str(content) for content, _, why, *_ in house.said() if why is reason]


@pytest.mark.slow
@pytest.mark.parametrize("extractor", ["rules", "another"])
def test_an_edited_line_is_superseded_or_as_before_wherever_the_process_is_killed(
    tmp_path: Path, extractor: str
) -> None:
    """Nothing is ever hidden without its successor, and the next run ends as an unbroken one."""
    prepared = House(tmp_path, extractor)
    prepared.take_in(BEFORE)
    whole = prepared.copy(tmp_path / "whole")
    commits = whole.take_in(AFTER)
    expected = whole.said()
    assert [why for _, _, why, *_ in expected] == [None] * len(expected)
    assert sum(successor is not None for *_, successor, _ in expected) == 3
    for number in range(commits):
        house = prepared.copy(tmp_path / str(number))
        assert house.take_in(AFTER, killed_at=number) == -1
        assert half_revised(house) == [], f"killed after commit {number}"
        house.take_in(AFTER)
        assert house.said() == expected, f"killed after commit {number}"
