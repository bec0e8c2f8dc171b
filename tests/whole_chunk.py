"""A document's text as its one chunk."""

from memctl.memory import Chunk


def whole_chunk(text: str) -> Chunk:
    """The chunk of a document that is not cut."""
    return Chunk(
        id="c",
        document_id="d",
        position=0,
        content=text,
        content_hash="",
        first_line=1,
        last_line=text.count("\n") + 1,
    )
