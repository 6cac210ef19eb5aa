"""What a reader does with the page: everything is found by role and name, and read as text."""

from typing import Any

from tests.browser.widget import NAMES, Settings
from tests.stories.driver import Element, Page

PAGE = "widget.html"


class Reader:
    """A reader before the page."""

    def __init__(self, browser: Page) -> None:
        """A reader of the page that is open."""
        self.browser = browser

    @classmethod
    def at(cls, browser: Page, url: str) -> "Reader":
        """A reader who has just gone there."""
        browser.open(url)
        return cls(browser)

    def unfold(self) -> None:
        """Opens what is folded at first, unless it is open."""
        if not self.browser.all_by_role("slider", NAMES["shuffle"]):
            self.browser.by_text("More settings").click()

    def slider(self, key: str) -> Element:
        """The slider of a setting: rate, pages, limit or shuffle."""
        return self.browser.by_role("slider", NAMES[key])

    def box(self, key: str) -> Element:
        """The number box beside it."""
        return self.browser.by_role("spinbutton", NAMES[key])

    def answer_to(self, settings: Settings) -> dict[str, Any]:
        """Waits until the newest announced answer is the one to these settings; gives its report."""

        def newest() -> dict[str, Any] | None:
            if self.browser.stage() == "failed":
                raise RuntimeError(f"Python failed in the page, which says: {self.browser.text()}")
            answers = self.browser.answers()
            is_it = bool(answers) and answers[-1]["settings"] == settings
            return answers[-1]["report"] if is_it else None

        report = self.browser.wait_until(newest, f"the answer to {settings}")
        assert report is not None
        return report

    def table(self) -> dict[str, list[str]]:
        """The table: what was measured -> its figures, without the unit."""
        _, *rows = self.browser.by_role("table").table()
        return {name: figures[:-1] for name, *figures in rows}
