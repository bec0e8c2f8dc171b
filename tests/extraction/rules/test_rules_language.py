"""Which language a text is taken for."""

from __future__ import annotations

import pytest

from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold

SENTENCES = {
    "en": ["We keep the ladder behind the shed.", "haha, nice one", "Call the dentist."],
    "de": ["Wir haben den Laden geschlossen.", "Ich mag keine E-Mails.", "Größe des Ofens: 220 l"],
    "fr": ["Je préfère les réponses courtes.", "Il faut appeler le ramoneur.", "Ça marche !"],
    "es": ["Decidimos cambiar de proveedor.", "¿Qué tal?", "Tengo que llamar mañana."],
    "it": ["Preferisco le risposte brevi.", "Abbiamo deciso di chiudere il lunedì."],
    "pt": ["Não gosto de chamadas de vídeo.", "Preciso ligar para o encanador."],
    "nl": ["Ik moet de loodgieter nog bellen.", "We hebben besloten om te sluiten."],
    "pl": ["Muszę zadzwonić do hydraulika.", "Wolę krótkie odpowiedzi."],
    "ru": ["Мы решили закрыть лавку.", "Надо позвонить."],
    "zh": ["我们决定周一不营业。", "用NAS备份"],
    "ja": ["月曜日は店を閉めることに決めました。", "コーヒー"],
    "ko": ["월요일에는 가게를 닫기로 했다."],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in SENTENCES.items() for text in texts]
)
def test_a_sentence_tells_its_language(code: str, text: str) -> None:
    assert detect_language(fold(text)).code == code


def test_without_a_sign_the_language_of_the_document_counts() -> None:
    assert detect_language("kittiwake 42").code == "en"
    assert detect_language("kittiwake 42", "fr").code == "fr"
    assert detect_language(fold("Wir haben den Laden geschlossen."), "fr").code == "de"


def test_a_name_in_another_script_changes_nothing() -> None:
    assert detect_language(fold("The firm is called 海鸥 and sells radios.")).code == "en"


def test_letters_of_names_and_borrowed_words_outvote_no_word() -> None:
    assert detect_language(fold("Zoë prefers café crème"), "de").code == "en"
    assert detect_language(fold("Réunion déplacée")).code == "fr"


def test_a_few_words_of_another_language_are_too_few_to_leave_that_of_the_document() -> None:
    assert detect_language("meeting donnerstag", "de").code == "de"
