"""LanceDB is imported without the client of remote catalogues, and works all the same."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from command_runner import child_environment


def run(program: str, folder: Path, *first_on_path: Path) -> str:
    environment = child_environment(folder)
    environment["PYTHONPATH"] = ":".join([*map(str, first_on_path), environment["PYTHONPATH"]])
    finished = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.mark.slow
def test_a_local_table_needs_no_client_and_others_can_still_import_it(tmp_path: Path) -> None:
    printed = run(
        f"""
        import sys
        from memctl.store.lance_import import import_lancedb
        lancedb = import_lancedb({str(tmp_path)!r})
        left_out = ("lance_namespace_urllib3_client", "overrides")
        assert not [name for name in sys.modules if name.startswith(left_out)]
        database = lancedb.connect({str(tmp_path)!r})
        database.create_table("rows", [{{"id": 1, "vector": [1.0, 0.0]}}])
        print(database.list_tables().tables)
        print(database.open_table("rows").search([1.0, 0.1]).limit(1).to_list()[0]["id"])
        import lance_namespace_urllib3_client.models as models
        print(models.ListTablesResponse(tables=["real"]).model_dump()["tables"])
        import overrides
        print(overrides.override.__module__)
        """,
        tmp_path,
    )
    assert printed.split("\n") == ["['rows']", "1", "['real']", "overrides.overrides", ""]


@pytest.mark.slow
def test_arrow_takes_its_buffers_from_the_c_library(tmp_path: Path) -> None:
    """Arrow's own allocator, which keeps what is freed, is not used beside LanceDB."""
    printed = run(
        f"""
        from memctl.store.lance_import import import_lancedb
        import_lancedb({str(tmp_path)!r})
        import pyarrow
        print(pyarrow.default_memory_pool().backend_name)
        """,
        tmp_path,
    )
    assert printed == "system\n"


@pytest.fixture
def demanding_lancedb(tmp_path: Path) -> Path:
    """A version of LanceDB that asks more of the client than names."""
    folder = tmp_path / "packages"
    (folder / "lancedb").mkdir(parents=True)
    (folder / "lance_namespace_urllib3_client").mkdir()
    (folder / "lance_namespace_urllib3_client" / "__init__.py").write_text(
        "class Query:\n    fields = ('a', 'b')\n"
    )
    (folder / "lancedb" / "__init__.py").write_text(
        "from lance_namespace_urllib3_client import Query\nFIELDS = Query.fields\n"
    )
    return folder


@pytest.mark.slow
def test_what_fails_half_way_is_imported_again_around_the_native_module(tmp_path: Path) -> None:
    """The native module of LanceDB cannot be loaded twice in a process."""
    program = f"""
        import sys
        from memctl.stand_ins import LighterImport
        def refuse(name):
            raise AttributeError(name)
        packages = {{"lance_namespace_urllib3_client": refuse}}
        lighter = LighterImport(("lancedb", "lance_namespace"), packages)
        lancedb = lighter.import_library("lancedb")
        print(lancedb.connect({str(tmp_path)!r}).list_tables().tables)
        """
    assert run(program, tmp_path) == "[]\n"


def test_a_version_that_needs_the_client_gets_it(tmp_path: Path, demanding_lancedb: Path) -> None:
    program = """
        from memctl.store.lance_import import import_lancedb
        print(import_lancedb("/data").FIELDS)
        """
    assert run(program, tmp_path, demanding_lancedb) == "('a', 'b')\n"


@pytest.mark.slow
def test_a_database_behind_a_service_gets_the_client(tmp_path: Path) -> None:
    program = """
        import sys
        from memctl.store.lance_import import import_lancedb
        import_lancedb("db://team")
        print("lance_namespace_urllib3_client" in sys.modules)
        """
    assert run(program, tmp_path) == "True\n"
