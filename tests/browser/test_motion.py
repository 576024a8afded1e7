"""What happens is shown one after the other; whoever has seen enough, or wants less motion, sees how it ends."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.heap import Heap, lay_heap, lay_stacks
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import sit
from tests.server.running import RunningServer
from tests.waiting import eventually

FRAME_MS = 20
LONGEST_REVEAL_MS = 2500
WATCH = """(track) => {
  window.places = [];
  window.pictures = new Set();
  const look = () => {
    window.pictures.add([...track.querySelectorAll("g")].map((piece) => {
      const { x, y } = piece.getBoundingClientRect();
      return `${Math.round(x)},${Math.round(y)}`;
    }).join(" "));
    const told = [...track.querySelectorAll("li")].map((place) => place.textContent).join("|");
    if (window.places.at(-1) !== told) window.places.push(told);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes with every frame where the mice are, to the eye and in words."""


def watch(guest: Guest) -> None:
    guest.find("region", "buffet.track").evaluate(WATCH)


def seen(guest: Guest) -> tuple[int, int]:
    """At how many places the mice were one after the other, and how many different pictures there were of it."""
    places, pictures = guest.page.evaluate("() => [window.places.length, window.pictures.size]")
    return places, pictures


def sit_last(guest: Guest, server: RunningServer) -> Board:
    """Come to a table at which everybody else has laid."""
    board = sit(guest, lay_table(server.url, "Ada"))
    expect(guest.page.get_by_text(guest.words.text("buffet.status.laid"))).to_have_count(3)
    return board


def reveal(board: Board) -> None:
    """Lay the highest card, which lets the own mouse run far."""
    board.lay(-1)


def hold_the_clock(guest: Guest) -> None:
    """Let the page's time stand still, so that frames are counted by its clock and not by how busy the machine is.

    From now on nothing is read that comes in, until the test lets the time run.
    """
    guest.page.clock.install()
    guest.page.clock.pause_at(guest.page.evaluate("() => Date.now()") / 1000 + 1)


def test_mice_run_one_after_the_other(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive(motion=True)
    board = sit_last(ada, server)
    hold_the_clock(ada)
    watch(ada)
    reveal(board)

    def runs() -> bool:
        ada.page.clock.run_for(FRAME_MS)
        return seen(ada)[0] > 1

    eventually(runs)
    for _ in range(LONGEST_REVEAL_MS // FRAME_MS):
        ada.page.clock.run_for(FRAME_MS)
    places, pictures = seen(ada)
    assert pictures > 2 * places + 2


def test_a_tap_shows_at_once_how_it_ends(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive(motion=True)
    board = sit_last(ada, server)
    watch(ada)
    reveal(board)
    ada.page.wait_for_function("() => window.places.length > 1")
    ada.page.evaluate("() => addEventListener('pointerdown', () => window.before = window.places.length, true)")
    board.hand.click(position={"x": 2, "y": 2})
    expect(board.log).to_contain_text("Ada:")
    after, _ = seen(ada)
    assert after <= ada.page.evaluate("() => window.before") + 2


def test_with_less_motion_nothing_runs(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = sit_last(ada, server)
    watch(ada)
    reveal(board)
    ada.page.wait_for_function("() => window.places.length >= 3")
    places, pictures = seen(ada)
    assert pictures <= 2 * places + 2


WATCH_PAWS = """(places) => {
  window.reached = new Set();
  const look = () => {
    const table = places.getBoundingClientRect();
    document.querySelectorAll(".paw").forEach((paw, of) => {
      const { x, y } = paw.getBoundingClientRect();
      if (x > table.left && x < table.right && y > table.top && y < table.bottom) window.reached.add(of);
    });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes whose paw has been above the heap."""


def test_hands_are_seen_reaching_into_the_heap(arrive: Arrive, server: RunningServer) -> None:
    table = lay_stacks(lay_heap(server.url, "Ada", "Bo", "Cy"))
    ada, bo = Heap(arrive(motion=True)), Heap(arrive())
    for seat, heap in enumerate((ada, bo)):
        heap.sit(table, seat)
        expect(heap.hand.free).to_be_visible()
    ada.places.evaluate(WATCH_PAWS)
    for seat, (heap, place) in enumerate(((ada, 3), (bo, 4))):
        heap.press(heap.at(place))
        ada.guest.page.wait_for_function("(seat) => window.reached.has(seat)", arg=seat)
    assert ada.guest.page.evaluate("() => [...window.reached]") == [0, 1]
