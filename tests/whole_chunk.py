"""A document's text as its one chunk."""

from collections.abc import Sequence

from memctl.file_lines import FileLine, starts_within
from memctl.memory import Chunk


def whole_chunk(text: str, file_lines: Sequence[FileLine] = ()) -> Chunk:
    """The chunk of a document that is not cut."""
    return Chunk(
        id="c",
        document_id="d",
        position=0,
        content=text,
        content_hash="",
        first_line=min((line for _, line in file_lines), default=1),
        last_line=max((line for _, line in file_lines), default=text.count("\n") + 1),
        line_starts=starts_within(text, file_lines, 0, len(text)),
    )
