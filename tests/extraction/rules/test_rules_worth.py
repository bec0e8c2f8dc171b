"""What is not worth a memory for how it hangs on the moment, on earlier talk or on a story."""

from __future__ import annotations

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, ExtractionResult, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.extraction.rules.generality import is_headline
from memctl.extraction.rules.language import language
from memctl.memory import MemoryType


def extract(text: str) -> ExtractionResult:
    document = DocumentText(text=text, text_format=TextFormat.MARKDOWN)
    return RulesExtractor().begin(document).extract(whole_chunk(text))


@pytest.mark.parametrize(
    "text",
    [
        "Mine flew by.",
        "Ours came with a lid, theirs didn't.",
        "Both are fine with me.",
        "That took me longer than I thought.",
        "Meiner ist schon wieder kaputt.",
        "Das war noch besser als beim letzten Mal.",
        "La mienne est déjà partie.",
        "La mía ya se fue.",
        "La mia è già finita.",
        "A minha já foi embora.",
        "Die van mij is al op.",
        "Moja już się skończyła.",
        "Моя уже закончилась.",
        "我的已经没了。",
        "私のはもうないよ。",
        "제 것은 벌써 없어요.",
    ],
)
def test_what_is_about_something_named_before_is_no_memory_where_it_stands_first(text: str) -> None:
    """A pronoun that owns or points, with nothing in front of it, can not be looked up; behind
    another sentence it can."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "Mine is locker 12.",
        "Mine is called Biscuit.",
        "Both kilns run on propane.",
        "Neither of the twins eats meat.",
        "The other printer is in the basement.",
        "Meine Schwester ist Imkerin.",
        "Mon chien s'appelle Moustache.",
        "我的生日是五月三号。",
    ],
)
def test_what_names_its_subject_itself_is_a_memory(text: str) -> None:
    """A name, a number or a noun behind the pronoun says what it is about."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "Gotta answer the door.",
        "I have to let the cat in.",
        "I need a coffee first.",
        "I must run, the bus is coming.",
        "I have to get my washing in, it's starting to rain.",
        "Ich muss mal eben die Tür aufmachen.",
        "Je dois juste ouvrir la porte.",
        "Tengo que abrir la puerta un momento.",
        "Devo andare un attimo ad aprire la porta.",
        "Tenho de ir abrir a porta.",
        "Ik moet even de deur opendoen.",
        "Muszę tylko otworzyć drzwi.",
        "Мне надо дверь открыть.",
        "我先去开一下门。",
        "洗濯物を取り込まなきゃ、雨が降ってきた。",
        "문 좀 열고 올게요.",
    ],
)
def test_what_is_done_within_minutes_is_no_memory(text: str) -> None:
    """Answering the door, fetching the washing and having a coffee are no tasks to remember."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "I have to get the window fixed.",
        "We must buy a new door handle for the shed.",
        "I need a coffee grinder for the office.",
        "I must run the backup by hand.",
        "I have to take the dog to the vet on Thursday.",
        "Tomorrow I have to let the plumber in.",
        "- [ ] close the window in the attic",
        "Ich muss das Fenster im Bad reparieren lassen.",
        "Il faut réparer la porte du garage.",
        "Нужно починить дверь в гараже.",
        "车库的门要修。",
        "차고 문을 고쳐야 한다.",
    ],
)
def test_a_task_about_the_same_things_is_a_memory(text: str) -> None:
    """Repairs, purchases, days and checkboxes make it something to be done later."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "Hold on, I have to find a towel.",
        "Back in a bit, I've got to move the car.",
        "Sekunde, ich muss den Topf abstellen.",
        "Bin gleich wieder da, ich muss das Auto umparken.",
    ],
)
def test_what_somebody_does_while_another_one_waits_is_no_memory(text: str) -> None:
    """Behind "hold on", what is to be done is done at once."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "Hold on, the rent rises to 940 in May.",
        "Wait, I'm allergic to nuts.",
        "Sekunde, ich bin gegen Nüsse allergisch.",
    ],
)
def test_what_holds_longer_than_the_wait_is_a_memory(text: str) -> None:
    """Who somebody is, and figures and days, last beyond it."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "Zarnok raised his staff and the gate of Ulth fell open.",
        "Elowen had never seen the sea before.",
        "Lady Marchmont poured the tea and said nothing.",
        "Graf Falkenstein zog den Degen und lächelte kalt.",
        "La comtesse pâlit et laissa tomber la lettre.",
        "La condesa palideció y dejó caer la carta.",
        "La contessa impallidì e lasciò cadere la lettera.",
        "A condessa empalideceu e deixou cair a carta.",
        "Zarnok hief zijn staf en de poort van Ulth viel open.",
        "Zarnok uniósł laskę i brama Ulth otworzyła się.",
        "Зарнок поднял посох, и ворота Ульта распахнулись.",
        "扎诺克举起法杖，乌尔斯之门轰然打开。",
        "ザルノクは杖を掲げ、ウルスの門が開いた。",
        "자르녹이 지팡이를 들자 울스의 문이 열렸다.",
        "Inspector Halloway lit his pipe. The room fell silent.",
        "Chapter 7\n\nNobody saw Elspeth leave the ball that night.",
        "# Chapter Three\n\nThe train did not stop at Hollow Bridge.",
    ],
)
def test_gestures_of_people_in_stories_are_no_memory(text: str) -> None:
    """A look, a move or a silence of somebody is over when it is told, whatever his name is; the
    sentences beside it go on with the story."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "Marta raised the rent to 940.",
        "Uncle Ferdy lit the first charcoal kiln here in 1987.",
        "On 4 May 2025 Dad smiled for the first time since the operation.",
        "The contract says nothing about pets.",
        "Tom drew the plan of the drains.",
        "The sword hangs over the fireplace in the hall.",
        "Der Kessel im Keller ist undicht.",
        "De ketel in de kelder lekt.",
        "Chapter 7 of the thesis is due on 3 March 2026.",
        "# Chapter 7\n\nWe decided to cut the second scene.",
    ],
)
def test_deeds_with_a_result_are_memories(text: str) -> None:
    """Figures, days, things at hand and decisions are no story."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "A lorry overturned on the motorway on Friday morning, police said.",
        "The central bank left interest rates unchanged on Thursday.",
        "Thousands marched through the streets on Sunday.",
        "Am Freitag stürzte ein Lastwagen um, wie die Polizei mitteilte.",
        "Un camion s'est renversé vendredi sur l'autoroute, a indiqué la police.",
        "Un camión volcó el viernes en la autopista, informó la policía.",
        "Un camion si è ribaltato venerdì, ha riferito la polizia.",
        "Een vrachtwagen kantelde vrijdag op de snelweg, meldt de politie.",
        "В пятницу на трассе перевернулся грузовик, сообщили в полиции.",
        "据警方通报，周五一辆卡车在高速公路上翻车。",
        "トラックが金曜日に高速道路で横転したと警察が発表した。",
        "화요일 유가가 2퍼센트 올랐다.",
    ],
)
def test_news_are_no_memory_although_they_name_a_weekday(text: str) -> None:
    """What officials and agencies report is nothing of the writer's own."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "The police station is opposite the post office.",
        "According to the vet, the cat is about nine.",
        "Our mayor opened the new playground on 6 June 2025.",
        "The police said on Friday that our bicycle was found.",
        "The court behind the hall is free on Mondays.",
        "The battery was charged for two hours on Monday.",
        "Le prix du pain a augmenté de dix pour cent.",
    ],
)
def test_what_the_same_words_say_of_ones_own_is_a_memory(text: str) -> None:
    """One's own town, things and prices are no news."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "Your cart contains 3 items. Subtotal: $42.10. Proceed to checkout",
        "Your order has been placed. Order number 88213.",
        "Your file is being uploaded. Please do not close the browser.",
        "Ihr Warenkorb ist leer. Jetzt weiter einkaufen",
        "Votre session a expiré. Veuillez vous reconnecter.",
        "Su carrito contiene 3 artículos.",
        "Il carrello contiene 3 articoli.",
        "O seu carrinho tem 3 artigos.",
        "Er zitten 2 artikelen in je winkelmandje.",
        "W koszyku znajdują się 2 produkty.",
        "В корзине 2 товара. Перейти к оформлению",
        "该商品已售罄。",
        "この商品は品切れです。",
        "새 알림이 3개 있습니다.",
        "Error 404: The page you requested could not be found.",
        "10:02:11 GET /index.html 200 13ms",
        "[07:00] robot: online\n[07:02] robot: offline",
    ],
)
def test_what_screens_say_is_no_memory(text: str) -> None:
    """Counters, messages and the buttons beside them are of the program."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "The cart in the barn has a broken axle.",
        "The order from Bexley's arrives on Tuesdays.",
        "Allow 3 weeks for the big kiln to cool.",
        "No mobile signal at the cabin.",
        "Pas de réseau au chalet.",
        "O carrinho tem uma roda partida.",
        "カートは倉庫にある。",
        "The remote takes AAA batteries.",
        "The Henry III bridge is closed to lorries.",
        "Die Schifffahrt ruht im Januar.",
    ],
)
def test_things_that_have_the_names_of_parts_of_screens_are_memories(text: str) -> None:
    """A cart with wheels is no cart of a shop, and three letters in a row are not always a cry."""
    assert extract(text).candidates


@pytest.mark.parametrize(
    "text",
    [
        "I'm only kidding, don't worry.",
        "Relax, I'm only teasing.",
        "Ich mach nur Spaß.",
        "Ik maak maar een grapje.",
        "Да шучу я, шучу.",
        "开个玩笑而已。",
        "this teacher is soooo annoying",
        "i have so much homework ughhh",
        "They played so well last night!",
    ],
)
def test_jokes_taken_back_and_cries_are_no_memory(text: str) -> None:
    """What somebody says he did not mean, and what only vents, is talk."""
    assert extract(text).candidates == ()


def test_a_line_that_is_as_long_as_a_text_is_no_title() -> None:
    """It is asked of every sentence in it, so that nothing may be counted in all of it."""
    title = "Walking Along The Shore "
    assert is_headline(title.strip(), language("en"))
    assert not is_headline(title * 20, language("en"))


@pytest.mark.parametrize(
    ("text", "memory_type"),
    [
        ("Please make sure that the boat trailer is greased.", MemoryType.TODO),
        ("Please make sure that all oars are back on the rack.", MemoryType.TODO),
        ("Please make sure that you always answer in Norwegian.", MemoryType.PREFERENCE),
        ("Please make sure your answers stay below ten lines.", MemoryType.PREFERENCE),
        ("language: nb", MemoryType.FACT),
        ("Language: en-GB", MemoryType.FACT),
        ("Language: plain English", MemoryType.PREFERENCE),
    ],
)
def test_a_request_is_told_from_a_wish_by_whom_it_asks_for_what(
    text: str, memory_type: MemoryType
) -> None:
    """A thing is to be brought about, an answer is to be so each time; a code is a program's."""
    found = extract(f"# Boathouse\n\n- {text}\n- The stove draws badly in east wind.").candidates
    assert found[0].memory_type is memory_type


@pytest.mark.parametrize("pronoun", ["it", "them"])
def test_a_decision_about_what_its_heading_names_keeps_the_heading(pronoun: str) -> None:
    text = f"# Decisions\n\n## Old racing oars\n\nWe decided to keep {pronoun} until May 2027.\n"
    assert [one.content for one in extract(text).candidates] == [
        f"Old racing oars — We decided to keep {pronoun} until May 2027."
    ]
