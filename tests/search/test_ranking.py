"""What the candidates' own words do to their scores."""

from __future__ import annotations

import pytest

from memctl.search.fusion import ScoreSheet
from memctl.search.ranking import weigh_telling
from memctl.search_hit import ScorePart


def test_what_tells_more_of_the_query_rises_and_says_so() -> None:
    """In proportion to its score, so that nothing rises by words alone."""
    sheet = ScoreSheet()
    for key, score in (("all", 1.0), ("half", 1.0), ("nothing", 1.0), ("far", 0.1)):
        sheet.add(key, ScorePart("vector", score))
    weigh_telling(sheet, {"all": 1.0, "half": 0.5, "nothing": 0.0, "far": 1.0}, 0.6)
    assert sheet.scores == pytest.approx({"all": 1.6, "half": 1.3, "nothing": 1.0, "far": 0.16})
    assert [part.strategy for part in sheet.parts_of("half")] == ["vector", "concepts"]
    assert [part.strategy for part in sheet.parts_of("nothing")] == ["vector"]
