"""The HTML page of a neighbourhood: complete in itself, and harmless whatever was stored."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from memctl.cli.graph_page import html_page
from memctl.memory import Association, Memory, MemoryType, RelationType
from memctl.search.neighbourhood import Neighbourhood

MOMENT = datetime(2026, 3, 4, tzinfo=UTC)
HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
)
BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


def make_memory(number: int, content: str) -> Memory:
    return Memory(
        id=f"{number:08x}-0000-4000-8000-000000000000",
        content=content,
        memory_type=list(MemoryType)[number % 8],
        importance=0.5,
        created_at=MOMENT,
        updated_at=MOMENT,
        last_accessed_at=MOMENT,
        tags=(content,),
        source=content,
    )


def make_page(*contents: str) -> tuple[str, list[Memory]]:
    memories = [make_memory(number, content) for number, content in enumerate(contents)]
    edges = [
        Association(
            id=str(number),
            source_id=memories[0].id,
            target_id=memory.id,
            relation_type=list(RelationType)[number % 6],
            weight=0.5,
            created_at=MOMENT,
        )
        for number, memory in enumerate(memories[1:])
    ]
    neighbourhood = Neighbourhood({memory.id: memory for memory in memories}, tuple(edges))
    return html_page(memories[0].id, neighbourhood), memories


class Elements(HTMLParser):
    """The elements of a page with their texts, as a browser sees them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None], str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)


def elements(page: str) -> list[tuple[str, dict[str, str | None], str]]:
    parser = Elements()
    parser.feed(page)
    return parser.found


def test_the_page_holds_every_memory_and_association_as_data() -> None:
    page, memories = make_page("one", "two {{script}}", "{{data}}")
    [data] = [text for tag, attributes, text in elements(page) if attributes.get("id") == "data"]
    document = json.loads(data)
    assert document["start"] == memories[0].id
    assert [memory["content"] for memory in document["memories"]] == [m.content for m in memories]
    assert len(document["associations"]) == 2
    assert page.count("layOut();") == 1


def test_stored_text_opens_no_element() -> None:
    plain, _ = make_page("one", "two")
    hostile, _ = make_page(HOSTILE, "<!--<script>")
    assert [tag for tag, _, _ in elements(hostile)] == [tag for tag, _, _ in elements(plain)]


def test_the_policy_lets_its_own_script_run_and_no_other() -> None:
    page, _ = make_page(HOSTILE)
    found = elements(page)
    [policy] = [
        attributes["content"] or ""
        for tag, attributes, _ in found
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    scripts = [text for tag, attributes, text in found if tag == "script" and not attributes]
    [style] = [text for tag, _, text in found if tag == "style"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for text, name in ((scripts[0].removesuffix("\n") + "\n", "script"), (style, "style")):
        element = page.split(f"<{name}>")[1].split(f"</{name}>")[0]
        assert element.strip() == text.strip()
        digest = base64.b64encode(hashlib.sha256(element.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


def test_the_page_asks_for_nothing_else() -> None:
    page, _ = make_page("one")
    assert set(re.findall(r"https?://[^\s\"']+", page)) == {"http://www.w3.org/2000/svg"}
    for _, attributes, _ in elements(page):
        assert set(attributes) & {"src", "href"} <= {"href"}
        assert attributes.get("href") in {None, "data:,"}


def test_the_command_writes_the_page(call_memctl) -> None:
    first = call_memctl("save", "The oven is from 1974", "--json").json["id"]
    second = call_memctl("save", "The oven was repaired in 2020", "--json").json["id"]
    call_memctl("link", second, "caused_by", first)
    page = call_memctl("graph", first, "--format", "html").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert second in page


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
def test_a_browser_draws_every_memory_and_runs_nothing_that_was_stored(tmp_path: Path) -> None:
    page, memories = make_page("Start here", HOSTILE, *[f"memory {number}" for number in range(20)])
    path = tmp_path / "graph.html"
    path.write_text(page, encoding="utf-8")
    assert BROWSER is not None
    shown = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=4000",
            "--dump-dom", path.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    drawn = shown.stdout
    assert 'data-ready="true"' in drawn
    assert len(re.findall(r'<g class="node', drawn)) == len(memories)
    assert len(re.findall(r'<g class="edge', drawn)) == len(memories) - 1
    assert "<title>Start here</title>" in drawn
    assert "NaN" not in drawn
