"""What is over soon, or happened on no day that anything names, and what lasts."""

from __future__ import annotations

from datetime import date

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, ExtractionResult, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor


def extract(text: str, document_date: date | None = None) -> ExtractionResult:
    document = DocumentText(text=text, text_format=TextFormat.MARKDOWN, document_date=document_date)
    return RulesExtractor().begin(document).extract(whole_chunk(text))


@pytest.mark.parametrize(
    "text",
    [
        "Our noodles are far too spicy.",
        "The puppy next door is howling again.",
        "My porridge boiled over.",
        "Die Suppe ist schon wieder kalt.",
        "La soupe est encore trop chaude.",
        "La sopa está muy salada.",
        "La pizza è già fredda.",
        "A sopa ficou fria.",
        "De soep is te zout geworden.",
        "Zupa całkiem wystygła.",
        "Суп совсем остыл.",
        "汤又凉了。",
        "スープがもう冷めてしまった。",
        "국이 벌써 식어 버렸다.",
        "I overslept and missed my tram.",
        "I can't stop sneezing.",
        "Ich verhungere gleich.",
        "Je crève de soif.",
        "Estoy muerta de cansancio.",
        "Ho un sonno terribile.",
        "Estou caindo de sono.",
        "Ik verga van de dorst.",
        "Padam z nóg.",
        "Засыпаю на ходу.",
        "我快困死了。",
        "喉がからからだ。",
        "목말라 죽겠다.",
    ],
)
def test_what_anybody_feels_or_drops_on_any_day_is_no_memory(text: str) -> None:
    """Meals, pets and the weather as they are just now, hunger, sleep and small mishaps pass."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "The soup kitchen opens at six.",
        "Our noodles come from the mill in Ribe.",
        "The puppy is allergic to chicken.",
        "The porridge is too sweet for me.",
        "I missed the deadline for the grant.",
        "I dropped out of university.",
        "Die Suppe kommt aus der Küche im Keller.",
        "Le chien ne mange que des croquettes.",
        "El perro se llama Trufa.",
        "狗的名字叫豆豆。",
    ],
)
def test_what_lasts_about_everyday_things_is_a_memory(text: str) -> None:
    """The same things with a property, a place, a name or a wish are kept."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "We waited ages for a table.",
        "The lecture dragged on and on.",
        "At noon the bell struck twice.",
        "Der Vortrag war endlos.",
        "El camarero se olvidó del postre.",
        "Czekaliśmy wieczność na stolik.",
    ],
)
def test_a_small_event_of_no_day_is_no_memory_where_it_stands_alone(text: str) -> None:
    """What changed nothing for good and cannot be placed in time is not asked for later; on a day
    that the document has, or behind another paragraph, it is kept."""
    assert extract(text).candidates == ()
    assert len(extract(text, date(2026, 3, 4)).candidates) == 1
    assert len(extract(f"The kiln is in the yard.\n\n{text}").candidates) == 2


@pytest.mark.parametrize(
    "text",
    [
        "The compressor failed.",
        "Dad sold the boat.",
        "My sister broke her leg.",
        "I burned my hand on the left kiln.",
        "Ich habe meinen Job verloren.",
        "Nous avons vendu le bateau.",
        "Vendimos el barco.",
        "Мы продали лодку.",
        "Yesterday we waited ages for a table.",
        "We waited ages for Marit.",
        "The potter's wheel has lost a screw.",
        "The rent rose from four hundred to four hundred and twenty.",
        "Der Preis für Brot stieg von vierhundert auf vierhundertzwanzig Yen.",
        "L'affitto è aumentato a quattrocento euro.",
        "De huur is gestegen.",
        "Аренда выросла до четырехсот.",
        "食パンの値段は四百円から四百二十円に上がりました。",
    ],
)
def test_what_changes_something_for_good_is_a_memory_without_a_day(text: str) -> None:
    """Things sold, broken or failed and what names somebody or a day are kept."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "Jack and Jill went up the hill.",
        "Hänschen klein ging allein.",
        "Au clair de la lune, mon ami Pierrot.",
        "Wlazł kotek na płotek.",
        "两只老虎跑得快。",
    ],
)
def test_nursery_rhymes_are_no_memory(text: str) -> None:
    """Rhymes that everybody knows are literature."""
    assert "literature" in dict(extract(text).rejected)
    assert extract(text).candidates == ()
