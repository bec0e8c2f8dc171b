"""Which neighbouring lines belong to one statement: hard-wrapped prose against separate lines.

Pure functions on lines; every line lands in exactly one group and the order stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

WRAP_MINIMUM_WIDTH = 50
"""Columns below which nobody wraps prose by hand; mail and editors use 60 to 80."""

WRAP_RATIO = 0.6
"""A wrapped line that is not a paragraph's last fills at least this share of the widest one."""

COMPLETE_ITEM_WORDS = 4
"""An item of fewer words may be the name of what the line below it tells."""

MARK_COLUMNS = 4
"""What the mark of a list takes of a line, or more."""

_KEY_LINE = re.compile(
    r"(?:[^\W\d_][\w.’'/()&+-]*(?: [\w.’'/()&+-]+){0,6}) ?[:：](?=\s|[^\x00-\x7f])"
    r"|(?:[^\W\d_][\w.-]*(?: [\w.-]+){0,3}) = (?=\S)"
)
_TIME_LINE = re.compile(
    r"\[?(?:[a-z]{2,10}\.?,? )?(?:\d{4}-\d{2}-\d{2}[T ,]*)?\(?[012]?\d[:.h][0-5]\d(?:[:.][0-5]\d)?"
    r"(?: ?[ap]\.?m\.?)?[\])]?(?:\s|[:,–—-])",
    re.IGNORECASE,
)
_SPEAKER_LINE = re.compile(
    r"\**(?:user|assistant|human|system|ai|bot|me|you)\**\s?[:：]\**\s", re.IGNORECASE
)
_DATE_LINE = re.compile(r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\s*(?:[:：–—-]|\s)")
_CHECKBOX_LINE = re.compile(r"(?:\[[ xX✓✔-]\]|[☐☑☒✅✓✔])\s")
_TASK_LINE = re.compile(r"(?:TODO|TO-DO|FIXME|ACTION|DECISION) ?[:：]\s*\S")
_ENTRY_LINES = (_CHECKBOX_LINE, _TIME_LINE, _DATE_LINE, _SPEAKER_LINE, _TASK_LINE)
_DAY_OF_MONTH = re.compile(
    r"\d{1,2}\. ?(?:jan(?:uar[iy]?|v(?:ier)?)?|jän(?:ner)?|feb(?:ruar[iy]?)?|mär(?:z)?|maerz"
    r"|mar(?:ch|s|zo|ca)?|apr(?:il\w?)?|mai|maj[au]?|jun[ieo]?|jul[iyo]?|aug(?:ust\w?)?"
    r"|sep(?:t(?:ember)?)?|okt(?:ober)?|oct(?:ober)?|nov(?:ember)?|dez(?:ember)?|dec(?:ember)?"
    r"|des(?:ember)?|(?:tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu)kuu\w*"
    r"|leden|ledna|únor\w?|břez\w+|dub(?:en|na)|květ\w+|červ\w+|srp(?:en|na)|zář\w+|říj\w+"
    r"|listopad\w*|prosin\w+)(?!\w)",
    re.IGNORECASE,
)
_TERMINAL = ".!?。！？…;；:："
_CLOSERS = "\"'”’»)]）」』*_"
_OPENERS = "(“„«「『\"'*_["
_GOES_ON = ",;:&/(-–—，、：；"


def display_width(text: str) -> int:
    """Columns that the text takes, wide characters counted twice."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def is_wide(char: str) -> bool:
    """Whether the character belongs to a script that is written without blanks."""
    return unicodedata.east_asian_width(char) in "WF" and not "가" <= char <= "힣"


def joint(before: str, after: str) -> str:
    """What stands between two joined lines: nothing between Chinese or Japanese, else a blank."""
    if not before or not after or (is_wide(before[-1]) and is_wide(after[0])):
        return ""
    return " "


def is_key_line(line: str) -> bool:
    """Whether the line reads ``name: value``, ``name:`` or ``name = value`` with a name of at most
    seven words."""
    return _KEY_LINE.match(line) is not None


def is_own_line(line: str) -> bool:
    """Whether the line begins an entry by its form: a checkbox, a time, a date, a speaker or the
    label of a task."""
    return any(pattern.match(line) for pattern in _ENTRY_LINES)


def is_task_line(line: str) -> bool:
    """Whether the line has a task, or what was decided, behind the usual label (``TODO: ...``)."""
    return _TASK_LINE.match(line) is not None


def is_day_of_month(text: str) -> bool:
    """Whether the text begins with a day like ``3. März``, which is no third item of a list."""
    return _DAY_OF_MONTH.match(text) is not None


def is_terminated(line: str) -> bool:
    """Whether the line ends a sentence."""
    return line.rstrip().rstrip(_CLOSERS)[-1:] in tuple(_TERMINAL)


def group_lines(lines: Sequence[str], breaks: frozenset[int] = frozenset()) -> list[list[int]]:
    """Groups neighbouring lines (by position, from 0) that read as one text.

    ``breaks`` are positions that begin a group whatever they hold (after a hard break).
    """
    if not lines:
        return []
    widths = [display_width(line) for line in lines]
    wrapped = _looks_wrapped(widths)
    groups = [[0]]
    for position in range(1, len(lines)):
        if (
            position in breaks
            or _begins_group(lines, position, wrapped=wrapped)
            or (len(groups[-1]) == 1 and _is_whole_entry(lines, widths, position))
        ):
            groups.append([position])
        else:
            groups[-1].append(position)
    return groups


def end_of_item(lines: Sequence[str], indented: Sequence[bool]) -> int:
    """How many of the lines under a list mark are the item's, the first of them on any account.

    ``indented[i]`` says whether line i stands deeper than its mark. One that does not, and begins a
    sentence behind what is complete, is a statement of its own; CommonMark takes it for a lazy part
    of the item.
    """
    margin = max(WRAP_MINIMUM_WIDTH, *map(display_width, lines))
    for position in range(1, len(lines)):
        before = lines[position - 1]
        names_something = position == 1 and _may_be_title(before)
        if (
            not indented[position]
            and not names_something
            and _begins_sentence(lines[position])
            and _is_complete(before, lines[position], margin)
        ):
            return position
    return len(lines)


def _may_be_title(line: str) -> bool:
    is_task = _CHECKBOX_LINE.match(line) is not None
    return not is_task and len(line.split()) < COMPLETE_ITEM_WORDS and not is_terminated(line)


def _begins_sentence(line: str) -> bool:
    first = line.lstrip(_OPENERS)[:1]
    return first.isalpha() and not first.islower()


def _is_complete(before: str, line: str, margin: int) -> bool:
    """Whether a line may end its sentence: it does so, or has room for the next line's first word,
    before which nobody wraps a sentence."""
    if is_terminated(before):
        return before.rstrip()[-1:] not in tuple(_GOES_ON)
    first_word = line.split(maxsplit=1)[0]
    width = MARK_COLUMNS + display_width(before) + 1 + display_width(first_word)
    return before[-1:] not in tuple(_GOES_ON) and width <= margin


def _looks_wrapped(widths: Sequence[int]) -> bool:
    widest = max(widths)
    return widest >= WRAP_MINIMUM_WIDTH and all(
        width >= WRAP_RATIO * widest for width in widths[:-1]
    )


def _begins_group(lines: Sequence[str], position: int, *, wrapped: bool) -> bool:
    line, before = lines[position], lines[position - 1]
    if is_own_line(line):
        return True
    if is_key_line(line) and (not wrapped or is_terminated(before)):
        return True
    if wrapped:
        return False
    if is_key_line(before) and _begins_sentence(line):
        return before[-1:] not in tuple(_GOES_ON)
    return is_terminated(before) or not _continues(before, line)


def _is_whole_entry(lines: Sequence[str], widths: Sequence[int], position: int) -> bool:
    """Whether the line above is an entry that ends there: in wrapped prose it would have had room
    for the first word of this line, with which a sentence begins."""
    before, line = lines[position - 1], lines[position]
    if not (is_task_line(before) or _CHECKBOX_LINE.match(before)) or not _begins_sentence(line):
        return False
    first_word = line[:1] if is_wide(line[0]) else line.split(maxsplit=1)[0]
    has_room = widths[position - 1] + 1 + display_width(first_word) <= max(widths)
    return has_room and before[-1:] not in tuple(_GOES_ON)


def _continues(before: str, line: str) -> bool:
    """Whether a short line goes on in the next: that one begins like the middle of a sentence."""
    first = line.lstrip(_CLOSERS + "(“„«「『")[:1]
    if first.islower() or first in tuple(",;&/)"):
        return True
    return display_width(before) >= WRAP_MINIMUM_WIDTH
