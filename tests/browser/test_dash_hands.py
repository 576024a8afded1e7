"""dash by touch and by keys: one hand, two hands, and calm pace."""

from __future__ import annotations

import itertools

from playwright.sync_api import expect

from tests.browser.board import glance
from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE
from tests.browser.heap import Heap, lay_heap, lay_scored
from tests.server.running import RunningServer

MOST_STEPS = 5000
"""Nobody takes so many in a round."""
LEFT_AND_RIGHT = """() => {
  const cards = [...document.querySelectorAll(".place:not(.free)")];
  const column = (card) => [...card.closest("[role=row]").children].indexOf(card.closest("[role=gridcell]"));
  const halves = [cards.find((card) => column(card) < 4), cards.find((card) => column(card) >= 4)];
  return halves.map((card) => Number(card.dataset.place));
}"""
"""A card in each half of the heap."""


def test_two_hands_by_touch_and_by_keys(arrive: Arrive, server: RunningServer) -> None:
    ada, bo = arrive(viewport=PHONE, has_touch=True), arrive(language="ja")
    table = lay_heap(server.url, "Ada", "Bo", options={"max_rounds": 1})
    touch, keys = Heap(ada), Heap(bo)
    for seat, heap in enumerate((touch, keys)):
        heap.sit(table, seat)
    touch.press(touch.open)

    # Ada's thumbs: both stacks first (D25), and each card stays with its hand (D24).
    for hand in (touch.left, touch.right):
        for laid in range(3):
            touch.press(hand.turn)
            touch.press(hand.keep)
            expect(hand.display.get_by_role("button")).to_have_count(laid + 1)
    for hand in (touch.left, touch.right):
        expect(hand.free).to_be_visible()
    left, right = ada.page.evaluate(LEFT_AND_RIGHT)
    touch.press(touch.at(right))
    expect(touch.right.decision).to_be_visible()
    touch.press(touch.at(left))
    expect(touch.left.decision).to_be_visible()
    mine = table.view_of(0)["seats"][0]["hands"]
    assert [hand["holds"] for hand in mine] == [True, True]
    # With the other hand, if it is asked for.
    touch.press(touch.left.back)
    touch.press(touch.right.back)
    expect(touch.left.free).to_be_visible()
    touch.press(ada.button("dash.ask", touch.left.area, side="left"))
    touch.press(touch.at(right))
    expect(touch.left.decision).to_be_visible()
    expect(touch.right.free).to_be_visible()

    # Bo's keyboard: the left half and the right half.
    for _ in range(3):
        for hand, look, keep in ((keys.left, "q", "e"), (keys.right, "u", "o")):
            expect(hand.turn).to_be_visible()
            bo.page.keyboard.press(look)
            expect(hand.keep).to_be_visible()
            bo.page.keyboard.press(keep)
    for hand in (keys.left, keys.right):
        expect(hand.free).to_be_visible()
    for move, act, hand in (("w", "q", keys.left), ("i", "u", keys.right)):
        bo.page.keyboard.press(move)
        bo.page.keyboard.press(act)
        expect(hand.decision).to_be_visible()
    for back, hand in (("r", keys.left), ("p", keys.right)):
        bo.page.keyboard.press(back)
        expect(hand.free).to_be_visible()
    theirs = table.view_of(0)["seats"][1]["hands"]
    assert [(len(hand["display"]), hand["holds"]) for hand in theirs] == [(3, False), (3, False)]


def test_when_the_time_is_over_each_display_counts_for_itself(arrive: Arrive, server: RunningServer) -> None:
    """D27."""
    table = lay_scored(server.url, "Ada", "Bo", max_rounds=1)
    for seat, heap in enumerate((Heap(arrive(viewport=PHONE, has_touch=True)), Heap(arrive(language="ja")))):
        heap.sit(table, seat)
        expect(heap.result).to_be_visible()
        heap.guest.button("result.board").click()
        rows = heap.score.get_by_role("listitem")
        expect(rows).to_have_count(2)
        expect(rows.first.get_by_text(heap.guest.words.inside("dash.worth.stayed"))).to_have_count(2)


def test_at_calm_pace_a_hand_that_has_decided_says_so_until_it_is_done(arrive: Arrive, server: RunningServer) -> None:
    """D29: with so long a pace, nobody is too slow to see it."""
    heap = Heap(arrive())
    heap.sit(lay_heap(server.url, "Ada", "Bo", "Cy", options={"pace_ms": 10_000}))
    press = heap.guest.page.keyboard.press
    press("n")
    expect(heap.hand.turn).to_be_visible()
    press("n")
    expect(heap.hand.keep).to_be_visible()
    press("k")
    soon = heap.note.filter(has_text=heap.guest.words.text("dash.soon.keep"))
    expect(soon).to_be_visible()
    expect(heap.hand.display.get_by_role("button")).to_have_count(1)
    expect(soon).to_have_count(0)


def test_a_round_at_calm_pace_by_keyboard_alone(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    options = {"max_rounds": 1, "pace_ms": 600, "round_limit_s": 90}
    heap = Heap(ada)
    heap.sit(lay_heap(server.url, "Ada", seats=3, options=options, bot_pace="human"))
    press = ada.page.keyboard.press
    heard = ada.page.locator("[aria-live]")

    press("n")
    for laid in range(3):
        expect(heap.hand.turn).to_be_visible()
        press("n")
        expect(heap.hand.keep).to_be_visible()
        press("k")
        expect(heap.hand.display.get_by_role("button")).to_have_count(laid + 1)
    expect(heap.hand.free).to_be_visible()
    kept = heap.hand.cards()
    assert len(kept) == 3
    expect(heard.filter(has_text=ada.words.inside("dash.hear.kept")).first).to_be_attached()

    # From place to place by the arrow keys, until an exit turns up or somebody else has the last one.
    heap.places.get_by_role("button").and_(ada.page.locator("[tabindex='0']")).focus()
    steps = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp")
    for step in itertools.count():
        if heap.result.is_visible():
            break  # at the latest when the time of the round is over
        assert step < MOST_STEPS
        if heap.hand.off.is_visible():
            press("x")
        elif heap.hand.keep.is_visible():
            press("b")
        elif heap.hand.free.is_visible():
            press(steps[step % len(steps)])
            press("Enter")
        glance(heap.hand.decision.or_(heap.result))
    expect(heap.result).to_be_visible()
