"""Embedding speed against bare FastEmbed on the same texts, in the same run.

    python benchmarks/embedding.py [--texts 1000] [--rounds 3]

Bare FastEmbed has all cores and batches of 32 sorted by length, its fastest plain use. Both take
turns, so that a machine that slows down slows down both; the ratio is the median over the rounds.
Prints texts per second of each and the ratio of ours to bare.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bare_fastembed import bare_fastembed

from memctl.embedding import BATCH_SIZE, FastEmbedEmbedder

WORDING = (
    "we decided to keep the old billing service until the new database has run for two weeks "
    "because Ana found three invoices that were counted twice in March and nobody could say why "
    "the nightly job had been started by hand on the second machine please ask Tom before Friday"
)


def make_texts(count: int) -> list[str]:
    """Sentences of 5 to 40 words, all different, the same in each run."""
    source, words = random.Random(1), WORDING.split()
    lengths = (source.randint(5, 40) for _ in range(count))
    return [
        f"{number} {' '.join(source.choices(words, k=length))}"
        for number, length in enumerate(lengths)
    ]


def texts_per_second(embed: Callable[[], object], count: int) -> float:
    started = time.perf_counter()
    embed()
    return count / (time.perf_counter() - started)


def main(count: int, rounds: int) -> None:
    texts = make_texts(count)
    with tempfile.TemporaryDirectory() as folder:
        ours = FastEmbedEmbedder(cache_folder=Path(folder))
        ours.embed_query("loads the model")
        bare = bare_fastembed(Path(folder))
        figures = []
        for _ in range(rounds):
            plain = texts_per_second(
                lambda: list(bare.embed(sorted(texts, key=len), batch_size=BATCH_SIZE)), count
            )
            figures.append((plain, texts_per_second(lambda: ours.embed_passages(texts), count)))
    for name, values in zip(("bare FastEmbed", "memctl"), zip(*figures, strict=True), strict=True):
        print(f"{name:<15} {statistics.median(values):7.0f} texts/s (best {max(values):.0f})")
    ratio = statistics.median(own / plain for plain, own in figures)
    print(f"memctl / bare   {ratio:7.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compares memctl with bare FastEmbed.")
    parser.add_argument("--texts", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    main(arguments.texts, arguments.rounds)
