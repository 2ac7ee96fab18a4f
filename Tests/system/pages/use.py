"""Pages used by keys alone, as a reader without a mouse does: search, player, months, links, buttons."""

import zipfile

import report
from chromium import Broken
from keyboard import tab_to


class Use:
    """Each use: what it is, the page, and the steps; a step that does not happen is a finding."""

    def __init__(self, browser, tab, downloads):
        self.browser, self.tab, self.downloads = browser, tab, downloads
        downloads.mkdir(parents=True)
        browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))

    def run(self, name, url, steps, *given):
        self.tab.look(1280, "light")
        self.tab.open(url)
        try:
            findings = steps(*given)
        except Broken as error:
            findings = [str(error)]
        report.line(name, findings)
        return {"use": name, "findings": findings}

    def skip(self, target):
        """The first stop leads past what is before the entries."""
        findings = tab_to(self.tab, "at.className === 'skip'", "the link past the contents", most=1)
        self.tab.press("Enter")
        self.tab.wait(f"location.hash === '{target}'", 5, "the jump")
        return findings

    def search(self, word, found):
        findings = tab_to(self.tab, "at.id === 'query'", "the search")
        shown = "[...document.querySelectorAll('article')].filter(a => a.checkVisibility()).length"
        before, at = self.tab.evaluate(shown), self.tab.evaluate("location.href")
        self.tab.type(word)
        self.tab.wait(
            f"{shown} === {found} && document.getElementById('found').textContent !== ''", 5, "the entries that were searched for"
        )
        self.tab.press("Enter")
        if self.tab.evaluate("location.href") != at:
            findings.append("Enter leaves the page")
        for _ in word:
            self.tab.press("Backspace")
        self.tab.wait(f"{shown} === {before}", 5, "all entries again")
        return findings

    def month(self):
        findings = tab_to(self.tab, "at.localName === 'summary' && at.parentElement.className === 'month'", "a month")
        for state in ("false", "true"):
            self.tab.press("Enter")
            self.tab.wait(f"document.querySelector('.month').open === {state}", 5, f"the month open: {state}")
        return findings

    def link(self, selector, arrives):
        """`arrives`: a condition of the page behind the link."""
        findings = tab_to(self.tab, f"at.matches({selector!r})", selector)
        self.tab.press("Enter")
        self.tab.wait(arrives, 10, f"the page behind {selector}")
        return findings

    def players(self):
        """Every recording plays from the keys, and its time goes on."""
        findings = []
        count = self.tab.evaluate("document.querySelectorAll('audio').length")
        for place in range(count):
            player = f"document.querySelectorAll('audio')[{place}]"
            findings += tab_to(self.tab, f"at === {player}", f"player {place + 1}", most=150)
            self.tab.press("Enter")
            self.tab.wait(f"{player}.currentTime > 0.5 && !{player}.paused", 15, f"sound of player {place + 1}")
            self.tab.press("Enter")
            self.tab.wait(f"{player}.paused", 5, f"player {place + 1} stopped by Enter")
        return findings if count else [*findings, "there is no player"]

    def download(self, buttons):
        """Each button brings a zip that is whole."""
        findings = []
        for number in range(1, buttons + 1):
            findings += tab_to(self.tab, "at.localName === 'button'", f"button {number}")
            self.tab.press("Enter")
            self.browser.wait(lambda number=number: len(self.zips()) == number, 30, f"zip {number}")
        for file in self.zips():
            if zipfile.ZipFile(file).testzip():
                findings.append(f"{file.name} is broken")
            file.unlink()
        return findings

    def zips(self):
        return [file for file in self.downloads.iterdir() if file.suffix == ".zip"]
