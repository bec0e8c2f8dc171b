"""Facts about the store as a whole, in table meta: key and value, both text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection

from memctl.embedding import EmbeddingModel
from memctl.store.readings import read_value
from memctl.store.schema import meta

MODEL_NAME_KEY = "embedding_model"
MODEL_DIMENSION_KEY = "embedding_dimension"
MODEL_DISTANCE_KEY = "embedding_distance"
GENERATION_KEY = "index_generation"
"""Which set of the search index's tables holds now; missing before the first rebuild."""

GENERATION_STATEMENT = "SELECT value FROM meta WHERE key = 'index_generation'"
"""Reads the number of the set of tables of the search index that holds now; no row is 0."""

FACTS_STATEMENT = "SELECT key, value FROM meta ORDER BY key"
"""Reads all facts."""

PURGING_KEY = "purge_unfinished"
"""There from when a purge has erased its rows until no old file of the store holds their text."""


def read_facts(connection: Connection) -> dict[str, str]:
    """All facts by key."""
    return {row.key: row.value for row in connection.exec_driver_sql(FACTS_STATEMENT)}


def write_facts(connection: Connection, facts: Mapping[str, str]) -> None:
    """Sets facts, each in the place of an older value."""
    connection.execute(meta.delete().where(meta.c.key.in_(list(facts))))
    connection.execute(meta.insert(), [{"key": key, "value": facts[key]} for key in facts])


def index_generation(connection: Connection) -> int:
    """The number of the set of tables of the search index that holds now."""
    return int(connection.exec_driver_sql(GENERATION_STATEMENT).scalar() or 0)


def delete_facts(connection: Connection, keys: Iterable[str]) -> None:
    """Removes facts; those that are not there are no error."""
    connection.execute(meta.delete().where(meta.c.key.in_(list(keys))))


def model_of(facts: Mapping[str, str]) -> EmbeddingModel | None:
    """Whose vectors the store holds; None before the first one."""
    if MODEL_NAME_KEY not in facts:
        return None
    return EmbeddingModel(
        facts[MODEL_NAME_KEY],
        read_value(f"the fact {MODEL_DIMENSION_KEY}", "value", facts.get(MODEL_DIMENSION_KEY), int),
        facts[MODEL_DISTANCE_KEY],
    )


def facts_of_model(model: EmbeddingModel) -> dict[str, str]:
    """The facts that record whose vectors the store holds."""
    return {
        MODEL_NAME_KEY: model.name,
        MODEL_DIMENSION_KEY: str(model.dimension),
        MODEL_DISTANCE_KEY: model.distance,
    }
