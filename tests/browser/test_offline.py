"""The page is kept on the device: it can be installed, and opens when there is no server to be reached."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE_MS, Arrive
from tests.browser.guest import Guest
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import banner, sit
from tests.server.running import RunningServer

KEPT = """(patience) => Promise.race([
  navigator.serviceWorker.ready.then(() => true),
  new Promise((enough) => setTimeout(() => enough(false), patience)),
])"""


def keep_page(guest: Guest) -> None:
    """Stay until the page is on the device."""
    guest.open()
    assert guest.page.evaluate(KEPT, PATIENCE_MS)


def test_the_page_can_be_installed(arrive: Arrive) -> None:
    ada = arrive(service_workers="allow")
    keep_page(ada)
    devtools = ada.context.new_cdp_session(ada.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"Tafelrunde"' in manifest["data"]
    problems = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window that leaves no traces installs nothing, whatever the page is like.
    assert [problem["errorId"] for problem in problems if problem["errorId"] != "in-incognito"] == []


def test_without_a_server_the_page_opens_and_a_game_is_there_again_afterwards(
    own_server: RunningServer, arrive: Arrive
) -> None:
    table = lay_table(own_server.url, "Ada")
    ada = arrive(url=own_server.url, service_workers="allow", language="de")
    ada.expects_cuts()
    keep_page(ada)
    board = sit(ada, table)
    board.play_turns(1)
    board.wait_until_asked()
    hand = board.values()
    own_server.kill()

    ada.open("/rules/chocolat")
    expect(ada.page.get_by_role("link", name="C16", exact=True).first).to_be_visible()
    ada.open()
    expect(ada.heading("home.welcome")).to_be_visible()
    ada.open(table.path)
    expect(banner(ada, "link.reconnecting")).to_be_visible()

    own_server.start()
    board.wait_until_asked()
    assert board.values() == hand
    board.play_turns(1)
