"""A command that a server answers prints what it prints without one, and never does less."""

from __future__ import annotations

import io
import json
import re
import shutil
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from memctl.cli.session import Session, Streams
from memctl.cli.warm.kept_runtime import WarmRuntime
from memctl.cli.warm.protocol import GO, write_line
from memctl.cli.warm.server import WarmServer, answering
from memctl.embedding import FastEmbedEmbedder
from memctl.errors import LockedError, UsageError
from memctl.new_memory import NewMemory
from memctl.search.request import RecallRequest


@pytest.fixture
def stocked(warm):
    """A store with three memories, one of them from a file, and a server."""
    warm.cold("save", "The mixer draws 2.2 kilowatts", "--tag", "bakery")
    warm.cold("save", "Ada prefers rye bread [red]\x1b[31m", "--type", "preference")
    warm.cold("save", "四百円のパンを買った", "--type", "event", "--event-at", "2026-03-04")
    warm.serve()
    return warm


@pytest.fixture
def served(warm):
    """An empty store and a server."""
    warm.serve()
    return warm


THINGS = """anvil barrel candle drum easel funnel gasket hammer inkwell jigsaw kettle ladder mallet
    needle otter pulley quill rudder saddle teapot""".split()

COMMAND_LINES = [
    ["recall", "how much power does the mixer draw?"],
    ["recall", "mixer", "--json"],
    ["recall", "mixer", "--explain"],
    ["recall", "パン"],
    ["recall", "zeppelin tax"],
    ["recall", "--mode", "recent", "--limit", "2"],
    ["recall"],
    ["recall", "mixer", "--mode", "nonsense"],
    ["list"],
    ["list", "--type", "preference", "--json"],
    ["show", "ffff"],
    ["show", "ffff", "--json"],
    ["context"],
    ["forget", "--dry-run", "ffff"],
    ["save"],
    ["--frobnicate", "list"],
    ["--frobnicate", "list", "--json"],
]


def comparable(text: str) -> str:
    """Without what differs from one moment to the next: accesses, ages, scores, and how wide those
    make a column. Colours are left out with them."""
    if text.lstrip().startswith("{"):
        document = json.loads(text)
        for row in document.get("results", document.get("memories", [])):
            for name in ("access_count", "last_accessed_at", "score", "explain"):
                row.pop(name, None)
        return json.dumps(document)
    text = re.sub(r"\d+ s ago|\bnow\b|[+-]?\d\.\d+", "N", re.sub(r"\x1b\[[0-9;]*m", "", text))
    return re.sub("[ ─-]+", " ", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_terminal", "encoding", "variables"),
    [
        (False, "utf-8", {}),
        (True, "utf-8", {}),
        (True, "ascii", {"COLUMNS": "44", "NO_COLOR": "1"}),
    ],
    ids=["piped", "terminal", "narrow ascii"],
)
def test_the_answer_is_the_same_with_and_without_a_server(
    stocked, is_terminal, encoding, variables
):
    options = {"is_terminal": is_terminal, "encoding": encoding, **variables}
    for words in COMMAND_LINES:
        answered, cold = stocked.ask(*words, **options), stocked.cold(*words, **options)
        assert answered[0] == cold[0], words
        assert comparable(answered[1]) == comparable(cold[1]), words
        assert answered[2] == cold[2], words


def test_what_a_server_saves_is_there_for_all_and_what_others_save_is_there_for_it(stocked):
    status, stdout, _ = stocked.ask("save", "The oven is from 1974", "--json")
    assert (status, json.loads(stdout)["outcome"]) == (0, "created")
    assert "1974" in stocked.cold("recall", "how old is the oven?")[1]
    stocked.cold("save", "The kiln is from 1981")
    assert "1981" in stocked.ask("recall", "how old is the kiln?")[1]
    identity = json.loads(stdout)["id"]
    assert stocked.ask("forget", identity)[0] == 0
    assert "1974" not in stocked.cold("recall", "how old is the oven?")[1]


def test_paths_are_shown_from_the_clients_folder(warm, tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "oven.md").write_text("The oven is from 1974.\n")
    warm.cold("ingest", str(tmp_path / "notes"))
    warm.serve()
    for folder, shown in ((tmp_path, "notes/oven.md"), (tmp_path / "notes", " oven.md")):
        monkeypatch.chdir(folder)
        for ask in (warm.ask, warm.cold):
            assert shown in ask("recall", "oven", is_terminal=True)[1]


def test_what_needs_the_clients_own_process_is_not_asked(served):
    for words in (
        ["save", "-"],
        ["recall", "--help"],
        ["recall", "x", "--debug"],
        ["recall", "x", "--batch=q.txt"],
        ["--store", "relative", "list"],
        ["status"],
        [],
    ):
        assert served.ask(*words)[0] is None, words


def test_a_save_that_may_ask_a_language_model_is_left_to_the_client(warm):
    """The keys for it are in the client's environment, and it takes its time."""
    warm.environment["MEMCTL_ASSOCIATION_LLM"] = "true"
    warm.serve()
    assert warm.ask("save", "The oven is from 1974")[0] is None
    assert warm.ask("list")[0] == 0


def test_the_switch_keeps_a_client_from_asking(served):
    assert served.ask("list")[0] == 0
    assert served.ask("list", MEMCTL_NO_DAEMON="1")[0] is None


def test_without_a_server_nothing_is_asked_and_nothing_waited_for(warm):
    started = time.monotonic()
    assert warm.ask("list")[0] is None
    warm.path.parent.mkdir(mode=0o700)
    assert warm.ask("list")[0] is None
    assert time.monotonic() - started < 0.3


def test_a_server_that_began_without_an_index_fills_it_once(warm, monkeypatch):
    runtime = WarmRuntime(warm.settings, lambda: warm.settings)
    embedded = []
    embed = FastEmbedEmbedder.embed_passages

    def counted(embedder, texts):
        embedded.extend(texts)
        return embed(embedder, texts)

    monkeypatch.setattr(FastEmbedEmbedder, "embed_passages", counted)
    with runtime.lend(warm.settings, print, "memctl") as opened:
        opened.save(NewMemory(content="The oven is from 1974"))
        for _ in range(3):
            opened.recall(RecallRequest(query="oven"))
    runtime.close()
    assert embedded == ["The oven is from 1974"]


def test_other_settings_get_a_store_of_their_own(stocked, tmp_path):
    """The socket is that of the default store; the settings are the client's all the same."""
    other = tmp_path / "other.toml"
    other.write_text("[recall]\nlimit = 1\n")
    answered = stocked.ask("recall", "--mode", "recent", MEMCTL_RECALL_LIMIT="1")
    assert answered[1].count("\n") == 1
    refused = stocked.ask("recall", "mixer", MEMCTL_RECALL_LIMIT="0")
    assert refused[0] == 3
    assert "recall.limit" in refused[2]


def test_a_changed_configuration_is_that_of_the_store_which_is_kept(warm, tmp_path):
    """Otherwise each request would open a store, and load a model, of its own."""
    file = tmp_path / "memctl.toml"
    warm.environment["MEMCTL_CONFIG"] = str(file)
    kept = []
    file.write_text("[recall]\nlimit = 1\n")
    runtime = WarmRuntime(warm.settings, lambda: warm.settings)
    for text in ("[recall]\nlimit = 2\n",) * 2 + ("[recall]\nlimit = 3\n",):
        file.write_text(text)
        with runtime.lend(warm.settings, print, "memctl") as opened:
            assert opened.settings == warm.settings
            kept.append(opened)
    current = warm.settings
    file.write_text("[recall")
    with runtime.lend(current, print, "memctl") as opened:
        kept.append(opened)
    runtime.close()
    assert [kept.index(one) for one in kept] == [0, 0, 2, 2]


def test_a_client_of_another_time_zone_is_refused(served):
    """Times are shown in the zone of the process that prints them."""
    assert served.ask("list", TZ="Asia/Tokyo")[0] is None


def test_a_store_that_was_replaced_is_opened_anew(stocked, store_path, tmp_path):
    assert "mixer" in stocked.ask("list")[1]
    store_path.rename(tmp_path / "aside")
    assert stocked.ask("list") == (0, "", stocked.cold("list")[2])
    shutil.rmtree(store_path)
    (tmp_path / "aside").rename(store_path)
    assert "mixer" in stocked.ask("recall", "mixer")[1]


def test_a_second_server_says_who_answers(warm):
    warm.serve()
    with pytest.raises(LockedError, match="memctl serve"):
        warm.serve()


def test_a_watcher_beside_a_server_says_that_commands_are_answered(warm):
    warm.serve()
    said = []
    streams = Streams(io.BytesIO(), io.StringIO(), io.StringIO(), warm.environment)
    with answering(Session(streams), said.append):
        pass
    assert said == ["other commands are answered by the process that holds the socket already"]


def test_a_folder_that_others_can_write_in_is_neither_used_nor_trusted(served):
    folder = served.path.parent
    folder.chmod(0o777)
    assert served.ask("list")[0] is None
    with pytest.raises(UsageError, match="not for you alone"):
        served.serve()


@pytest.mark.parametrize("in_the_way", ["folder", "socket"])
def test_a_file_in_the_way_of_the_socket_is_named(warm, in_the_way):
    if in_the_way == "folder":
        obstacle = warm.path.parent
        obstacle.symlink_to("/nonexistent")
    else:
        obstacle = warm.path
        obstacle.mkdir(parents=True, mode=0o700)
        obstacle.parent.chmod(0o700)
    with pytest.raises(UsageError, match=re.escape(f"answer on a socket: {obstacle}")):
        warm.serve()


def test_idle_connections_keep_others_waiting_and_harm_no_server(warm, monkeypatch):
    monkeypatch.setattr("memctl.cli.warm.server.CONNECTIONS_AT_ONCE", 2)
    warm.serve()
    with ExitStack() as idle:
        for _ in range(3):
            connection = idle.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            connection.connect(str(warm.path))
        assert warm.ask("list")[0] is None
    assert warm.ask("list")[0] == 0


def test_the_socket_is_for_its_user_alone_and_goes_with_the_server(warm):
    server = warm.serve()
    assert warm.path.stat().st_mode & 0o077 == 0
    assert warm.path.parent.stat().st_mode & 0o077 == 0
    server.stop.set()
    warm.stack.close()
    assert not warm.path.exists()


def test_a_server_that_nobody_asks_ends(warm):
    server = WarmServer(
        warm.path, WarmRuntime(warm.settings, lambda: warm.settings), warm.environment
    )
    with server.listening():
        started = time.monotonic()
        server.run(idle_seconds=0.3)
        assert 0.3 < time.monotonic() - started < 2


@pytest.mark.slow
def test_many_clients_at_once_all_get_the_right_answer(stocked):
    def ask(number: int):
        wanted = ("mixer", "rye bread", "パン")[number % 3]
        return wanted, stocked.ask("recall", wanted, "--limit", "1")

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, range(24)))
    assert not [answer for wanted, answer in answers if answer[0] != 0 or wanted not in answer[1]]


@pytest.mark.slow
def test_many_who_read_and_write_at_once_see_their_own_writes(stocked):
    """Each saves, finds, lists and forgets its own, while the others do the same."""

    def answered(*words: str):
        """As the command does: what no server answers in time it does itself."""
        status, out, err = stocked.ask(*words)
        if status is None:
            status, out, err = stocked.cold(*words)
        assert status == 0, f"{words}: {status} {err}"
        return status, out

    def live(number: int):
        text = f"The {THINGS[number]} was sold to Ada"
        saved = json.loads(answered("save", text, "--json")[1])
        shown = json.loads(answered("show", saved["id"], "--json")[1])
        found = json.loads(answered("recall", THINGS[number], "--json")[1])
        listed = json.loads(answered("list", "--json", "--limit", "100")[1])
        forgotten = answered("forget", saved["id"])[0]
        gone = json.loads(answered("list", "--json", "--limit", "100")[1])
        return (
            shown["content"] == text
            and saved["id"] in [hit["id"] for hit in found["results"]]
            and saved["id"] in [memory["id"] for memory in listed["memories"]]
            and forgotten == 0
            and saved["id"] not in [memory["id"] for memory in gone["memories"]]
        )

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(live, range(len(THINGS))))
    contents = [m["content"] for m in json.loads(stocked.cold("list", "--json")[1])["memories"]]
    assert len(contents) == 3


def test_a_warning_reaches_the_client_whose_request_it_is_about(stocked):
    with ThreadPoolExecutor(4) as pool:
        lines = [["recall", "mixer"], ["recall", "???"]] * 6
        answers = list(pool.map(lambda words: stocked.ask(*words), lines))
    for words, (status, _, stderr) in zip(lines, answers, strict=True):
        assert status == 0
        assert ("no word to look for" in stderr) == (words[1] == "???")


@contextmanager
def listening(path, behave):
    """A server at ``path`` that does with each connection what ``behave`` does."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()

        def run() -> None:
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                lines.readline()
                behave(connection, lines)

        thread = threading.Thread(target=run)
        thread.start()
        yield
        thread.join()


def hangs(_connection, lines):
    lines.readline()


def is_of_another_version(connection, _lines):
    connection.sendall(write_line({"ready": False, "why": "another version"}))


def talks_nonsense(connection, _lines):
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")


def dies_before_it_begins(_connection, _lines):
    pass


def dies_in_its_answer(connection, lines):
    connection.sendall(write_line({"ready": True}))
    assert lines.readline() == GO
    connection.sendall(b'{"status": 0, "parts": [[1, "half an ans')


def answers_nested_beyond_measure(connection, _lines):
    connection.sendall(b"[" * 100_000 + b"\n")


def answers_without_a_status(connection, lines):
    connection.sendall(write_line({"ready": True}))
    lines.readline()
    connection.sendall(write_line({"parts": [[1, "hello"]]}))


@pytest.mark.parametrize(
    "behave",
    [
        hangs,
        is_of_another_version,
        talks_nonsense,
        dies_before_it_begins,
        dies_in_its_answer,
        answers_without_a_status,
        answers_nested_beyond_measure,
    ],
)
def test_a_server_that_fails_leaves_the_work_to_the_client(warm, behave):
    with listening(warm.path, behave):
        started = time.monotonic()
        assert warm.ask("save", "The oven is from 1974") == (None, "", "")
        assert time.monotonic() - started < 4


def test_a_client_waits_for_a_server_that_says_it_is_busy(warm):
    def is_busy_for_a_while(connection, lines):
        for _ in range(4):
            connection.sendall(write_line({"waiting": True}))
            time.sleep(0.2)
        connection.sendall(write_line({"ready": True}))
        assert lines.readline() == GO
        connection.sendall(write_line({"status": 0, "parts": [[1, "done\n"], [2, "said\n"]]}))

    with listening(warm.path, is_busy_for_a_while):
        assert warm.ask("list") == (0, "done\n", "said\n")


def test_a_client_that_goes_away_before_it_says_go_has_nothing_done(served):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(served.path))
        connection.sendall(b'{"protocol": 1')
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(served.path))
        connection.sendall(b'{"protocol": "x", "version": 3}\n')
    assert served.ask("list")[0] == 0
