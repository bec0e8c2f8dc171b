"""What a query asks for: its text without function words, and the terms that are left.

Any text is a valid query. One of function words alone keeps them, so that it still finds what was
said in those words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from memctl.store.terms import MAXIMUM_QUERY_CHARACTERS, analyse_query

_FUNCTION_WORDS = {
    "en": """a about after again against all also am an and any are aren't as at be because been
        before being between both but by can can't could couldn't did didn't do does doesn't doing
        don't down during each few for from further had has hasn't have haven't having he her here
        hers herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its
        itself just let's me might more most much must my myself no nor not now of off on once only
        or other our ours out over own please same shall she should shouldn't so some such tell
        than that that's the their theirs them themselves then there these they this those through
        to too under until up us very was wasn't we were weren't what what's when when's where
        where's which while who who's whom whose why why's will with won't would wouldn't you your
        yours yourself""",
    "de": """aber als am an auch auf aus bei bin bis da das dass dein deine dem den der des die
        dir doch du ein eine einem einen einer eines er es für hat hatte ich ihr im in ist ja kann
        mein meine meinen mich mir mit nach nicht noch nur oder sein seine sich sie sind so über um
        und uns unser unsere vom von vor wann war waren warum was welche welchem welchen welcher
        welches wem wen wenn wer werden wie wir wird wo zu zum zur""",
    "fr": """à ai as au aux avec avez avons c'est ce ces cette comment dans de des du elle en est
        et été êtes il ils j'ai je l la le les leur leurs lui ma mais me mes moi mon ne nos notre
        nous on ont où ou par pas pour pourquoi qu'est-ce quand que quel quelle quelles quels qui
        quoi sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y""",
    "es": """a al como cómo con cuál cuáles cuando cuándo de del donde dónde el ella ellos en era
        es esa ese esta está estas este estos fue ha han hay he la las le les lo los me mi mis muy
        nos nosotros o para pero por porque qué que quién quien se ser si sin sobre son su sus te
        tu tus un una uno y ya yo""",
}
"""Words that ask or join and name nothing, by language; English first, which wins where two
languages fit equally well."""

_UNSPACED_FUNCTION = re.compile(
    "为什么|什么时候|什么|怎么样|怎么|怎样|如何|多少|多长|多久|几点|几号|哪里|哪儿|哪个|哪些|哪天|谁"
    "|需要|应该|必须|请问|可以|有没有|是否|我们|你们|他们|的|是|能|吗|呢"
    "|再(?![见生版])|(?<![未原本回出起将从后以])来(?![自源宾信])"
    "|ですか|ますか|でしょうか|何|いつ|どこ|誰|なぜ|どの|どれ|いくら"
    "|무엇|언제|어디|누구|어떻게|얼마|입니까|인가요|나요"
)
"""The same for languages that put no blanks between such words and others."""

LONGEST_PLAIN_QUERY = 240
"""Characters of a query that is taken whole. A longer one tells a story with its question, and the
model's vector of it is near to nothing: there the question alone is looked for."""

_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]*")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Query:
    """``text`` is the question as asked, ``key_text`` what keyword search looks for, ``terms`` the
    distinct index terms of that, in order. ``languages`` are those that it may be in (see
    ``languages_of``). ``holds_word``: whether a word is in it that does more
    than ask."""

    text: str
    key_text: str
    terms: tuple[str, ...]
    languages: tuple[str, ...]
    holds_word: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether no letter, digit or pictogram is in it."""
        return not self.terms


def read_query(text: str) -> Query:
    """The query that a text is, or that the questions in it are where it is long."""
    if len(text) > LONGEST_PLAIN_QUERY:
        text = _questions_in(text[:MAXIMUM_QUERY_CHARACTERS]) or text
    languages = languages_of(text)
    words = _word_lists()[languages[0]]

    def without(match: re.Match[str]) -> str:
        return " " if match.group().casefold().replace("’", "'") in words else match.group()

    key_text = _UNSPACED_FUNCTION.sub(" ", _WORD.sub(without, text))
    terms = analyse_query(key_text)
    holds_word = any(character.isalnum() for character in key_text)
    if not terms:
        key_text, terms = text, analyse_query(text)
    return Query(text, key_text, tuple(terms), languages, holds_word)


def _questions_in(text: str) -> str:
    """The sentences that ask, with blanks between; empty where none asks."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text)]
    return " ".join(sentence for sentence in sentences if sentence.endswith(("?", "？")))


@lru_cache(maxsize=4096)
def languages_of(text: str) -> tuple[str, ...]:
    """The codes of the languages whose function words most of the text's words are: several where
    they fit equally well, all that are known where none fits; English first."""
    found = {match.group().casefold().replace("’", "'") for match in _WORD.finditer(text)}
    fitting = {language: len(found & words) for language, words in _word_lists().items()}
    most = max(fitting.values())
    return tuple(language for language, count in fitting.items() if count == most)


def is_undecided(languages: Sequence[str]) -> bool:
    """Whether languages that a text may be in are all that are known."""
    return len(languages) == len(_word_lists())


@cache
def _word_lists() -> Mapping[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}
