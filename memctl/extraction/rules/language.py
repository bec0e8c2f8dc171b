"""The wording tables of one language, and which language a text is in.

A table is ``languages/<code>.txt``: sections in square brackets, one phrase a line; lines that
begin with ``# `` are comments, and the notation of phrases is explained in ``phrases.py``.

- ``<type> sure|likely|hint|weak``: signs of a memory type, ``<type> not`` what makes them void,
  ``<type> unless`` what makes the weaker ones (hint, weak) void, ``standing need``: what is to be
  done again and again, in which no sign of something done once counts;
- ``label <type>|topic|generic|skip``: headings and leads, ``key identity|preference|skip``: the
  names of fields, ``role user|machine``: who speaks in a transcript;
- ``question``, ``hypothetical``, ``instruction``, ``boilerplate``, ``template``, ``small talk``,
  ``reference``, ``log line``: what is never worth a memory; ``filler``, ``passing``, ``request``,
  ``soft request``, ``step``, ``remark``: what is not unless something speaks for a type; ``kept``
  takes questions and requests back; ``marker``: openings that say nothing, ``denial``: those of
  them that may belong to what follows ("No calls, please"); ``interjection``: openings of mere
  talk, ``wait``: those that ask to wait a moment; ``cry``: words at the end of what is only talk;
  ``sign-off``: how the end of a letter begins; ``reporting``: who says it, behind a speech;
- ``common knowledge``, ``fiction``, ``advertisement``, ``advice``, ``addressed``: what is said of
  everybody or nobody or to anybody, unless ``personal`` words say that it is about the writer;
  ``at hand``: places and things that one has around; ``manner of answers``: words for what an
  assistant says and how; ``own offer``: how sellers begin to praise what is theirs; ``definite``:
  words for one certain thing, in languages with articles;
- ``joke``: how jokes begin; ``joke setup`` and ``joke end``: both together make one; ``rhyme``: how
  nursery rhymes begin; ``ellipsis``: how a sentence begins whose subject was named before it;
- ``subject pronoun|unnamed|public|work|kind|anybody|program|everyday``: words for whom or what a
  sentence may be about (see ``subjects.py``); ``article`` and ``attribute``: what may stand before
  them, ``behind subject`` and ``end of subject``: what follows them;
- ``momentary``: how something everyday is just now; ``ongoing``: forms of the present for what is
  going on, ``ongoing long``: those of them for what takes weeks; ``mishap``: what happens to
  anybody any day; ``errand``: what is done within minutes; ``told``: forms of the past;
  ``lasting``: what changes something for good; ``gesture``: what characters in stories do;
  ``story thing``: what they have; ``news``: who reports them;
- ``anaphora start|inside``, ``not anaphora``: leaning on what was said before; ``connector`` and
  ``subordinate``: where a sentence may be cut, and where not; ``first person``, ``name opener``;
- ``months``, ``weekdays`` (each line from Monday on), ``day 0|-1|-2|1|2``, ``day 1 not`` (where the
  word for tomorrow means the morning), ``next weekday`` and ``weekday this|next week``,
  ``weekday in talk`` (``@`` is its name), ``deadline before|after``: dates; ``appointment``: what
  people arrange for a day; ``recurring``: what comes back every year or week; ``important``;
  ``attribution``: the line before a quoted mail; ``chat notice``: what the program of a chat says
  in it; ``words``: the most common words, by which a language is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from memctl.extraction.rules.phrases import Finding, LinesByWord, Phrase, PhraseIndex, fold

LANGUAGE_CODES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja", "ko")
"""In order of preference where a text gives no sign."""

POINTS = {"sure": 6, "likely": 4, "hint": 2, "weak": 1}
"""What a phrase of each kind says for its type; a heading (5) stands between sure and likely."""

TABLE_WORD_WEIGHT = 0.5
LETTER_WEIGHT = 0.5
DEFAULT_WEIGHT = 0.6
"""What a word of the wording tables, a letter of its own and the document's language count beside
a common word (1, shared among the languages that have it)."""

TELLING_WORDS = 4
"""So many words without one of the document's language are hardly in that language."""

_LETTERS = {
    "de": re.compile(r"[äöü]|ss\b"),
    "fr": re.compile(r"[èêàùûîœ]|\b[ldjnscm]'|é"),
    "es": re.compile(r"[ñ¿¡]|ción\b|[áíóú]"),
    "it": re.compile(r"[àòùì]|è\b|\b(?:l|un|dell|nell|all)'"),
    "pt": re.compile(r"[ãõ]|ç|lh|nh|ções\b"),
    "nl": re.compile(r"ij|ë|ï"),
    "pl": re.compile(r"[łżźśęąćń]|sz|cz"),
}
"""Letters and endings that few others have."""

_TELLING_PAIRS = {"i am ": "en"}
"""Words that together are of one language only, though each of them is one of others too."""

DAYS_OF_WEEK = 7

REMEMBERED_TEXTS = 64
"""Several questions are asked about a sentence, and some again when its paragraph is done."""

SUBJECT_SECTION = "subject "
"""How the names of the sections begin that say whom a sentence may be about."""

_LISTS = frozenset(
    {
        "words",
        "months",
        "weekdays",
        "next weekday",
        "weekday this week",
        "weekday next week",
        "weekday in talk",
        "rhyme",
        "article",
        "attribute",
        "behind subject",
        "end of subject",
    }
)
_WORD_SECTIONS = _LISTS | {"small talk", "marker", "interjection", "wait", "cry", "denial"}
_WORD_SECTIONS |= {"connector", "sign-off"}
_NAME_SECTIONS = ("label ", "key ", "role ", "deadline ", "name ", SUBJECT_SECTION)
"""Sections that hold words and names rather than phrases to be found anywhere."""

_SELDOM_SECTIONS = frozenset({"momentary", "told", "lasting", "ongoing", "ongoing long"})
"""Sections of phrases that are asked for few sentences: each is an index of its own."""

_NO_VOCABULARY = frozenset(
    {"appointment", "joke", "mishap", "errand", "gesture", "story thing", "news"}
    | _LISTS
    | _SELDOM_SECTIONS
)
"""Sections whose words tell no language: counted elsewhere, or borrowed (café, workshop)."""

_DENSE = frozenset({"zh", "ja"})
_UNBOUNDED = frozenset({"zh", "ja", "ko"})
_SECTION = re.compile(r"\[([^\]]+)\]\s*$")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_REPEATED = re.compile(r"(.)\1+")
_LAST_MARK = re.compile(r"[,;，、] ?| [-–—] ")
_ENDS = " .!…。！"
_FULL_WORD = re.compile(r"(?<![\w*])[^\W\d_]{4,}(?![\w*])")
_SCRIPTS = re.compile(
    r"(?P<ko>[가-힣])|(?P<ja>[ぁ-ゖァ-ヺ])|(?P<zh>[一-鿿㐀-䶿])|(?P<ru>[Ѐ-ӿ])|(?P<latin>[A-Za-zÀ-ɏ])"
)
_SCRIPT_SAMPLE_CHARACTERS = 2_000
_WIDE_LETTER_WEIGHT = 3
"""A syllable or ideograph says as much as about three letters."""


class Language:
    """One language's tables; they are indexed when a text is first looked at."""

    def __init__(self, code: str, sections: dict[str, list[str]]) -> None:
        self.code = code
        self.is_dense = code in _DENSE
        """Whether it is written without blanks."""
        self.has_word_ends = code not in _UNBOUNDED
        """Whether a word ends where its letters do."""
        self.words = frozenset(" ".join(sections.get("words", ())).split())
        self.table_words = _vocabulary(sections)
        self._sections = sections
        self._found: dict[str, dict[str, list[Finding]]] = {}
        self._seldom: dict[str, PhraseIndex] = {}

    def lines(self, section: str) -> Sequence[str]:
        """The lines of a section as they are written."""
        return self._sections.get(section, ())

    def sections(self) -> Sequence[str]:
        """The names of all sections."""
        return tuple(self._sections)

    def all_findings(self, folded: str) -> Mapping[str, Sequence[Finding]]:
        """The phrases that a folded text has, by section."""
        found = self._found.get(folded)
        if found is None:
            if len(self._found) >= REMEMBERED_TEXTS:
                self._found.clear()
            found = self._found[folded] = self._index.find(folded)
        return found

    def findings(self, folded: str, section: str) -> Sequence[Finding]:
        """The phrases of a section that a folded text has."""
        return self.all_findings(folded).get(section, ())

    def has(self, folded: str, section: str) -> bool:
        """Whether a folded text has a phrase of a section."""
        return bool(self.findings(folded, section))

    def has_seldom(self, folded: str, section: str) -> bool:
        """Whether a folded text has a phrase of one of the sections that few are asked for."""
        if section not in self._seldom:
            lines = self.lines(section)
            self._seldom[section] = PhraseIndex({section: lines}, spaced=self.has_word_ends)
        return bool(self._seldom[section].find(folded))

    @cached_property
    def _index(self) -> PhraseIndex:
        sections = {
            name: lines
            for name, lines in self._sections.items()
            if name not in _WORD_SECTIONS | _SELDOM_SECTIONS and not name.startswith(_NAME_SECTIONS)
        }
        return PhraseIndex(sections, spaced=self.has_word_ends, common=self.words)

    def day_findings(self, folded: str) -> Mapping[str, Sequence[Finding]]:
        """The words for near days, such as "yesterday" under ``day -1``, that a folded text has.

        Looked for on their own, because dates are read from many more texts than statements are.
        """
        found: dict[str, list[Finding]] = {}
        for section, phrase in self._days:
            if any(trigger.text in folded for trigger in phrase.triggers):
                match = phrase.search(folded)
                if match is not None:
                    finding = Finding(phrase.source, match.start(), match.end())
                    found.setdefault(section, []).append(finding)
        return found

    @cached_property
    def _days(self) -> Sequence[tuple[str, Phrase]]:
        spaced = self.has_word_ends
        return [
            (name, Phrase(fold(line), spaced=spaced))
            for name, lines in self._sections.items()
            if name.startswith("day ")
            for line in lines
        ]

    @cached_property
    def day_names(self) -> frozenset[str]:
        """The names of months and weekdays in this language, folded."""
        months = (fold(name) for line in self.lines("months") for name in line.split())
        return frozenset([*months, *self.weekdays])

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """The number of each weekday by its folded name, 0 for Monday."""
        return {
            fold(name): position % DAYS_OF_WEEK
            for line in self.lines("weekdays")
            for position, name in enumerate(line.split())
        }

    @cached_property
    def subjects(self) -> Mapping[str, str]:
        """The kind (``public`` for ``subject public``) of each word for a subject that is
        nobody's."""
        return {
            word: section.removeprefix(SUBJECT_SECTION)
            for section in self._sections
            if section.startswith(SUBJECT_SECTION)
            for word in self._words_of(section)
        }

    @cached_property
    def rhymes(self) -> tuple[str, ...]:
        """How nursery rhymes begin, folded."""
        return tuple(map(fold, self.lines("rhyme")))

    @cached_property
    def articles(self) -> frozenset[str]:
        """What may stand before a noun."""
        return frozenset(self._words_of("article"))

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The adjectives among the most common words."""
        return frozenset(self._words_of("attribute"))

    @cached_property
    def followers(self) -> frozenset[str]:
        """What may stand behind a subject, where nouns stand before nouns ("film club"): verbs and
        prepositions."""
        return frozenset(self._words_of("behind subject"))

    @cached_property
    def subject_ends(self) -> tuple[str, ...]:
        """What follows a subject without a blank, or the endings of verbs, by which it is told."""
        return self._words_of("end of subject")

    def _words_of(self, section: str) -> tuple[str, ...]:
        return tuple(fold(word) for line in self.lines(section) for word in line.split())

    @cached_property
    def next_weekday(self) -> re.Pattern[str]:
        """Matches a coming weekday (``next Friday``) in a folded text, the name as its last
        group."""
        return self._weekday_pattern("next weekday")

    @cached_property
    def weekday_of_week(self) -> Sequence[tuple[int, re.Pattern[str]]]:
        """Patterns as ``next_weekday``, for days of this week (0) and the next one (1)."""
        sections = ("weekday this week", "weekday next week")
        return [
            (weeks, self._weekday_pattern(section))
            for weeks, section in enumerate(sections)
            if self.lines(section)
        ]

    @cached_property
    def weekday_in_talk(self) -> re.Pattern[str]:
        """Matches a weekday of which people who talk know whether it is the last or the coming one,
        as ``next_weekday``."""
        return self._weekday_pattern("weekday in talk")

    def _weekday_pattern(self, section: str) -> re.Pattern[str]:
        lines = self.lines(section)
        if not lines:
            return re.compile(r"(?!)")
        names = "|".join(sorted(map(re.escape, self.weekdays), key=len, reverse=True))
        phrases = "|".join(
            "(?:" + re.escape(fold(line)).replace("@", f"(?P<weekday{number}>{names})") + ")"
            for number, line in enumerate(lines)
        )
        return re.compile(rf"(?<!\w)(?:{phrases})(?!\w)" if self.has_word_ends else phrases)

    @cached_property
    def small_talk(self) -> re.Pattern[str]:
        """Matches one phrase of small talk."""
        return _alternation(self.lines("small talk"), spaced=self.has_word_ends)

    def may_have_small_talk(self, folded: str) -> bool:
        """Whether a folded text has the first word of a phrase of small talk, where words have
        ends. Looking for all the phrases takes ten times as long."""
        return not self.has_word_ends or self._small_talk_words.may_be_in(folded)

    @cached_property
    def _small_talk_words(self) -> LinesByWord:
        return LinesByWord(self.lines("small talk"))

    @cached_property
    def sign_off(self) -> re.Pattern[str]:
        """Matches what begins the end of a letter: a signature follows it."""
        return _alternation(self.lines("sign-off"), spaced=self.has_word_ends)

    @cached_property
    def introduction(self) -> re.Pattern[str]:
        """Matches an introduction by name in an unfolded text, for case tells names."""
        openers = "|".join(map(re.escape, self.lines("name opener")))
        return re.compile(rf"(?i:{openers}) [A-ZÀ-ÞА-Я][a-zß-ÿа-я]+" if openers else r"(?!)")

    @cached_property
    def markers(self) -> re.Pattern[str]:
        """Matches a greeting or another opening that says nothing, with the mark behind it."""
        lines = [*self.lines("marker"), *self.lines("small talk"), *self.lines("interjection")]
        denials = self.lines("denial")
        named = [line for line in lines if line not in denials]
        name = "" if self.is_dense else r"(?: [^\W\d_]{2,15})?"
        return self._opening((named, name), (denials, ""))

    @cached_property
    def interjections(self) -> re.Pattern[str]:
        """Matches an opening after which only talk is to be expected, with the mark behind it."""
        return self._opening((self.lines("interjection"), ""))

    def ends_with_cry(self, folded: str) -> bool:
        """Whether a folded text ends with a cry, however often its letters are repeated
        ("ughhh")."""
        if not self.has_word_ends:
            return folded.endswith(self._words_of("cry"))
        return _REPEATED.sub(r"\1", folded.rpartition(" ")[2]) in self._cries

    @cached_property
    def _cries(self) -> frozenset[str]:
        return frozenset(_REPEATED.sub(r"\1", cry) for cry in self._words_of("cry"))

    @cached_property
    def waits(self) -> re.Pattern[str]:
        """Matches an opening that asks to wait a moment, with the mark behind it."""
        return self._opening((self.lines("wait"), ""))

    def ends_with_wait(self, folded: str) -> bool:
        """Whether the last words of a folded text, behind a comma or a dash, ask to wait."""
        if not folded.rstrip(_ENDS).endswith(self._wait_ends):
            return False
        return _LAST_MARK.split(folded)[-1].strip(_ENDS) in self._waits

    @cached_property
    def _waits(self) -> frozenset[str]:
        return frozenset(map(fold, self.lines("wait")))

    @cached_property
    def _wait_ends(self) -> tuple[str, ...]:
        return tuple(self._waits)

    @staticmethod
    def _opening(*phrases: tuple[Sequence[str], str]) -> re.Pattern[str]:
        """Matches lines, each kind with the pattern of what may follow it, and a mark."""
        kinds = "|".join(
            f"(?:{_alternation(lines, spaced=False).pattern}){following}"
            for lines, following in phrases
            if lines
        )
        return re.compile(rf"(?:{kinds}) ?(?:[,:!;、，。]|\.{{1,3}}|…|[-–—]) ?")


def _vocabulary(sections: dict[str, list[str]]) -> frozenset[str]:
    """The longer words of the tables that are written out in full."""
    text = "\n".join(
        line
        for name, lines in sections.items()
        if name not in _NO_VOCABULARY and not name.startswith(_NAME_SECTIONS)
        for line in lines
    )
    return frozenset(_FULL_WORD.findall(fold(text)))


def _alternation(lines: Sequence[str], *, spaced: bool) -> re.Pattern[str]:
    phrases = sorted({fold(line) for line in lines}, key=len, reverse=True)
    pattern = "|".join(re.escape(phrase).replace(r"\*", r"\w{0,30}") for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)" if spaced else pattern or r"(?!)")


@cache
def language(code: str) -> Language:
    """The language with this ISO 639-1 code, one of ``LANGUAGE_CODES``."""
    text = files(__package__).joinpath("languages", f"{code}.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for raw in text.split("\n"):
        line = raw.strip()
        heading = _SECTION.match(line)
        if heading is not None:
            current = sections.setdefault(heading[1], [])
        elif line and line != "#" and not line.startswith("# "):
            current.append(line)
    return Language(code, sections)


@cache
def languages() -> Sequence[Language]:
    """All languages with tables."""
    return [language(code) for code in LANGUAGE_CODES]


@cache
def _word_weights() -> dict[str, list[tuple[str, float]]]:
    """What a word says for which languages: less, the more of them have it."""
    weights: dict[str, dict[str, float]] = {}
    for one in languages():
        for word in one.table_words:
            weights.setdefault(word, {})[one.code] = TABLE_WORD_WEIGHT
        for word in one.words:
            weights.setdefault(word, {})[one.code] = 1.0
    return {
        word: [(code, weight / len(found)) for code, weight in found.items()]
        for word, found in weights.items()
    }


@lru_cache(maxsize=REMEMBERED_TEXTS)
def detect_language(folded: str, default: str | None = None) -> Language:
    """The language of a folded text, by script, by its most common words and its letters.

    Names and borrowed words have letters of other languages: letters count for the languages only
    of which the text has a word, or for all where it has none. ``default`` is a code that wins
    where the text gives no sign, or too few words to give one; English otherwise.
    """
    script = _script(folded)
    if script != "latin":
        return language(script)
    scores: dict[str, float] = {}
    index = _word_weights()
    words = _WORD.findall(folded)
    for word in words:
        for code, weight in index.get(word, ()):
            scores[code] = scores.get(code, 0.0) + weight
    for pair, code in _TELLING_PAIRS.items():
        if pair in folded and (folded.startswith(pair) or f" {pair}" in folded):
            scores[code] = scores.get(code, 0.0) + 1.0
    if not folded.isascii():
        for code in scores or _LETTERS:
            scores[code] = scores.get(code, 0.0) + _letter_score(code, folded)
    if default is not None and (default in scores or len(words) < TELLING_WORDS):
        scores[default] = scores.get(default, 0.0) + DEFAULT_WEIGHT
    best = max(scores.values(), default=0.0)
    if not best:
        return language(default or LANGUAGE_CODES[0])
    return language(next(code for code in LANGUAGE_CODES if scores.get(code) == best))


def _letter_score(code: str, folded: str) -> float:
    letters = _LETTERS.get(code)
    return LETTER_WEIGHT * len(letters.findall(folded)) if letters is not None else 0.0


def _script(folded: str) -> str:
    """The script that most of the text is in, as the code of the language it stands for."""
    if folded.isascii():
        return "latin"
    counts = Counter(
        match.lastgroup or "latin"
        for match in _SCRIPTS.finditer(folded[:_SCRIPT_SAMPLE_CHARACTERS])
    )
    wide = {code: counts[code] * _WIDE_LETTER_WEIGHT for code in ("ko", "ja", "zh")}
    rivals = max(counts["latin"], counts["ru"])
    if wide["ko"] + wide["ja"] + wide["zh"] >= max(rivals, 1):
        if wide["ko"] > wide["ja"] + wide["zh"]:
            return "ko"
        return "ja" if wide["ja"] else "zh"
    return "ru" if counts["ru"] > counts["latin"] else "latin"
