"""The proof of the shuffles, worked out by the page: it believes no server, only the record and its own notes."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Route, expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.screens import Banquet
from tests.browser.tables import lay_table, play_out
from tests.server.running import RunningServer

NOTES = "tafelrunde.notes"
DOUBT = """([place, changes]) => {
  const notes = JSON.parse(localStorage.getItem(place));
  localStorage.setItem(place, JSON.stringify(notes.map((note) => ({ ...note, ...changes }))));
}"""


def proof_of(guest: Guest) -> Locator:
    return guest.dialog("proof.title")


def test_a_game_is_proven_with_what_this_device_noted_before(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_table(server.url, "Ada", begun=False)
    table.give_keys(ada.context, 0)
    ada.open(table.path)
    ada.button("gathering.start").click()
    Board(ada).wait_until_asked()
    play_out(table)
    ada.page.reload()
    ada.link("proof.check").click()
    proof = proof_of(ada)
    expect(proof).to_contain_text(ada.words.text("proof.fair"))
    expect(proof).to_contain_text(ada.words.text("proof.noted"))
    expect(proof).to_contain_text(ada.words.text("proof.nonces", nonces=1, seats=4))
    for number in range(1, 6):
        expect(proof).to_contain_text(ada.words.text(f"proof.explained.{number}"))

    ada.page.evaluate(DOUBT, [NOTES, {"commitment": "0" * 64}])
    ada.open()
    ada.open(f"/replay/{table.code}/1")
    ada.button("replay.about").click()
    ada.button("proof.check").click()
    expect(proof).to_contain_text(ada.words.text("proof.unfair"))
    expect(proof).to_contain_text(ada.words.text("proof.fault.other-promise"))


def test_a_server_that_lies_about_the_cards_is_found_out(arrive: Arrive, banquet: Banquet) -> None:
    eve = arrive()
    line = 0

    def lie(route: Route) -> None:
        nonlocal line
        answer: dict[str, Any] = route.fetch().json()
        entries = answer["steps"][0]["entries"]
        at = next(i for i, entry in enumerate(entries) if entry["do"] == "shuffle")
        order = entries[at]["order"]
        last = next(i for i in range(len(order)) if order[i] != order[0])
        order[0], order[last] = order[last], order[0]
        line = at + 2
        route.fulfill(status=200, content_type="application/json", body=json.dumps(answer))

    eve.page.route("**/replay", lie)
    eve.open(f"/replay/{banquet.over.code}/1#check")
    expect(proof_of(eve)).to_contain_text(eve.words.text("proof.unfair"))
    expect(proof_of(eve)).to_contain_text(eve.words.text("proof.fault.other-order", line=line))


def test_who_watched_can_check_as_well(arrive: Arrive, banquet: Banquet) -> None:
    eve = arrive(language="ja")
    eve.open(f"/replay/{banquet.over.code}/1#check")
    expect(proof_of(eve)).to_contain_text(eve.words.text("proof.fair"))
    expect(proof_of(eve)).to_contain_text(eve.words.text("proof.not-noted"))
