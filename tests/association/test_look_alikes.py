"""Thousands of pairs that look alike: one value apart is never one claim, packaging never matters.

The pairs are made from templates with a fixed seed, each in one wording or in two.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from memctl.association import Relation, Statement, judge

SEED = 20260314
PAIRS_PER_KIND = 150
HIGHEST_SIMILARITY = 0.99
"""The embedding speaks for sameness as loudly as it can; the words must tell the pairs apart."""

# fmt: off
NAMES = [
    "Anneke", "Bertil", "Chiara", "Dagny", "Emre", "Farida", "Goran", "Hanne", "Ilse", "Jorun",
    "Kofi", "Leif", "Mirela", "Nils",
]
PLACES = [
    "Tromsø", "Bodø", "Riga", "Graz", "Porto", "Kiel", "Ulm", "Lund", "Gera", "Odense", "Ghent",
]
THINGS = [
    "rain gauge", "office printer", "north pump", "garden shed", "bread oven", "choir room",
    "cash register", "weather station", "night bus", "staging server", "ticket desk", "water tank",
]
COLOURS = ["red", "blue", "green", "yellow", "black", "white", "grey", "brown"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
]
ADJECTIVES = [
    "open/closed", "hot/cold", "heavy/light", "full/empty", "wet/dry", "safe/unsafe",
    "locked/unlocked", "old/new", "fast/slow", "loud/quiet", "clean/dirty", "deep/shallow",
    "visible/invisible", "legal/illegal", "reliable/unreliable", "cheap/expensive",
    "narrow/wide", "sharp/blunt", "stable/unstable", "sweet/sour", "happy/sad",
]
# fmt: on


def _number(rng: random.Random) -> str:
    return str(rng.randint(2, 9000))


def _decimal(rng: random.Random) -> str:
    return f"{rng.randint(1, 40)}.{rng.randint(1, 9)}"


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.choice(MONTHS), rng.randint(2019, 2031)
    return rng.choice([f"{day} {month} {year}", f"{month} {day}, {year}"])


def _time(rng: random.Random) -> str:
    return f"{rng.randint(0, 23)}:{rng.choice('012345')}{rng.randint(0, 9)}"


def _version(rng: random.Random) -> str:
    return f"{rng.randint(1, 9)}.{rng.randint(0, 12)}.{rng.randint(0, 30)}"


def _short_version(rng: random.Random) -> str:
    return f"{rng.randint(1, 9)}.{rng.choice([1, 2, 3, 10, 11, 12, 20])}"


def _address(rng: random.Random) -> str:
    return f"10.{rng.randint(0, 40)}.{rng.randint(0, 9)}.{rng.randint(1, 254)}"


def _code(rng: random.Random) -> str:
    return f"{rng.choice(['INV', 'BUG', 'KL', 'unit'])}-{rng.randint(100, 999)}"


KINDS = {
    "number": (
        _number,
        [
            "The {thing} listens on port {x}.",
            "The {thing} uses port {x}.",
            "Port of the {thing}: {x}",
            "The {thing} has {x} spare parts.",
            "There are {x} spare parts for the {thing}.",
            "Room {x} holds the {thing}.",
            "The {thing} is in room {x}.",
        ],
    ),
    "quantity": (
        _decimal,
        [
            "The {thing} weighs {x} kg.",
            "Weight of the {thing}: {x} kg",
            "The {thing} costs {x} euros.",
            "The price of the {thing} is {x} EUR.",
            "The {thing} is {x} m long.",
            "The {thing} runs at {x} °C.",
            "The {thing} needs at most {x} litres.",
        ],
    ),
    "date": (
        _date,
        [
            "The {thing} was installed on {x}.",
            "On {x} the {thing} was installed.",
            "{x}: installation of the {thing}",
            "The inspection of the {thing} is on {x}.",
            "The warranty of the {thing} ends on {x}.",
        ],
    ),
    "time": (
        _time,
        ["The {thing} starts at {x}.", "At {x} the {thing} starts.", "The {thing} stops at {x}."],
    ),
    "version": (
        _version,
        ["The {thing} runs version {x}.", "The {thing} runs {x}.", "Version {x} of the {thing}"],
    ),
    "short version": (
        _short_version,
        ["The {thing} runs firmware {x}.", "Firmware of the {thing}: {x}"],
    ),
    "address": (
        _address,
        ["The {thing} answers at {x}.", "The address of the {thing} is {x}.", "{thing}: {x}"],
    ),
    "code": (_code, ["{x} of the {thing} is closed.", "The {thing} belongs to {x}."]),
    "name": (
        lambda rng: rng.choice(NAMES),
        [
            "{x} looks after the {thing}.",
            "The {thing} is looked after by {x}.",
            "The {thing} belongs to {x}.",
            "{x}'s {thing} is broken.",
            "{x} is allergic to nuts.",
            "The key to the {thing} is with {x}.",
        ],
    ),
    "place": (
        lambda rng: rng.choice(PLACES),
        ["The {thing} is in {x}.", "The {thing} stands in {x}.", "The train to {x} is late."],
    ),
    "thing": (
        lambda rng: rng.choice(THINGS),
        ["The {x} was repaired in May.", "Order a part for the {x}.", "The {x} belongs to Emre."],
    ),
    "colour": (
        lambda rng: rng.choice(COLOURS),
        ["The {thing} is {x}.", "The {thing} is painted {x}.", "The {x} {thing} is broken."],
    ),
    "day": (
        lambda rng: rng.choice(DAYS),
        ["The {thing} is checked on {x}.", "Every {x} the {thing} is checked."],
    ),
}


def _two_values(kind: str, rng: random.Random) -> tuple[str, str]:
    make = KINDS[kind][0]
    while True:
        one, other = make(rng), make(rng)
        if one != other:
            return one, other


def _pairs_of(kind: str) -> Iterator[tuple[str, str]]:
    rng = random.Random(f"{SEED} {kind}")
    wordings = KINDS[kind][1]
    for _ in range(PAIRS_PER_KIND):
        thing = rng.choice(THINGS)
        one, other = _two_values(kind, rng)
        first = rng.choice(wordings)
        second = first if rng.random() < 0.7 else rng.choice(wordings)
        yield first.format(thing=thing, x=one), second.format(thing=thing, x=other)


def _judged_same(pairs: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    return [
        (old, new)
        for old, new in pairs
        if judge(Statement(content=new), Statement(content=old), HIGHEST_SIMILARITY).relation
        is Relation.SAME
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_another_value_is_never_the_same_claim(kind: str) -> None:
    assert _judged_same(_pairs_of(kind)) == []


CLAIMS = [
    "The {thing} {is} open at night",
    "{name} {does} lock the {thing}",
    "{name} {can} repair the {thing}",
    "{name} {has} moved to {place}",
    "{name} and {other} {are} friends",
    "The {thing} {was} sold in {place}",
    "The {thing} {will} be cleaned",
]
AFFIRMED = {
    "is": "is",
    "does": "does",
    "can": "can",
    "has": "has",
    "are": "are",
    "was": "was",
    "will": "will",
}
DENIALS = ["{} not", "{}n't", "{} never", "{} no longer"]


def _denied_pairs() -> Iterator[tuple[str, str]]:
    rng = random.Random(f"{SEED} denied")
    for claim, denial in itertools.product(CLAIMS, DENIALS):
        for _ in range(6):
            words = {"thing": rng.choice(THINGS), "place": rng.choice(PLACES)}
            words["name"], words["other"] = rng.sample(NAMES, 2)
            denied = {key: denial.format(word) for key, word in AFFIRMED.items()}
            denied = {key: text.replace("cann't", "can't") for key, text in denied.items()}
            denied = {key: text.replace("willn't", "won't") for key, text in denied.items()}
            yield (
                claim.format(**words, **AFFIRMED) + ".",
                claim.format(**words, **denied) + ".",
            )


def test_a_denied_claim_is_never_the_claim() -> None:
    assert _judged_same(_denied_pairs()) == []


def _opposite_pairs() -> Iterator[tuple[str, str]]:
    rng = random.Random(f"{SEED} opposite")
    frames = [
        "The {thing} is {x}.",
        "The {x} {thing} is in {place}.",
        "{name} likes the {x} {thing}.",
    ]
    for pair, frame in itertools.product(ADJECTIVES, frames):
        words = {
            "thing": rng.choice(THINGS),
            "place": rng.choice(PLACES),
            "name": rng.choice(NAMES),
        }
        one, other = pair.split("/")
        yield frame.format(x=one, **words), frame.format(x=other, **words)
        yield frame.format(x=other, **words), frame.format(x=one, **words)


def test_an_antonym_is_never_the_same_claim() -> None:
    assert _judged_same(_opposite_pairs()) == []


SWAPS = [
    "{a} reports to {b}.",
    "{a} pays {b}.",
    "{a} is older than {b}.",
    "{a} prefers {b} over the others, {b} prefers the others.",
    "{a} likes {b}.",
    "{a} lives above {b}.",
    "The letter from {a} went to {b}.",
    "The train goes from {p} to {q}.",
    "{a} moved from {p} to {q}.",
    "The user prefers {p} to {q}.",
    "The user prefers {p} over {q}.",
    "{a} comes before {b}.",
    "{a} gave the key to {b}.",
    "{a} replaced {b}.",
    "{a} was replaced by {b}.",
    "The {s} depends on the {t}.",
    "The {s} is larger than the {t}.",
    "The {s} stands behind the {t}.",
    "The {s} relays to the {t}.",
    "Use the {s} instead of the {t}.",
    "The {s} is broken and the {t} works.",
]


def _swapped_pairs() -> Iterator[tuple[str, str]]:
    rng = random.Random(f"{SEED} swapped")
    for frame in SWAPS:
        for _ in range(8):
            (a, b), (p, q), (s, t) = (rng.sample(pool, 2) for pool in (NAMES, PLACES, THINGS))
            yield (
                frame.format(a=a, b=b, p=p, q=q, s=s, t=t),
                frame.format(a=b, b=a, p=q, q=p, s=t, t=s),
            )


def test_exchanged_roles_are_never_the_same_claim() -> None:
    assert _judged_same(_swapped_pairs()) == []


SMALL_WORDS = [
    ("All lamps work.", "Some lamps work."),
    ("All lamps work.", "Most lamps work."),
    ("Many guests complained.", "Few guests complained."),
    ("Both doors are locked.", "Either door is locked."),
    ("She likes him.", "He likes her."),
    ("I like her.", "She likes me."),
    ("I pay him.", "He pays me."),
    ("My brother lives in Riga.", "Her brother lives in Riga."),
    ("The lamp is on.", "The lamp is off."),
    ("Turn on the lamp.", "Turn off the lamp."),
    ("Turn the lamp on.", "Turn the lamp off."),
    ("The lift goes up.", "The lift goes down."),
    ("The dog is in.", "The dog is out."),
    ("Anna is a doctor.", "Anna has a doctor."),
    ("Guests must pay.", "Guests may pay."),
    ("Guests may pay.", "Guests would pay."),
    ("The shop closes at 7 am.", "The shop closes at 7 pm."),
    ("Tea and coffee are free.", "Tea or coffee is free."),
    ("The latency is < 5 ms.", "The latency is > 5 ms."),
    ("At least 5 people came.", "At most 5 people came."),
    ("More than 5 people came.", "Fewer than 5 people came."),
    ("The key is under the mat.", "The key is on the mat."),
    ("The key is in the box.", "The key is on the box."),
    ("The train comes from Ulm.", "The train goes to Ulm."),
    ("Open until 5 pm.", "Open from 5 pm."),
    ("Pay before 5 May.", "Pay after 5 May."),
    ("The pump needs oil.", "The pump has oil."),
    ("The pump is broken.", "The pump was broken."),
    ("The pump breaks.", "The pump broke."),
    ("Anna will move to Riga.", "Anna moved to Riga."),
    ("Anna wants to buy a boat.", "Anna bought a boat."),
    ("Anna would like a boat.", "Anna has a boat."),
    ("If it rains, the fair is closed.", "The fair is closed."),
    ("The fair is closed only on Monday.", "The fair is closed on Monday."),
    ("The market team won.", "The marketing team won."),
    ("The internal audit is done.", "The intern audit is done."),
    ("The police report is late.", "The policy report is late."),
    ("The university map is lost.", "The universal map is lost."),
    ("The import job failed.", "The important job failed."),
    ("The rate is 5 %.", "The rate is 5 ‰."),
    ("The motor takes 5 mW.", "The motor takes 5 MW."),
    ("The disk holds 5 GB.", "The disk holds 5 Gbit."),
    ("The price is 5 USD.", "The price is 5 EUR."),
    ("It is -5 °C outside.", "It is 5 °C outside."),
    ("It was 20 °C.", "It was 20 °F."),
    ("The code is in C.", "The code is in C++."),
    ("Version 3.1 is out.", "Version 3.10 is out."),
    ("Mr. Holm has the key.", "Mrs. Holm has the key."),
    ("The first lamp is broken.", "The second lamp is broken."),
    ("Take it twice a day.", "Take it twice a week."),
    ("Take one tablet daily.", "Take one tablet weekly."),
    ("Ben's sister is a vet.", "Ben's brother is a vet."),
    ("The left tyre is flat.", "The right tyre is flat."),
    ("Leave the window open.", "Leave the window closed."),
    ("The dog bit the man.", "The man bit the dog."),
    ("The north gate is locked.", "The south gate is locked."),
    ("The pump is switched off.", "The pump is switched on."),
    ("Anna stopped smoking.", "Anna started smoking."),
    ("Anna runs the bakery.", "Anna works at the bakery."),
    ("Anna lost the key.", "Anna found the key."),
    ("Anna forgot the key.", "Anna remembered the key."),
    ("Anna sold the boat.", "Anna bought the boat."),
    ("Anna lent Ben a book.", "Ben lent Anna a book."),
    ("Anna is taller than Ben.", "Anna is shorter than Ben."),
    ("He parks inside.", "He parks outside."),
    ("Der Laden ist offen.", "Der Laden ist zu."),
    ("Das Licht ist an.", "Das Licht ist aus."),
    ("Der Hund beißt den Mann.", "Der Mann beißt den Hund."),
    ("Die Miete beträgt 700 Euro.", "Die Miete beträgt 770 Euro."),
    ("Der Zug fährt um halb acht.", "Der Zug fährt um acht."),
    ("Der Zug fährt nach Ulm.", "Der Zug kommt aus Ulm."),
    ("Ich mag sie.", "Sie mag mich."),
    ("Ich esse Fleisch.", "Ich esse kein Fleisch."),
    ("Jeder kam.", "Niemand kam."),
    ("Le chat est noir.", "Le chat est blanc."),
    ("Je bois du café.", "Je ne bois pas de café."),
    ("Le train part à 7 h.", "Le train part à 8 h."),
    ("El perro es grande.", "El perro es pequeño."),
    ("Vivo en Cádiz.", "No vivo en Cádiz."),
    ("Магазин открыт.", "Магазин закрыт."),
    ("Я пью чай.", "Я не пью чай."),
    ("狗咬人。", "人咬狗。"),
    ("狗被咬了。", "狗咬了。"),
    ("我喜欢她。", "她喜欢我。"),
    ("他有车。", "他没有车。"),
    ("钥匙在桌子上。", "钥匙在桌子下。"),
    ("会议在三点。", "会议在四点。"),
    ("从北京到上海。", "从上海到北京。"),
    ("りんごが好きだ。", "みかんが好きだ。"),
    ("犬とねこが好き。", "犬とかにが好き。"),
    ("彼は彼女が好きだ。", "彼女は彼が好きだ。"),
    ("店は九時に開く。", "店は十時に開く。"),
    ("窓は開いている。", "窓は開いていない。"),
    ("사과를 좋아한다.", "사이를 좋아한다."),
    ("회의는 세 시에 시작한다.", "회의는 네 시에 시작한다."),
    ("그는 차가 있다.", "그는 차가 없다."),
    ("개가 사람을 물었다.", "사람이 개를 물었다."),
]


@pytest.mark.parametrize(("old", "new"), SMALL_WORDS)
def test_a_small_word_is_enough_to_tell_two_claims_apart(old: str, new: str) -> None:
    assert _judged_same(iter([(old, new), (new, old)])) == []


PLAIN_CLAIMS = [
    "The rain gauge weighs 1.5 kg.",
    "Farida moved from Riga to Lund in May 2024.",
    "The user no longer eats meat.",
    "We decided to sell the boat.",
    "All lamps in room 12 are broken.",
    "Guests must not smoke on the balcony.",
    "The backup runs at 02:00 every Monday.",
    "Ilse hates surprises but likes dogs.",
    "Die Miete beträgt 700 Euro.",
    "Le magasin est fermé le dimanche.",
    "El gato duerme en el sofá.",
    "Магазин открывается в десять часов.",
    "服务器端口是8080。",
    "猫は魚が好きではない。",
    "가게는 일요일에 문을 연다.",
]
PACKAGES = [
    "{}",
    "  {}  ",
    "- {}",
    "* {}",
    "**{}**",
    "> {}",
    "“{}”",
    "{}\n",
    "{}!!",
    "# {}",
    "`{}`",
]
ENGLISH_PACKAGES = ["Note: {}", "FYI: {}", "Please note: {}", "Remember that {}", "By the way, {}"]


@pytest.mark.parametrize("claim", PLAIN_CLAIMS)
def test_packaging_never_makes_another_claim(claim: str) -> None:
    packages = PACKAGES + (
        ENGLISH_PACKAGES if claim.isascii() and " the " in f" {claim.lower()}" else []
    )
    for one, other in itertools.combinations(packages, 2):
        for change in (
            str,
            str.lower,
            lambda text: text.rstrip(".。!\n"),
            lambda t: t.replace(" ", "  "),
        ):
            old, new = one.format(claim), change(other.format(claim))
            judgement = judge(Statement(content=new), Statement(content=old), 0.9)
            assert judgement.relation is Relation.SAME, (old, new, judgement)
