"""scripts/pages: the pages and mails of the service in headless Chromium. scripts/pages --help says more."""

import argparse
import fnmatch
import pathlib
import shutil
import sys
import tempfile

import keyboard
import report
from checks import Checks, outside
from chromium import Broken, Chromium
from scene import Scene
from tab import Tab
from use import Use

WALKED = ((390, "dark"), (1280, "light"))


def main():
    parser = argparse.ArgumentParser(prog="scripts/pages", add_help=False)
    parser.add_argument("--axe", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--json", type=pathlib.Path)
    wanted = parser.parse_args()
    wanted.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="diary-pages-") as folder:
        folder = pathlib.Path(folder)
        scene = Scene(folder)
        try:
            seen = run(scene, folder, wanted)
        finally:
            scene.rig.end()
    if not any(seen[kind] for kind in ("pages", "walks", "uses")):
        print("nothing has a name like that", file=sys.stderr)
        return 2
    figures = report.figures(*seen.values())
    report.sheet(seen["pages"], wanted.output)
    if wanted.json:
        report.write(wanted.json, {"figures": figures, **seen})
    print("\n" + ", ".join(f"{name.replace('_', ' ')}: {value or 0}" for name, value in figures.items()))
    print(f"pictures: {wanted.output}/overview.html")
    return 1 if figures["findings"] else 0


def run(scene, folder, wanted):
    def asked(name):
        return not wanted.only or any(fnmatch.fnmatch(name, pattern) for pattern in wanted.only)

    browser = Chromium(shutil.which("chromium") or shutil.which("google-chrome"), folder)
    try:
        # The newest tab is in front; Chromium takes no pictures of another one.
        blank, tab = Tab(browser), Tab(browser)
        checks = Checks(wanted.axe.read_text(), wanted.output)
        pages = [checks.page(tab, page) for page in scene.pages() if asked(page.name)]
        walks = [keyboard.walk(tab, blank, *walk) for walk in to_walk(scene) if asked(walk[0])]
        use = Use(browser, tab, folder / "downloads")
        uses = [use.run(*steps) for steps in to_use(scene, use) if asked(steps[0])]
    finally:
        browser.close()
    hosts = outside(browser.net_log)
    report.line("no page has asked another host", hosts)
    return {"pages": pages, "walks": walks, "uses": uses, "hosts": hosts}


def to_walk(scene):
    """A page of each kind, by name, address, width, scheme and how far."""
    address = scene.rig.url
    pages = {"index": (scene.index, keyboard.MOST), "link": (scene.whole, keyboard.MOST), "parts": (scene.parts, keyboard.MOST)}
    pages |= {"unsubscribe": (scene.schedule, keyboard.MOST), "docs": (f"{address}/docs", keyboard.MOST)}
    pages |= {"problems": (f"{address}/problems", 20), "problem": (f"{address}/problems/link_expired", keyboard.MOST)}
    return [(f"keys-{name}-{width}-{scheme}", url, width, scheme, most) for name, (url, most) in pages.items() for width, scheme in WALKED]


def to_use(scene, use):
    address = scene.rig.url
    return [
        ("use-index-skip", scene.index, use.skip, "#entries"),
        ("use-index-search", scene.index, use.search, "Lantern", 1),
        ("use-index-months", scene.index, use.month),
        ("use-index-link-to-month", scene.index, use.link, "nav li:last-child a", "location.hash === '#m202604'"),
        ("use-index-recordings", scene.index, use.players),
        ("use-index-file", scene.index, use.link, ".files a[href$='.txt']", "location.pathname.endsWith('.txt')"),
        ("use-link-download", scene.whole, use.download, 1),
        ("use-link-download-parts", scene.parts, use.download, 2),
        ("use-unsubscribe", scene.schedule, use.link, "button", "!document.querySelector('button') && !!document.querySelector('h1')"),
        ("use-docs-reference", f"{address}/docs", use.link, "a[href$='/docs/reference']", "location.pathname === '/docs/reference'"),
        ("use-problem-list", f"{address}/problems/link_expired", use.link, ".small a", "location.pathname === '/problems'"),
    ]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Broken as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
