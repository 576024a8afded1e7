"""Names and pictures of the seven foods and seven drinks on the cards.

Records and decisions use only the signs, a letter and a digit (D1). Names and pictures are for people and do not matter
for the rules; they were chosen to differ in shape and colour even when small.
"""

from __future__ import annotations

from typing import NamedTuple


class Item(NamedTuple):
    """A food or a drink."""

    sign: str
    picture: str
    en: str
    de: str
    ja: str


FOODS = (
    Item("A", "🍕", "pizza", "Pizza", "ピザ"),
    Item("B", "🍣", "sushi", "Sushi", "寿司"),
    Item("C", "🥗", "salad", "Salat", "サラダ"),
    Item("D", "🍜", "noodle soup", "Nudelsuppe", "ラーメン"),
    Item("E", "🍗", "drumstick", "Hähnchenkeule", "チキン"),
    Item("F", "🥨", "pretzel", "Brezel", "プレッツェル"),
    Item("G", "🍰", "cake", "Kuchen", "ケーキ"),
)

DRINKS = (
    Item("1", "🥛", "milk", "Milch", "牛乳"),
    Item("2", "☕", "coffee", "Kaffee", "コーヒー"),
    Item("3", "🍵", "green tea", "Grüner Tee", "緑茶"),
    Item("4", "🧃", "juice", "Saft", "ジュース"),
    Item("5", "🥤", "cola", "Cola", "コーラ"),
    Item("6", "🍹", "fruit punch", "Früchtebowle", "フルーツポンチ"),
    Item("7", "🧋", "bubble tea", "Bubble Tea", "タピオカティー"),
)


def items_of(card: str) -> tuple[Item, Item]:
    """The food and the drink on a card.

    >>> food, drink = items_of("C4")
    >>> food.en, drink.en
    ('salad', 'juice')
    """
    return FOODS["ABCDEFG".index(card[0])], DRINKS["1234567".index(card[1])]
