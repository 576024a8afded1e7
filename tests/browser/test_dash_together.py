"""dash with several people, each with a browser of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE
from tests.browser.heap import TEN, Heap, lay_heap, lay_stacks, play_on, play_out
from tests.browser.proxy import Line
from tests.browser.test_phone import TOO_WIDE
from tests.server.running import RunningServer

INSIDE = """(things) => things.filter((thing) => {
  const { left, top, right, bottom } = thing.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).length"""


@pytest.fixture
def lines(server: RunningServer) -> Iterator[tuple[Line, Line]]:
    """A line for each of two people; like `line`, asked for before they arrive."""
    with contextlib.ExitStack() as stack:
        both = Line(server.port), Line(server.port)
        for one in both:
            stack.callback(one.close)
        yield both


def test_a_whole_game_of_two_people_and_two_bots(arrive: Arrive, server: RunningServer) -> None:
    ada, bo = arrive(), arrive(language="de")
    options = {"max_rounds": 2, "round_limit_s": 12}
    table = lay_heap(server.url, "Ada", "Bo", seats=4, options=options, bot_pace="human", countdown_s=1)
    heaps = Heap(ada), Heap(bo)
    for seat, heap in enumerate(heaps):
        heap.sit(table, seat)
    expect(bo.page.get_by_text(bo.words.text("dash.prompt.opens", name="Ada")).first).to_be_visible()
    heaps[0].open.click()
    for heap in heaps:
        expect(heap.guest.page.get_by_role("timer")).to_be_visible()

    # A round is played, and everybody sees what it has brought; then it is Bo who opens.
    play_on(*heaps, until=lambda: heaps[1].open.is_visible())
    for heap in heaps:
        expect(heap.score.get_by_role("listitem")).to_have_count(4)
        assert heap.guest.page.evaluate(TOO_WIDE) == []
    assert table.view_of(0)["round"] == 2
    heaps[1].open.click()
    play_on(*heaps)

    totals = [seat["total"] for seat in table.view_of(0)["seats"]]
    for heap in heaps:
        listed = heap.guest.find("list", "result.places", heap.result).get_by_role("listitem")
        expect(listed).to_have_count(4)
        points = [text.replace("−", "-").split() for text in listed.all_inner_texts()]
        assert all(any(str(total) in words for words in points) for total in totals)
        expect(heap.result.get_by_text(heap.guest.words.inside("dash.receipts"))).to_be_visible()


def test_a_contested_card_goes_to_whoever_was_first(
    lines: tuple[Line, Line], arrive: Arrive, server: RunningServer
) -> None:
    table = lay_stacks(lay_heap(server.url, "Ada", "Bo", "Cy", options={"max_rounds": 1}))
    guests = [arrive(url=line.url, language=language) for line, language in zip(lines, ("en", "de"), strict=True)]
    heaps = [Heap(guest) for guest in guests]
    for seat, heap in enumerate(heaps):
        heap.sit(table, seat)
        expect(heap.hand.free).to_be_visible()
    names = ("Ada", "Bo")

    # Once Ada is first and once Bo; the other one has not heard of it yet, and reaches for the same card.
    for place, (quick, slow) in ((3, (0, 1)), (4, (1, 0))):
        lines[slow].hold()
        heaps[quick].press(heaps[quick].at(place))
        expect(heaps[quick].hand.decision).to_be_visible()
        heaps[slow].press(heaps[slow].at(place))
        expect(heaps[slow].hand.face_down).to_be_visible()  # shown at once,
        lines[slow].mend()
        words = guests[slow].words
        expect(heaps[slow].note.filter(has_text=words.text("dash.late", name=names[quick]))).to_be_visible()
        expect(heaps[slow].hand.free).to_be_visible()  # and corrected
        expect(heaps[quick].hand.decision).to_be_visible()
        for heap in heaps:
            expect(heap.at(place)).to_have_accessible_name(heap.guest.words.pattern("dash.place.free"))
        hands = [seat["hands"][0]["holds"] for seat in table.view_of(0)["seats"]]
        assert (hands[quick], hands[slow]) == (True, False)
        heaps[quick].press(heaps[quick].hand.back)
        expect(heaps[quick].hand.free).to_be_visible()

    # After the game everybody can read how it was decided; later cards may have been contested as well.
    play_out(table)
    expect(heaps[0].result).to_be_visible()
    heaps[0].result.get_by_text(guests[0].words.inside("dash.receipts")).click()
    verdicts = [guests[0].words.text("dash.receipts.verdict", won=won) for won in ("true", "other")]
    claims = [text for text in heaps[0].result.get_by_role("listitem").all_inner_texts() if verdicts[0] in text]
    for text, (first, second) in zip(claims[:4:2], (("Ada", "Bo"), ("Bo", "Ada")), strict=True):
        assert text.index(first) < text.index(verdicts[0]) < text.index(second) < text.index(verdicts[1])


def test_a_round_of_ten_on_a_phone(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive(viewport=PHONE, has_touch=True)
    table = lay_heap(server.url, "Ada", seats=10, options={"max_rounds": 1}, bot_pace="human")
    heap = Heap(ada)
    heap.sit(table)
    others = ada.find("list", "dash.others").get_by_role("button")
    expect(others).to_have_count(len(TEN) - 1)
    heap.press(heap.open)
    heap.press(heap.hand.turn)
    expect(heap.hand.decision).to_be_visible()
    for everything in (others, heap.places.get_by_role("button"), heap.hand.area.get_by_role("button")):
        assert everything.evaluate_all(INSIDE) == 0
    heap.press(heap.hand.keep)
    expect(heap.hand.display.get_by_role("listitem")).not_to_have_text(ada.words.text("dash.display.empty"))
    play_on(heap)
    assert ada.page.evaluate(TOO_WIDE) == []
    expect(ada.find("list", "result.places", heap.result).get_by_role("listitem")).to_have_count(len(TEN))


def test_what_was_done_while_the_line_was_broken_happens_once(
    line: Line, arrive: Arrive, server: RunningServer
) -> None:
    ada = arrive(url=line.url)
    ada.expects_cuts()
    table = lay_stacks(lay_heap(server.url, "Ada", "Bo", "Cy"))
    heap = Heap(ada)
    heap.sit(table)
    line.cut()
    heap.press(heap.at(5))
    expect(heap.hand.face_down).to_be_visible()
    line.mend()
    expect(heap.hand.decision).to_be_visible()
    held = table.view_of(0)["seats"][0]["hands"][0]
    assert held["holds"]
    expect(heap.at(5)).to_have_accessible_name(ada.words.pattern("dash.place.free"))
    ada.page.reload()
    expect(heap.hand.decision).to_be_visible()
