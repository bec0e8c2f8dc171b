"""Looking up: deeper while what comes back is taken away."""

from __future__ import annotations

from collections.abc import Iterable

from fakes.hash_embedder import HashEmbedder
from fakes.memory_index import MemoryIndex
from test_collapse import NOW, memories_of

from memctl.memory import EntryKind, Memory
from memctl.search.lookup import IndexQuestion, look_up_memories
from memctl.search.query import read_query
from memctl.store.index import IndexEntry


class CountingIndex(MemoryIndex):
    """Notes how deep each search for text went."""

    depths: list[int]

    def search_text(self, kind, query, limit, memory_filter=None):  # type: ignore[no-untyped-def]
        self.depths.append(limit)
        return super().search_text(kind, query, limit, memory_filter)


def look(keep: set[str], *, depth: int, wanted: int) -> tuple[list[str], list[int]]:
    index = CountingIndex(4)
    index.depths = []
    index.put(
        EntryKind.MEMORY,
        [
            IndexEntry(
                id=f"m{number:02}",
                kind=EntryKind.MEMORY,
                content="tea " * (60 - number),
                vector=None,
                created_at=NOW,
            )
            for number in range(60)
        ],
    )
    memory = memories_of("tea")["a"]

    def kept(ids: Iterable[str]) -> dict[str, Memory]:
        return {key: memory for key in ids if key in keep}

    question = IndexQuestion(
        query=read_query("tea"),
        vector=None,
        embed=HashEmbedder(dimension=4).embed_query,
        memory_filter=None,
    )
    lists = look_up_memories(index, question, depth=depth, wanted=wanted, keep=kept)
    assert set(lists.memories) == {hit.id for hit in lists.text}
    return [hit.id for hit in lists.text], index.depths


def test_one_look_is_enough_when_enough_is_kept() -> None:
    found, depths = look({f"m{number:02}" for number in range(60)}, depth=8, wanted=5)
    assert len(found) == 8
    assert depths == [8]


def test_it_looks_deeper_until_enough_is_kept() -> None:
    found, depths = look({"m40", "m41", "m42"}, depth=2, wanted=2)
    assert len(found) >= 2
    assert depths == [2, 8, 32, 128]


def test_it_ends_when_the_index_has_no_more() -> None:
    found, depths = look({"m59"}, depth=16, wanted=5)
    assert found == ["m59"]
    assert depths == [16, 64]
