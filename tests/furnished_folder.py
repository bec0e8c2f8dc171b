"""What stands in the folder in which examples of the help are run, and the memories there."""

from __future__ import annotations

from pathlib import Path

SAMPLE_PDF = Path(__file__).resolve().parents[1] / "sample_data" / "member-handbook.pdf"

FIRST, SECOND, THIRD = (
    "3fa9c2d1-0000-4000-8000-000000000001",
    "77c1a001-0000-4000-8000-000000000002",
    "9b2e0f55-0000-4000-8000-000000000003",
)
"""Ids that begin as those in the examples do."""

SESSION_NOTE = """\
# Session: 2026-03-04 09:15:22 UTC

- **Session Key**: agent:main:telegram:direct
- **Session ID**: 5d2f3c1e-7a44-4a0c-9c55-0f6be1a2d311

## Conversation Summary

user: the scale in the loft is 2 kg off
assistant: I will write that down.
"""

FILES = {
    "notes/oven.md": "- The oven is from 1974.\n- We chose oak for the bench.\n",
    "minutes.md": "# Board, 2026-03-04\n\n- Decided to close the mill on Mondays.\n",
    "queries.txt": "which database for billing?\nwho runs the till?\n",
    "broken.pdf": "%PDF-1.7\n1 0 obj\n<<",
    "home/.openclaw/workspace/MEMORY.md": "# About the mill\n\n- It grinds 40 kg per hour.\n",
    "home/.openclaw/workspace/memory/2026-03-04-0915.md": SESSION_NOTE,
    "old-laptop/workspace/MEMORY.md": "# Decisions\n\n- Decided to sell the van.\n",
}

ROWS = (
    {"id": FIRST, "content": "We chose PostgreSQL for billing", "memory_type": "decision"},
    {"id": SECOND, "content": "The router is at 192.0.2.1", "tags": ["network"]},
    {"id": THIRD, "content": "Call the chimney sweep by Friday", "memory_type": "todo"},
)
