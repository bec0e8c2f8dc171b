"""Whether the first row of a table names its columns or is a row like those below it.

Most tables begin with a header, so that a first row without a value in it is none only where
nothing speaks for it: no word that columns are called by, and nothing by which it differs from the
rows below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

MOST_WORDS_OF_A_NAME = 3
"""A column's name is short; values of more words than that tell it from them."""

MOST_OF_A_COLUMN = 0.8
"""Share of a column's cells that must be of a kind for it to be of that kind."""

SHORTEST_COMPOUND_END = 4

_VALUE = re.compile(
    r"[-+(]?[€$£¥]?\s?\d[\d.,:/()\s-]*\s?(?:[%€$£¥]|[A-Z]{3})?"
    r"|\d{4}-\d\d-\d\dT\S+|\S+@\S+\.\w+|(?:https?://|www\.)\S+"
)
_WORD = re.compile(r"[^\W\d_]+")
_COLUMN_WORDS = frozenset(
    (
        "name names title id no nr number date day month year week time start end from to "
        "due until amount price cost costs total sum tax quantity qty count unit size "
        "weight colour color type kind category group tag tags status state priority person "
        "who owner author user role team city town country place location address street "
        "zip postcode phone mobile email mail website url link notes note comment comments "
        "remark remarks description details text content subject topic item product article "
        "thing task action todo question answer key value code language currency account "
        "bank iban company organisation organization department position job birthday age "
        "gender first last surname given family model brand version serial room device file "
        "path source target result score rate rating level reason done checked guest diet "
        "species plant animal book film song artist album event meeting project client "
        "customer supplier vendor invoice order contract party purpose period interval "
        "contact datum monat jahr woche uhrzeit zeit beginn ende von bis betrag preis "
        "kosten summe steuer menge anzahl einheit größe gewicht farbe art typ kategorie "
        "gruppe zustand priorität vorname nachname wer besitzer autor rolle ort stadt land "
        "adresse straße plz telefon handy nummer notiz notizen bemerkung bemerkungen "
        "kommentar beschreibung titel betreff thema artikel produkt sache gegenstand "
        "aufgabe frage antwort schlüssel wert sprache währung konto firma abteilung "
        "geburtstag alter modell marke raum zimmer gerät datei quelle ziel ergebnis grund "
        "erledigt gast tier pflanze buch termin projekt kunde lieferant rechnung bestellung "
        "vertrag zweck zeitraum nom prénom jour mois année heure prix montant quantité "
        "catégorie statut ville pays téléphone courriel remarque titre sujet tâche valeur "
        "couleur lieu nombre apellido fecha día mes año hora precio importe cantidad "
        "categoría estado ciudad país dirección teléfono correo nota título tema tarea "
        "valor lugar descripción nome cognome data giorno mese anno ora prezzo importo "
        "quantità categoria stato città paese indirizzo telefono titolo compito valore "
        "colore luogo descrição preço cidade endereço naam voornaam achternaam dag maand "
        "jaar tijd prijs bedrag aantal categorie plaats stad adres telefoon opmerking "
        "onderwerp taak waarde kleur imię nazwisko nazwa dzień miesiąc rok cena kwota ilość "
        "kategoria miasto kraj uwagi tytuł zadanie wartość kolor miejsce имя фамилия "
        "название дата день месяц год время цена сумма количество категория статус город "
        "страна адрес телефон заметка примечание задача значение цвет место описание"
    ).split()
)
_DENSE_COLUMN = re.compile(
    r"(?:姓名|名前|名称|名稱|日期|日付|日時|时间|時間|价格|價格|価格|金額|金额|数量|數量|类别|種類|分類"
    r"|状态|状態|狀態|城市|地址|住所|电话|電話|备注|備考|説明|描述|标题|題名|任务|任務|이름|날짜|가격|수량"
    r"|상태|주소|전화|메모|제목|비고)"
)


class FirstRow(Enum):
    """What the first row of a table is."""

    HEADER = auto()
    ROW = auto()
    UNSURE = auto()
    """Read as a row, for nothing speaks for a header."""


def first_row_kind(first: Sequence[str], below: Sequence[Sequence[str]]) -> FirstRow:
    """What a first row is, given its cells and those of at least one row below it."""
    if not all(first) or len(set(first)) < len(first):
        return FirstRow.ROW
    if any(_VALUE.fullmatch(cell) for cell in first):
        return FirstRow.ROW
    if any(cell in first for row in below for cell in row if len(cell) > 3):
        return FirstRow.ROW
    if any(map(_is_column_name, first)) or _differs(first, below):
        return FirstRow.HEADER
    return FirstRow.UNSURE


def _is_column_name(cell: str) -> bool:
    words = [word.casefold() for word in _WORD.findall(_parted(cell))]
    if not words or len(words) > MOST_WORDS_OF_A_NAME:
        return False
    if any(word in _COLUMN_WORDS for word in words) or _DENSE_COLUMN.search(cell):
        return True
    return _is_compound(words[-1])


def _is_compound(word: str) -> bool:
    """Whether a word ends with one that columns are called by: ``Lieferdatum``."""
    places = range(3, len(word) - SHORTEST_COMPOUND_END + 1)
    return any(word[place:] in _COLUMN_WORDS for place in places)


def _parted(cell: str) -> str:
    """``firstName`` and ``first_name`` as two words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cell).replace("_", " ")


def _differs(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a first row is of another kind than what is below: words over values, names over
    sentences; or without a capital letter, with which names begin."""
    if all(cell == cell.lower() for cell in first):
        return True
    for place, name in enumerate(first):
        cells = [row[place] for row in below if place < len(row) and row[place]]
        if not cells:
            continue
        most = MOST_OF_A_COLUMN * len(cells)
        if sum(_VALUE.fullmatch(cell) is not None for cell in cells) >= most:
            return True
        is_short = len(name.split()) <= MOST_WORDS_OF_A_NAME
        if is_short and sum(len(cell.split()) > MOST_WORDS_OF_A_NAME for cell in cells) >= most:
            return True
    return False
