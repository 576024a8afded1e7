"""Somebody with a browser: what they find on the page, and what goes wrong in it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page

from tests.browser.words import LOCALES, Value, Words

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
TELL_OF_POLICY = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI}`));
"""


class Guest:
    """A person with a device of their own."""

    def __init__(self, browser: Browser, url: str, language: str = "en", motion: bool = False, **device: Any) -> None:
        self.url = url
        self.touches: bool = device.get("has_touch", False)
        self.words = Words(language)
        settings = {"viewport": DESK, "color_scheme": "light", "locale": LOCALES[language]}
        settings |= {"service_workers": "block"} | device  # nobody waits for the page to be kept on the device
        self.context = browser.new_context(
            base_url=url, reduced_motion="no-preference" if motion else "reduce", **settings
        )
        self._troubles: list[str] = []
        self._expected: list[str] = []
        self.context.add_init_script(TELL_OF_POLICY)
        self.context.on("request", lambda request: self._check_host(request.url))
        self.context.on("page", self._watch)
        self.page = self.context.new_page()

    def open_new_tab(self) -> None:
        """Begin anew with the same browser: a new page, online, and nothing has gone wrong or is expected to."""
        self.page.close()
        self._troubles.clear()
        self._expected.clear()
        self.context.set_offline(False)
        self.page = self.context.new_page()

    # --- What goes wrong ----------------------------------------------------------------------------------------------

    def _watch(self, page: Page) -> None:
        page.on("console", lambda said: self._note(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self._note(f"{error}\n{error.stack or ''}"))
        page.on("websocket", lambda socket: self._check_host(socket.url))
        page.on("crash", lambda _: self._note("the page has crashed"))

    def _note(self, trouble: str) -> None:
        self._troubles.append(trouble)

    def _check_host(self, url: str) -> None:
        where = urlsplit(url)
        if where.scheme in ("http", "https", "ws", "wss") and where.netloc != urlsplit(self.url).netloc:
            self._note(f"a request to another host: {url}")

    def expects(self, *troubles: str) -> None:
        """From the beginning on, whatever matches one of these is part of the test."""
        self._expected += troubles

    def expects_cuts(self) -> None:
        """The browser itself complains of a line that is cut."""
        self.expects(r"WebSocket connection to .* failed", r"Failed to load resource: net::ERR_")

    def expects_refusal(self, status: int) -> None:
        """The browser itself complains of answers that are a refusal."""
        self.expects(rf"Failed to load resource: the server responded with a status of {status}\b")

    def troubles(self) -> list[str]:
        """What went wrong and was not expected."""
        return [trouble for trouble in self._troubles if not any(re.search(known, trouble) for known in self._expected)]

    # --- What they find -----------------------------------------------------------------------------------------------

    def open(self, path: str = "/") -> None:
        self.page.goto(path)

    def find(self, role: Any, key: str, inside: Locator | None = None, **values: Value) -> Locator:
        """What has this role and is called so; values that are not named may be anything."""
        return (inside or self.page).get_by_role(role, name=self.words.pattern(key, **values))

    def button(self, key: str, inside: Locator | None = None, **values: Value) -> Locator:
        return self.find("button", key, inside, **values)

    def link(self, key: str, inside: Locator | None = None, **values: Value) -> Locator:
        return self.find("link", key, inside, **values)

    def dialog(self, key: str, **values: Value) -> Locator:
        return self.find("dialog", key, **values)

    def heading(self, key: str, **values: Value) -> Locator:
        return self.find("heading", key, **values)

    def text(self, key: str, **values: Value) -> Locator:
        return self.page.get_by_text(self.words.pattern(key, **values))
