"""Somebody without a seat looks on: everything but the hands."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.tables import lay_table
from tests.server.running import RunningServer


def test_a_watcher_sees_the_game_but_no_hand(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada")
    ada, eve = arrive(), arrive()
    table.give_keys(ada.context, 0)
    ada.open(table.path)
    playing = Board(ada)
    playing.wait_until_asked()

    eve.open(table.path)
    eve.button("join.watch").click()
    watching = Board(eve)
    expect(eve.find("region", "buffet.track")).to_be_visible()
    expect(eve.find("region", "buffet.plates").get_by_role("listitem")).to_have_count(3)
    expect(eve.text("buffet.prompt.watch", names="Ada", count=1).first).to_be_visible()
    expect(watching.hand).to_have_count(0)
    expect(watching.cards).to_have_count(0)

    card = playing.lay()
    expect(watching.log).to_contain_text(f"Ada: {card.split()[-1]} →")
    playing.play_turns(2)
    expect(watching.hand).to_have_count(0)

    ada.button("table.menu").click()
    expect(ada.text("table.watching", count=1)).to_be_visible()
    eve.find("tab", "side.talk").click()
    expect(eve.text("talk.watchers")).to_be_visible()
    expect(eve.button("talk.send")).to_have_count(0)
