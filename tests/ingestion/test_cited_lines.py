"""Whoever opens a file at the cited line finds the statement there, whatever the file is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest
from fakes.hash_embedder import HashEmbedder
from hypothesis import given
from hypothesis import strategies as st

from memctl.config import Settings, StoreSettings
from memctl.file_lines import line_of
from memctl.file_runtime import FileRuntime
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.readers.html_parser import convert_html
from memctl.ingestion.receipt import DocumentReceipt
from memctl.memory import Citation, Memory
from memctl.runtime import Runtime

PAGE = """\
<!DOCTYPE html>
<html><head><title>Workshop</title>
<script>
var text = "<p>Nobody owns the script.</p>";
</script></head>
<body>
<!-- Nobody owns the
comment. -->
<h1>Workshop rules</h1>
<p>We decided to move the lathe to Brim.
The saw stays in Ottery because
the floor there is stronger. Mara prefers the
green paint for all doors.</p>
<ul>
  <li>Bo owns the drill&#10;and the vice.</li>
  <li>Tools
    <ol><li>The plane is kept
         in the <b>red</b> cupboard.</li>
    <li>Remember to sharpen the chisels &amp; gouges.</li></ol></li>
</ul>
<table>
<tr><th>Name</th><th>Place</th></tr>
<tr><td>Anvil</td>
    <td>Yard</td></tr>
<tr>
 <td>Forge</td>
 <td>Barn</td>
</tr>
</table>
<blockquote>Cid keeps the &quot;old&quot; kiln in the cellar.</blockquote>
<pre>
port: 8080
host: forge.example
</pre>
</body></html>
"""
SAID = ["I am allergic to hazelnuts.", "I moved to Ghent in May 2024.", "I prefer oat milk."]
NOTES = "# Tools\n- Bo owns the drill because he needs it.\n- Cid keeps the anvil in the barn.\n"
WORDS = re.compile(r"\w{2,}")


class Desk:
    """A store, and a folder of files that it takes in."""

    def __init__(self, runtime: Runtime, folder: Path) -> None:
        self.runtime = runtime
        self.folder = folder

    def take_in(self, name: str, data: str | bytes) -> DocumentReceipt:
        """Writes a file and ingests it."""
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        files = FileRuntime(self.runtime)
        [receipt] = files.ingest(files.discover([path]), IngestOptions(chunk_tokens=40))
        return receipt

    def cited(self, name: str) -> list[tuple[Memory, Citation, str]]:
        """The memories, oldest first, each with what its file has on the lines that it cites."""
        lines = re.split("\r\n|\n", (self.folder / name).read_bytes().decode())
        memories = self.runtime.graph.list_memories()[::-1]
        citations = self.runtime.graph.citations([memory.id for memory in memories])
        return [
            (memory, place, "\n".join(lines[(place.first_line or 0) - 1 : place.last_line]))
            for memory in memories
            for place in [citations[memory.id]]
        ]

    def line_of(self, words: str) -> tuple[int | None, int | None]:
        """What the one memory with these words cites."""
        memories = self.runtime.graph.list_memories()
        [found] = [memory.id for memory in memories if words in memory.content]
        citation = self.runtime.graph.citations([found])[found]
        return citation.first_line, citation.last_line


@pytest.fixture
def desk(store_path: Path, tmp_path: Path) -> Iterator[Desk]:
    runtime = Runtime(Settings(store=StoreSettings(path=store_path)), warn=print)
    runtime.embedder = HashEmbedder()
    folder = tmp_path / "files"
    folder.mkdir()
    yield Desk(runtime, folder)
    runtime.close()


def mail(encoding: str) -> bytes:
    message = EmailMessage()
    message["From"] = "Mara <mara@example.org>"
    message["Date"] = "Sat, 14 Mar 2026 10:00:00 +0100"
    message["Subject"] = "Kitchen"
    message.set_content("\n\n".join(SAID) + "\n", cte=encoding)
    message.add_attachment("no", filename="a.txt")
    return message.as_bytes()


def chatgpt(indent: int | None) -> str:
    """An export as a tree, whose nodes do not stand in the order of what was said."""
    names = [f"n{number}" for number in range(len(SAID))]
    nodes = {
        name: {
            "parent": names[place - 1] if place else None,
            "message": {
                "author": {"role": "user"},
                "create_time": 1791828300 + place,
                "content": {"content_type": "text", "parts": [SAID[place]]},
            },
        }
        for place, name in reversed(list(enumerate(names)))
    }
    return json.dumps([{"title": "Me", "mapping": nodes, "current_node": names[-1]}], indent=indent)


def claude(indent: int | None) -> str:
    said = [
        {"sender": "human", "text": "\n".join(SAID[:2])},
        {"sender": "assistant", "text": "Good."},
        {"sender": "human", "content": [{"type": "text", "text": SAID[2]}]},
    ]
    return json.dumps([{"name": "Me", "chat_messages": said}], indent=indent)


RECORDS = [{"text": "Bo prefers green tea", "by": "Al"}, {"text": "Cid owns the red kiln"}]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("page.html", PAGE),
        ("page.html", PAGE.replace("\n", "\r\n")),
        ("page.html", PAGE.replace("\n", " ")),
        ("page.htm", "\n\n\n" + PAGE),
        ("chat.json", chatgpt(None)),
        ("chat.json", chatgpt(2)),
        ("chat.json", claude(None)),
        ("chat.json", claude(2)),
        ("records.json", json.dumps(RECORDS)),
        ("records.json", json.dumps(RECORDS, indent=4)),
        ("records.jsonl", "\n\n".join(map(json.dumps, RECORDS))),
        ("mail.eml", mail("7bit")),
        ("mail.eml", mail("quoted-printable")),
        ("notes.csv", 'who,what\nBo,"likes tea\nand toast"\n\nCid,"owns\nkilns"\n'),
        ("notes.org", "* Tools\n#+BEGIN_QUOTE\nBo owns the drill.\n#+END_QUOTE\n- Cid owns it.\n"),
        ("notes.rst", "Tools\n=====\n\n.. image:: a.png\n\nBo owns the **drill**.\n"),
        ("notes.yaml", "---\n# none\nowner: Bo\n\nplace: Yard\n"),
    ],
)
def test_the_cited_lines_have_the_words_of_the_memory(
    desk: Desk, name: str, data: str | bytes
) -> None:
    """Every statement shares words with its lines of the file."""
    desk.take_in(name, data)
    found = desk.cited(name)
    assert found
    for memory, _, text in found:
        said = set(WORDS.findall(memory.content))
        assert said & set(WORDS.findall(text)), (memory.content, text)


def test_sentences_of_one_paragraph_have_lines_of_their_own(desk: Desk) -> None:
    """A paragraph of HTML is one line of text, and each sentence is cited where the page has it."""
    desk.take_in("page.html", PAGE)
    assert desk.line_of("lathe") == (10, 10)
    assert desk.line_of("saw stays") == (11, 12)
    assert desk.line_of("green paint") == (12, 13)
    assert desk.line_of("drill and the vice") == (15, 15)
    assert desk.line_of("plane") == (17, 18)
    assert desk.line_of("Forge") == (26, 27)
    assert desk.line_of("kiln") == (30, 30)


@pytest.mark.parametrize("name", ["page.html", "chat.json", "notes.md"])
def test_lines_follow_a_text_that_moves_in_its_file(desk: Desk, name: str) -> None:
    """Where the text is the same nothing is stored anew, and the new lines are cited."""
    forms = {
        "page.html": (PAGE, PAGE.replace("\n<", "\n<!-- new -->\n\n<").replace("because\n", "")),
        "chat.json": (claude(None), claude(3)),
        "notes.md": (NOTES, NOTES.replace("\n", "\n\n").replace(" because ", "\nbecause ")),
    }
    before, after = forms[name]
    desk.take_in(name, before)
    ids = {memory.id for memory, _, _ in desk.cited(name)}
    places = [place for _, place, _ in desk.cited(name)]

    receipt = desk.take_in(name, after.replace("the floor there", "because the floor there"))

    found = desk.cited(name)
    assert not receipt.saved
    assert {memory.id for memory, _, _ in found} == ids
    assert [place for _, place, _ in found] != places
    for memory, _, text in found:
        assert memory.content.split()[-1].strip(".") in text.replace('"', "")


def test_only_what_was_edited_is_stored_anew(desk: Desk) -> None:
    """Of a page on one line, too, and the new statement takes the place of the old one."""
    page = PAGE.replace("\n", " ")
    desk.take_in("page.html", page)
    count_before = len(desk.runtime.graph.list_memories())
    receipt = desk.take_in("page.html", page.replace("green paint", "blue paint"))
    assert len(receipt.saved) < count_before
    assert len(desk.runtime.graph.list_memories()) == count_before
    assert desk.line_of("blue paint") == (1, 1)


def test_a_memory_shows_its_own_line_of_the_text(desk: Desk) -> None:
    """What is cited of a page on one line is the line of the text, not the whole page."""
    desk.take_in("page.html", PAGE.replace("\n", " "))
    [memory] = [one for one in desk.runtime.graph.list_memories() if "drill" in one.content]
    [passage] = desk.runtime.graph.passages([memory.id])[memory.id]
    assert passage.cited_text == "- Bo owns the drill and the vice."


PIECES = st.sampled_from(
    [
        *("<p>", "</p>", "<ul>", "<li>", "</ul>", "<b>", "</b>", "<pre>", "</pre>", "<table>"),
        *("<tr>", "<td>", "</table>", "<br>", "<!-- x\n -->", "<script>\n</script>", "<h2>"),
        *("</h2>", "&#10;", "&amp;", "\n", " ", "1. ", "- ", "<dl><dt>", "<dd>", "<code>"),
        *("</code>", "<a href='https://x.example/w1'>", "</a>", "<blockquote>", "[x] "),
    ]
)


@given(st.lists(PIECES | st.just("WORD"), max_size=40))
def test_every_word_of_a_page_stands_on_its_line(pieces: list[str]) -> None:
    """Whatever is open or closed around it, the text says which line of the page has it."""
    numbers = count(100)
    source = "".join(f"w{next(numbers)}q" if piece == "WORD" else piece for piece in pieces)
    page = convert_html(source)
    for match in re.finditer(r"w\d+q", page.text):
        line = source.count("\n", 0, source.index(match[0])) + 1
        assert line_of(page.file_lines, match.start()) == line
