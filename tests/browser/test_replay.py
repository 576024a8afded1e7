"""Looking back at games: from tables, from files and from what the device keeps; and what was played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.board import Board
from tests.browser.chocolat import ChocolatBoard
from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE, Guest
from tests.browser.heap import Heap
from tests.browser.screens import Banquet
from tests.browser.tables import Table, lay_table
from tests.golden import path_of
from tests.server.running import RunningServer

GOLDEN = path_of("buffet", 4)
HOUR_S = 3600
SCROLLS = """() => [...document.querySelectorAll("main, main *")].some(
  (one) => getComputedStyle(one).overflowY === "auto" && one.scrollHeight > one.clientHeight + 1)"""
DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


class Stage:
    """A replay as somebody handles it."""

    def __init__(self, guest: Guest, game: str = "buffet") -> None:
        self.guest = guest
        self.scrubber = guest.find("slider", "replay.scrub")
        self.eyes = guest.find("combobox", "replay.eyes")
        self.round = guest.find("combobox", "replay.round")
        self.speed = guest.find("combobox", "replay.speed")
        self.forward = guest.button("replay.forward")
        self.back = guest.button("replay.back")
        self.log = guest.find("log", "log.label")
        self.hand = guest.find("region", f"{game}.hand")

    def is_at(self, step: int) -> None:
        expect(self.scrubber).to_have_value(str(step))

    def scrub_to(self, step: int) -> None:
        self.scrubber.fill(str(step))
        self.is_at(step)

    def address(self, ending: str) -> str:
        """Where this moment is, once it stands in the address."""
        self.guest.page.wait_for_url(lambda url: url.endswith(ending))
        where = urlsplit(self.guest.page.url)
        return f"{where.path}#{where.fragment}"


def open_file(guest: Guest, file: Path) -> None:
    with guest.page.expect_file_chooser() as chooser:
        guest.button("lookback.open").click()
    chooser.value.set_files(file)


def decisions(file: Path) -> list[dict[str, Any]]:
    """All that was decided in a game; in a replay the first of them is step 1, after the setup."""
    entries = map(json.loads, file.read_text(encoding="utf-8").splitlines()[1:])
    return [entry for entry in entries if entry["by"] != "table"]


def tampered(folder: Path) -> tuple[Path, int]:
    """A record in which a mouse ran one field too far, and the line of that."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if '"reveal"' in line)
    entry = json.loads(lines[at])
    lines[at] = json.dumps(entry | {"at": entry["at"] + 1})
    file = folder / "cheat.tafel"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file, at + 1


def test_a_game_is_seen_again_step_by_step_through_any_eyes(arrive: Arrive, banquet: Banquet) -> None:
    ada = arrive()
    banquet.over.give_keys(ada.context, 0)
    ada.open(banquet.over.path)
    ada.link("lookback.look").click()
    stage = Stage(ada)
    stage.is_at(0)
    expect(stage.back).to_be_disabled()
    expect(stage.hand).to_have_count(0)

    stage.eyes.select_option("Ada")
    expect(Board(ada).cards).to_have_count(9)
    expect(Board(ada).usable).to_have_count(0)
    told = stage.log.inner_text()
    stage.forward.click()
    stage.is_at(1)
    stage.round.select_option(index=1)
    expect(stage.log).not_to_have_text(told)
    stage.back.click()
    stage.scrubber.press("Home")
    stage.is_at(0)
    expect(stage.log).to_have_text(told, use_inner_text=True)


@pytest.mark.parametrize("table", ["over", "sweet_end", "dashed"])
def test_a_link_leads_others_to_the_same_moment(arrive: Arrive, banquet: Banquet, table: str) -> None:
    over: Table = getattr(banquet, table)
    ada, bo = arrive(), arrive()
    ada.open(f"/replay/{over.code}/1")
    stage = Stage(ada)
    stage.eyes.select_option("Ada")
    stage.scrubber.press("PageUp")
    step = stage.scrubber.input_value()
    moment = stage.address(f"#at={step}&seat=0")
    ada.button("replay.about").click()
    field = ada.find("textbox", "replay.link")
    expect(field).to_have_value(f"{ada.url}{moment}")

    bo.open(moment)
    Stage(bo).is_at(int(step))
    expect(Stage(bo).eyes).to_have_value("0")
    expect(Stage(bo, over.game).hand).to_be_visible()


def test_a_game_plays_by_itself_to_its_end(arrive: Arrive, banquet: Banquet) -> None:
    ada = arrive()
    ada.open(f"/replay/{banquet.over.code}/1")
    stage = Stage(ada)
    stage.scrubber.press("End")
    end = int(stage.scrubber.input_value())
    expect(stage.forward).to_be_disabled()
    stage.scrubber.blur()
    ada.page.keyboard.press("ArrowLeft")
    ada.page.keyboard.press("ArrowLeft")
    stage.is_at(end - 2)
    stage.speed.select_option("4×")
    ada.button("replay.play").click()
    stage.is_at(end)
    expect(ada.button("replay.play")).to_be_visible()
    expect(stage.log).to_contain_text("Ada")


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_a_record_is_opened_from_a_file(arrive: Arrive, way: str) -> None:
    ada = arrive()
    ada.open()
    if way == "chosen":
        open_file(ada, GOLDEN)
    else:
        expect(ada.button("lookback.open")).to_be_visible()
        ada.page.evaluate(DROP, [GOLDEN.name, GOLDEN.read_text(encoding="utf-8")])
    stage = Stage(ada)
    stage.is_at(0)
    stage.eyes.select_option("Cy")
    expect(stage.hand).to_be_visible()


def test_chocolat_is_seen_again_openly_and_by_a_seat(arrive: Arrive) -> None:
    record = path_of("chocolat", 3)
    lays = 1 + next(nth for nth, entry in enumerate(decisions(record)) if (entry["do"], entry["by"]) == ("lay", 1))
    ada = arrive()
    ada.open("/replay")
    open_file(ada, record)
    stage, board = Stage(ada, "chocolat"), ChocolatBoard(ada)
    stage.is_at(0)
    expect(board.market.first).to_be_visible()
    expect(stage.hand).to_have_count(0)

    stage.eyes.select_option("Bo")
    expect(stage.hand).to_be_visible()
    stage.scrub_to(lays - 1)
    held = board.cards.count()
    stage.forward.click()
    stage.is_at(lays)
    expect(board.cards).to_have_count(held - 1)
    expect(board.asked).to_have_count(0)
    stage.eyes.select_option("Cy")
    expect(board.cards).to_have_count(held)
    stage.scrubber.press("End")
    expect(stage.forward).to_be_disabled()
    expect(stage.log).to_contain_text("Bo")


def test_dash_is_seen_again_in_its_real_time(arrive: Arrive) -> None:
    record = path_of("dash", 3)
    happened = decisions(record)
    takes = 1 + next(nth for nth, entry in enumerate(happened) if entry["do"] == "take")
    wait = happened[takes]["ms"] - happened[takes - 1]["ms"]
    ada = arrive(viewport=PHONE, has_touch=True)
    ada.page.clock.install(time=0)
    ada.open("/replay")
    open_file(ada, record)
    stage, heap = Stage(ada, "dash"), Heap(ada)
    stage.is_at(0)
    expect(stage.hand).to_have_count(0)
    stage.forward.click()
    stage.is_at(1)
    stage.eyes.select_option("Bo")
    expect(stage.hand).to_be_visible()
    assert not ada.page.evaluate(SCROLLS)
    stage.scrub_to(takes - 1)
    lying = heap.cards.count()

    ada.page.clock.pause_at(HOUR_S)
    ada.button("replay.play").click()
    ada.page.clock.run_for(1)
    stage.is_at(takes)
    expect(heap.cards).to_have_count(lying - 1)
    ada.page.clock.run_for(wait - 2)
    stage.is_at(takes)
    ada.page.clock.run_for(2)
    stage.is_at(takes + 1)
    ada.page.clock.resume()
    stage.scrubber.press("End")
    expect(stage.forward).to_be_disabled()
    expect(heap.score).to_be_visible()


def test_what_is_kept_opens_without_a_server(arrive: Arrive) -> None:
    ada = arrive()
    ada.expects_cuts()
    ada.open("/results")
    open_file(ada, GOLDEN)
    stage = Stage(ada)
    ada.button("replay.about").click()
    ada.button("replay.keep").click()
    expect(ada.button("replay.kept")).to_be_visible()
    ada.page.keyboard.press("Escape")
    ada.link("lookback.results").click()
    kept = ada.find("region", "results.kept")
    expect(kept).to_be_visible()

    ada.context.set_offline(True)
    kept.get_by_role("link").click()
    stage.is_at(0)
    stage.scrubber.press("End")
    expect(stage.forward).to_be_disabled()
    ada.link("lookback.results").click()
    kept.get_by_role("button").click()
    expect(kept).to_have_count(0)


def test_a_record_that_does_not_hold_names_its_line_and_its_rule(arrive: Arrive, tmp_path: Path) -> None:
    ada = arrive()
    ada.expects_refusal(422)
    file, line = tampered(tmp_path)
    ada.open("/replay")
    open_file(ada, file)
    expect(ada.heading("broken.title", line=line)).to_be_visible()
    expect(ada.page.get_by_role("alert")).to_contain_text('"reveal"')
    ada.button("rule.open", rule="B9").click()
    expect(ada.link("rules.whole")).to_be_visible()
    ada.page.keyboard.press("Escape")
    open_file(ada, GOLDEN)
    Stage(ada).is_at(0)


def test_a_game_that_is_going_on_is_not_shown(arrive: Arrive, banquet: Banquet) -> None:
    eve = arrive()
    eve.expects_refusal(404)
    eve.open(f"/replay/{banquet.playing.code}/1")
    expect(eve.text("refused.no-such-match")).to_be_visible()


def row_of(card: Locator, name: str) -> Locator:
    return card.get_by_role("listitem").filter(has_text=name)


def test_results_of_our_own_and_of_others(arrive: Arrive, banquet: Banquet, server: RunningServer) -> None:
    public = lay_table(server.url, "Zoe", seats=3, until=lambda view: view["over"], public=True)
    ada = arrive()
    banquet.over.give_keys(ada.context, 0)
    ada.open()
    ada.link("lookback.results").click()
    mine, recent = ada.find("region", "results.mine"), ada.find("region", "results.recent")
    own = mine.get_by_role("article").first
    expect(row_of(own, "Ada")).to_contain_text(ada.words.text("result.me"))
    expect(recent.get_by_role("article").filter(has_text="Zoe")).to_be_visible()
    expect(recent.get_by_role("article").filter(has_text="Ada")).to_have_count(0)

    # They stay, also when the table is forgotten.
    ada.page.evaluate("() => localStorage.removeItem('tafelrunde.tables')")
    ada.page.reload()
    expect(row_of(own, "Ada")).to_be_visible()
    recent.locator(f"a[href='/replay/{public.code}/1']").click()
    Stage(ada).is_at(0)
