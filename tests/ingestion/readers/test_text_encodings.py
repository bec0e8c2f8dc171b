"""Each encoding that notes are found in is told from its look-alikes, and binary data refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.document import DocumentStatus
from memctl.ingestion.readers import text as text_reader
from memctl.ingestion.readers.outcome import ReadOutcome
from memctl.ingestion.readers.plausibility import implausibility
from memctl.ingestion.readers.samples import SAMPLE_BYTES
from memctl.ingestion.readers.text import DecodedText, decode_text

WESTERN = ("latin-1", "cp1252", "iso8859-15", "mac-roman", "cp850")
CENTRAL = ("iso8859-2", "cp1250", "mac-latin2", "cp852")
CYRILLIC = ("cp1251", "koi8-r", "iso8859-5", "cp866", "mac-cyrillic")

NOTES = {
    "fr": (
        WESTERN,
        "La clé du garage est chez la voisine, à côté de la boîte.",
        "Le médecin a déplacé le rendez-vous au 3 août. Il faut arriver dix minutes plus tôt et "
        "apporter les résultats des analyses de février. Après ça, on déjeunera près de la gare "
        "où le pâté est délicieux ; Françoise nous y rejoindra avec son frère aîné.",
    ),
    "de": (
        WESTERN,
        "Die Tür zum Keller klemmt, Jürgen schickt jemanden.",
        "Für das Frühstück: Brötchen, Käse, Äpfel und grüner Tee. Danach fährt Käthe die Gäste "
        "zum Flughafen und holt auf dem Rückweg die Schuhe. Übrigens muss die Erklärung bis Ende "
        "März fertig sein, sonst gibt es Ärger mit dem Amt für größere Räume.",
    ),
    "es": (
        WESTERN,
        "Mañana por la mañana llega el técnico de la caldera.",
        "Después de la reunión decidimos cambiar de proveedor; la razón es el precio, que subió "
        "un treinta por ciento desde agosto. También hablamos de la instalación eléctrica: según "
        "Begoña, los cables son viejos y habrá que renovarlos antes del próximo otoño.",
    ),
    "en": (
        ("cp1252", "mac-roman"),
        "The café’s lease ends in May — ask Zoë about “new” terms.",
        "Rent is €950 from June; the landlord’s number is on the fridge. The kitchen is 7 °C too "
        "cold. We’re moving the crème brûlée to the cellar – nobody minds.",
    ),
    "pl": (
        CENTRAL,
        "Żona woli herbatę bez cukru, a ja kawę z mlekiem.",
        "Czynsz wynosi 1800 złotych od września; właściciel chce też kaucję. Zdecydowaliśmy, że "
        "kupimy nowszą pralkę, bo stara cieknie. Następny przegląd odbędzie się w październiku.",
    ),
    "hu": (
        CENTRAL,
        "A megbeszélést szerdára halasztották, Gyöngyi hozza a kulcsot.",
        "Őrizd meg a számlát, mert a garancia két évig érvényes. A bérleti díj szeptembertől "
        "kétszázezer forint havonta; úgy döntöttünk, hogy újabb mosógépet veszünk a fűtés előtt.",
    ),
    "ru": (
        CYRILLIC,
        "Встреча перенесена на среду, Алексей принесёт ключи.",
        "Решили оставить старый сервер до конца лета. Арендная плата с сентября составляет сорок "
        "тысяч рублей в месяц, хозяин просит ещё залог. Вчера купили новую стиральную машину, "
        "потому что старая течёт и сильно шумит.",
    ),
    "uk": (
        ("cp1251", "koi8-u"),
        "Зустріч перенесли на середу, Олексій принесе ключі.",
        "Вчора вирішили купити новішу пральну машину, бо стара тече й дуже шумить; їй уже "
        "п'ятнадцять років, а майстер приїде аж у четвер.",
    ),
    "el": (
        ("iso8859-7", "cp1253"),
        "Η γυναίκα μου πίνει τον καφέ χωρίς ζάχαρη το πρωί.",
        "Το ενοίκιο είναι εξακόσια ευρώ τον μήνα από τον Σεπτέμβριο. Χθες αποφασίσαμε να "
        "αγοράσουμε καινούργιο πλυντήριο, γιατί το παλιό στάζει και κάνει θόρυβο.",
    ),
    "tr": (
        ("iso8859-9", "cp1254"),
        "Eşim çayı şekersiz içer, ben sütlü kahve severim.",
        "Kira eylülden itibaren aylık on bin lira; dün daha yeni bir çamaşır makinesi almaya "
        "karar verdik, çünkü eskisi su kaçırıyor ve çok gürültü yapıyor.",
    ),
    "he": (
        ("iso8859-8", "cp1255"),
        "הפגישה הועברה ליום רביעי, יוסי יביא את המפתחות.",
        "שכר הדירה יעלה החל מספטמבר, ובעל הבית מבקש גם פיקדון. אתמול החלטנו לקנות מכונת כביסה "
        "חדשה, כי הישנה דולפת ומרעישה מאוד.",
    ),
    "ar": (
        ("iso8859-6", "cp1256"),
        "تم نقل الاجتماع إلى يوم الأربعاء وسيحضر أحمد المفاتيح.",
        "قررنا أمس شراء غسالة جديدة لأن القديمة تسرب الماء وصوتها عال جدا، وسيصل الفني يوم الخميس.",
    ),
    "th": (
        ("tis-620",),
        "ประชุมเลื่อนไปวันพุธ สมชายจะนำกุญแจมา",
        "ภรรยาชอบดื่มชาไม่ใส่น้ำตาล และผมชอบกาแฟใส่นม",
    ),
    "zh": (
        ("gb18030", "gbk", "gb2312"),
        "会议改到星期三，老王会带地下室的钥匙来。",
        "我们决定把旧服务器保留到夏天结束。房租从九月起每月三千元，房东还要求押金。昨天买了一台新的"
        "洗衣机，因为旧的漏水而且声音很大。",
    ),
    "zh-tw": (
        ("big5",),
        "會議改到星期三，老王會帶地下室的鑰匙來。",
        "我們決定把舊伺服器保留到夏天結束。房租從九月起每月三千元，房東還要求押金。昨天買了一台新的"
        "洗衣機，因為舊的漏水而且聲音很大。",
    ),
    "ja": (
        ("shift_jis", "cp932", "euc-jp", "iso2022_jp"),
        "会議は水曜日に変更、田中さんが地下室の鍵を持ってきます。",
        "古いサーバーは夏の終わりまで残すことにした。家賃は九月から月八万円で、大家さんは敷金も求めて"
        "いる。昨日、新しい洗濯機を買った。古いのは水が漏れて、音も大きいからだ。",
    ),
    "ko": (
        ("euc-kr", "cp949", "iso2022_kr"),
        "회의가 수요일로 옮겨졌고 김 대리가 열쇠를 가져온다.",
        "오래된 서버는 여름이 끝날 때까지 유지하기로 했다. 월세는 구월부터 팔십만 원이고 집주인은 "
        "보증금도 요구한다. 어제 새 세탁기를 샀다.",
    ),
}
CASES = [
    pytest.param(encoding, text, id=f"{language}-{encoding}-{size}")
    for language, (encodings, short, long) in NOTES.items()
    for encoding in encodings
    for size, text in (("short", short), ("long", long))
    if text.encode(encoding, "ignore").decode(encoding) == text
]
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"]


def decoded(data: bytes) -> DecodedText:
    result = decode_text(data)
    assert isinstance(result, DecodedText), result
    return result


def refused(data: bytes) -> ReadOutcome:
    result = decode_text(data)
    assert isinstance(result, ReadOutcome), result
    assert result.reason
    return result


@pytest.mark.parametrize(("encoding", "text"), CASES)
def test_notes_in_legacy_encodings_are_read_right(encoding: str, text: str) -> None:
    assert decoded(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("language", ["fr", "ru", "zh", "ja", "ar", "ko"])
def test_unicode_is_read_with_and_without_a_byte_order_mark(encoding: str, language: str) -> None:
    text = f"{NOTES[language][1]}\n{NOTES[language][2]}\n"
    assert decoded(text.encode(encoding)).text == text


def test_the_encoding_is_named_as_python_knows_it() -> None:
    assert decoded("Größe".encode()).encoding == "utf-8"
    assert decoded(b"plain").encoding == "utf-8"
    assert decoded("Größe".encode("utf-8-sig")).encoding == "utf-8-sig"
    assert decoded("Größe".encode("utf-16")).encoding == "utf-16"
    assert decoded("Die Größe der Tür".encode("latin-1")).encoding in ("iso8859-1", "cp1252")
    assert decoded("“Die Größe der Tür”".encode("cp1252")).encoding == "cp1252"


def test_line_ends_become_line_feeds_and_no_mark_is_left() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\rthree\n\xef\xbb\xbffour"
    assert decoded(data).text == "one\ntwo\nthree\nfour"


def test_a_few_invalid_bytes_leave_the_rest_utf8_and_are_said() -> None:
    data = "Größe, Käse und Übung. ".encode() * 5 + b"caf\xe9 \xff"
    result = decoded(data)
    assert result.encoding == "utf-8"
    assert result.text.startswith("Größe, Käse")
    assert result.text.endswith("caf\ufffd \ufffd")
    assert result.warnings == ("2 invalid characters (utf-8) were replaced",)


def test_utf8_that_was_cut_inside_a_character_is_still_utf8() -> None:
    assert decoded("日本語".encode()[:-1]).text == "日本\ufffd"


def test_one_accent_at_the_end_is_no_cut_utf8() -> None:
    assert decoded(b"un caf\xe9").text == "un café"


def test_the_encoding_shows_even_when_its_first_letter_comes_late() -> None:
    text = "plain words only\n" * (SAMPLE_BYTES // 8) + "Größe der Tür\n"
    assert decoded(text.encode("latin-1")).text == text


def test_a_text_whose_few_accents_make_no_sense_is_kept_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_reader, "MINIMUM_PLAUSIBILITY", 2)
    result = decoded("The words are clear, the accents are not: é\n".encode("latin-1"))
    assert result.text.startswith("The words are clear")
    assert "unclear" in result.warnings[0]
    assert refused("Встреча перенесена".encode("koi8-r")).status is DocumentStatus.UNREADABLE


@pytest.mark.parametrize("line_end", ["\n", " "])
def test_a_large_text_is_told_by_a_sample_of_its_lines(line_end: str) -> None:
    text = f"Встреча перенесена на среду, Алексей принесёт ключи.{line_end}" * 3_000
    assert decoded(text.encode("koi8-r")).text == text
    chinese = f"会议改到星期三，老王会带地下室的钥匙来。{line_end}" * 3_000
    assert decoded(chinese.encode("gb18030")).text == chinese
    damaged = decoded(chinese.encode() + b"\xff")
    assert damaged.text == f"{chinese}\ufffd"


def page(text: str, encoding: str, declared: str) -> bytes:
    """An HTML page that declares one encoding and is written in another, or in the same."""
    return f'<meta charset="{declared}">\n<p>{text}</p>\n'.encode(encoding)


@pytest.mark.parametrize("declared", ["iso-8859-2", "ISO_8859-2", "latin2"])
def test_a_declared_encoding_is_believed_where_it_fits(declared: str) -> None:
    result = decoded(page("Łódź leży", "iso-8859-2", declared))
    assert "<p>Łódź leży</p>" in result.text
    assert result.encoding == "iso8859-2"


@pytest.mark.parametrize(
    "declared", ["utf-16", "unicode_escape", "utf-7", "rot13", "zip", "no", "ascii"]
)
def test_a_declared_encoding_that_cannot_be_is_not_believed(declared: str) -> None:
    text = "La clé du garage est chez la voisine, à côté"
    assert text in decoded(page(text, "cp1252", declared)).text


def test_declared_subsets_are_read_as_what_people_mean_by_them() -> None:
    assert "“quoted” é" in decoded(page("“quoted” é", "cp1252", "iso-8859-1")).text
    assert "clé" in decoded(page("clé", "utf-8", "iso-8859-1")).text, "UTF-8 shows by itself"


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252", "x-user-defined", "utf-8"])
@pytest.mark.parametrize(
    ("encoding", "text"),
    [case.values for case in CASES if case.values[0] not in ("latin-1", "cp1252", "iso8859-15")],
)
def test_a_declaration_that_is_not_true_is_seen_through(
    encoding: str, text: str, declared: str
) -> None:
    """Where the text is long enough to tell, which a few accents are not."""
    foreign = sum(char > "\x7f" for char in text)
    if foreign >= 12 or "2022" in encoding:
        assert f"<p>{text}</p>" in decoded(page(text, encoding, declared)).text


@pytest.mark.parametrize(
    "head",
    ['<?xml version="1.0" encoding="{}"?>\n', "# -*- coding: {} -*-\n", '@charset "{}";\n'],
)
def test_each_kind_of_declaration_tells_what_few_letters_do_not(head: str) -> None:
    data = f"{head.format('iso-8859-2')}Łódź\n".encode("iso-8859-2")
    result = decoded(data)
    assert "Łódź" in result.text
    assert result.warnings == ()


def test_data_behind_a_mark_that_is_mostly_invalid_is_refused() -> None:
    assert refused(b"\xff\xfe" + b"\x00\xd8" * 50).status is DocumentStatus.UNREADABLE


def test_colour_codes_and_page_feeds_belong_to_logs() -> None:
    text = "\x1b[31merror\x1b[0m disk full\n\x0cpage two\n"
    assert decoded(text.encode()).text == text


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x7fELF\x02\x01\x01" + bytes(60), DocumentStatus.UNSUPPORTED),
        (b"\x89PNG\r\n\x1a\n" + bytes(60), DocumentStatus.UNSUPPORTED),
        (b"PK\x03\x04" + bytes(60), DocumentStatus.UNSUPPORTED),
        (b"GIF89a\x01\x00\x01\x00", DocumentStatus.UNSUPPORTED),
        (b"{\\rtf1\\ansi hello}", DocumentStatus.UNSUPPORTED),
        (b"hello\0world, this is a text with one NUL", DocumentStatus.UNREADABLE),
        (b"line one\nline two\n" + bytes(20), DocumentStatus.UNREADABLE),
        (bytes(range(1, 32)) * 4, DocumentStatus.UNREADABLE),
        (bytes(range(1, 256)) * 4, DocumentStatus.UNREADABLE),
    ],
)
def test_binary_data_is_refused_with_a_reason(data: bytes, status: DocumentStatus) -> None:
    assert refused(data).status is status


@pytest.mark.parametrize("data", [b"MZ is a name.", b"BM means bitmap.", b"RIFF raff", b"GIF89a?"])
def test_words_that_look_like_a_weak_signature_are_text(data: bytes) -> None:
    assert decoded(data).text == data.decode()


@given(st.binary(max_size=400))
def test_any_bytes_give_a_clean_text_or_a_refusal(data: bytes) -> None:
    result = decode_text(data)
    if isinstance(result, DecodedText):
        assert not {"\0", "\r", "\ufeff"} & set(result.text)
    else:
        assert result.document is None
        assert result.reason


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_every_text_in_utf8_comes_back(text: str) -> None:
    result = decode_text(text.encode())
    if isinstance(result, DecodedText) and result.encoding == "utf-8":
        assert result.text == text.replace("\ufeff", "")
    else:
        # HZ writes Chinese with ASCII letters, and a mark names its encoding.
        assert text.startswith("\ufeff") or "~{" in text


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866", "mac-cyrillic"])
def test_one_foreign_line_among_many_plain_ones_tells_the_encoding(encoding: str) -> None:
    text = "Notes\n\nserver: 10.0.0.7\n\nКлюч висит за дверью, запасной у Юры.\n\n"
    text += "a plain line that says nothing about it\n" * 40
    assert decoded(text.encode(encoding)).text == text


DAMAGED_LINES = {
    "zh": "工具房要换一把新锁，钥匙由李梅保管。节前每人交十二欧元。",
    "ko": "공구 창고에 새 자물쇠를 달고 열쇠는 지영 씨가 보관한다.",
    "tw": "工具房要換一把新鎖，鑰匙由美玲保管。節日前每人繳十二歐元。",
    "ru": "Сарай для инструментов получит новый замок, ключи будет хранить Евгения.",
    "cs": "Kůlna na nářadí dostane nový zámek a klíče bude mít Růžena, řekl Jiří.",
}
DAMAGED = (
    ("gb18030", "zh", b"\xff"),
    ("cp949", "ko", b"\xff"),
    ("big5hkscs", "tw", b"\xff"),
    ("cp1251", "ru", b"\x98"),
    ("cp1250", "cs", b"\x81"),
)


@pytest.mark.parametrize(("encoding", "language", "byte"), DAMAGED)
def test_one_bad_byte_does_not_turn_a_text_into_another_encoding(
    encoding: str, language: str, byte: bytes
) -> None:
    line = DAMAGED_LINES[language]
    data = f"{line}\n".encode(encoding) * 4
    result = decoded(data + byte + data)
    assert result.text.count(line) == 8
    assert "1 invalid character" in result.warnings[0]


def test_utf16_of_a_script_without_any_ascii_is_read_without_a_mark() -> None:
    text = "กุญแจแขวนอยู่หลังประตูห้องเก็บของ"
    for encoding in ("utf-16-le", "utf-16-be"):
        assert decoded(text.encode(encoding)).text == text


def test_a_text_with_escapes_that_was_cut_off_is_still_one() -> None:
    line = "園芸会議の議事録と道具小屋の鍵"
    data = line.encode("iso-2022-jp").removesuffix(b"\x1b(B")[:-1]
    assert decoded(data).text.startswith(line[:-1])


FEW_SIGNS = [
    ("± 5 %", "cp1252"),
    ("± 5 %", "latin-1"),
    ("10 € fee", "iso8859-15"),
    ("10 € fee", "cp1252"),
    ("§ 5 Abs. 2", "mac-roman"),
    ("25 °C in the shed", "mac-roman"),
    ("It costs £5 per day", "cp850"),
    ("naïve approach", "cp850"),
    ("Meet José at noon", "cp1252"),
    ("メモ", "euc_jp"),
    ("note: ключ", "cp1251"),
    ("note: ключ", "mac-cyrillic"),
    ("Straße gesperrt", "cp850"),
    ("Llamar a Iñaki", "mac-roman"),
]


@pytest.mark.parametrize(("text", "encoding"), FEW_SIGNS)
@pytest.mark.parametrize("around", ["", "The keys hang behind the till.\n" * 20])
def test_few_signs_are_read_as_the_most_usual_ones_and_called_a_guess(
    text: str, encoding: str, around: str
) -> None:
    """Whether they stand in a file of their own or in one that is plain ASCII otherwise."""
    decoded = decode_text(f"{around}{text}\n{around}".encode(encoding))
    assert isinstance(decoded, DecodedText)
    assert decoded.text == f"{around}{text}\n{around}"
    (warning,) = decoded.warnings
    assert "guessed" in warning
    assert "UTF-8" in warning


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("会議は水曜日\n", "euc_jp"),
        ("┌────────┬────┐\n│ Zürich │  5 │\n└────────┴────┘\n", "cp850"),
    ],
)
def test_kana_and_the_lines_of_a_table_tell_an_encoding(text: str, encoding: str) -> None:
    decoded = decode_text(text.encode(encoding))
    assert isinstance(decoded, DecodedText)
    assert decoded.text == text


def test_a_text_that_tells_its_encoding_is_no_guess() -> None:
    _, _, page = NOTES["de"]
    assert decode_text(page.encode("cp1252")) == DecodedText(page, "cp1252")


@pytest.mark.parametrize("text", ["東京\n", "東京駅\n", "買牛奶\n"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_two_wide_characters_on_a_line_tell_their_byte_order(text: str, encoding: str) -> None:
    decoded = decode_text(text.encode(encoding))
    assert isinstance(decoded, DecodedText)
    assert decoded.text == text


@pytest.mark.parametrize("size", [200, 600, 3_000])
@pytest.mark.parametrize("lowest", [1, 32, 128, 160])
@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_text_in_any_encoding(lowest: int, seed: int, size: int) -> None:
    chance = random.Random(seed)
    data = bytes(chance.randrange(lowest, 256) for _ in range(size))
    assert isinstance(decode_text(data), ReadOutcome)


@pytest.mark.parametrize("text", ["κλώχ", "σ καιρόσ", "ο λςγος"])
def test_letters_that_end_no_greek_word_make_a_greek_reading_less_likely(text: str) -> None:
    assert implausibility(text) > 0
    assert implausibility("ο λόγος κτλ. απ’ εδώ, το κλειδί και ο πατήρ") == 0
