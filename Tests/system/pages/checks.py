"""What holds of every page at every width, in light and in dark."""

import json
import urllib.parse

import report
from chromium import Broken

WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")
NARROWEST = 320
"""CSS pixels, at which nothing scrolls sideways (WCAG 2.2, 1.4.10)."""
FAILING = ("serious", "critical")
NAMED = "attacker.example"
"""By the hostile words."""
NO_ORIGIN = "not an origin"

# An article out of sight is not laid out, and neither axe nor a picture would see what is in it. A mail has no ground of its own: axe would take
# it for white in the dark too.
PREPARE = """
document.querySelectorAll('article').forEach(article => { article.style.contentVisibility = 'visible'; });
if ([document.documentElement, document.body].every(e => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)'))
  document.documentElement.style.backgroundColor = 'Canvas';
"""

AUDIT = """
axe.run(document, {preload: false, iframes: false, resultTypes: ['violations', 'incomplete']}).then(found => {
  const short = rules => rules.map(rule => ({
    rule: rule.id, impact: rule.impact, help: rule.help, count: rule.nodes.length,
    where: rule.nodes.slice(0, 3).map(node => [node.target.join(' '), node.failureSummary ?? '', node.html.slice(0, 200)]),
  }));
  return {violations: short(found.violations), incomplete: short(found.incomplete), passed: found.passes.length};
})
"""

WIDER = """
(width => {
  const root = document.scrollingElement, given = document.documentElement.clientWidth;
  if (given !== width) return `laid out for ${given} px, to be shrunk`;
  if (root.scrollWidth <= width) return null;
  const wide = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > width + 1);
  return `${root.scrollWidth} px wide: ${wide.slice(-3).map(e => e.outerHTML.slice(0, 120)).join(' … ')}`;
})
"""

# A short word that goes on in the next line, because its column is too narrow. Words with a hyphen may be parted at it; in the hostile words are
# no lines worth reading, and the page of the contract is too long.
TORN = """
(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), torn = [], range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.parentElement.checkVisibility()) continue;
    for (const word of text.data.matchAll(/(?<!\\S)[\\p{L}(),.]{4,22}(?!\\S)/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) torn.push(word[0]);
    }
  }
  return [...new Set(torn)];
})()
"""

# As the browser has read the page: what would act, or would lead to something that does.
ACTIVE = """
(() => {
  const all = [...document.querySelectorAll('*')];
  const links = all.flatMap(e => ['href', 'src', 'action', 'formaction', 'srcset', 'ping', 'data'].map(n => e.getAttribute(n)).filter(Boolean));
  return {
    title: document.title,
    scripts: document.scripts.length,
    handlers: all.filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).map(e => e.outerHTML.slice(0, 120)),
    elements: [...document.querySelectorAll('iframe,object,embed,base,svg,math,template,meta[http-equiv=refresh]')].map(e => e.outerHTML.slice(0, 120)),
    links: links.filter(l => /^\\s*(javascript|vbscript|blob):/i.test(l)),
  };
})()
"""


class Checks:
    def __init__(self, axe, output):
        self.axe, self.output = axe, output

    def page(self, tab, page):
        """Each look of a page: its findings, notes, and the figures of axe."""
        if page.before:
            page.before()
        tab.look(WIDTHS[0], SCHEMES[0])
        tab.open(page.url, page.headers)
        wait(tab, page)
        seen = tab.evaluate(ACTIVE)
        # What a script of the service draws may have pictures.
        drawn = [] if page.drawn else seen["elements"]
        whole = [f"acts: {what}" for what in (*seen["handlers"], *drawn, *seen["links"])]
        if seen["scripts"] != page.scripts:
            whole.append(f"{seen['scripts']} scripts instead of {page.scripts}")
        if not seen["title"] or seen["title"] == "acted":
            whole.append(f"the title is {seen['title']!r}")
        tab.evaluate(self.axe)
        tab.evaluate(PREPARE)
        looks = [self.look(tab, page, width, scheme) for width in WIDTHS for scheme in SCHEMES]
        tab.look(NARROWEST, SCHEMES[0])
        if wider := tab.evaluate(f"{WIDER}({NARROWEST})"):
            whole.append(f"too wide for {NARROWEST} px: {wider}")
        whole += [f"refused or failed: {text}" for text in tab.complaints]
        whole += [f"asks for {url[:200]}" for url in tab.requests if not is_own(url, page.url)]
        seen = {"page": page.name, "findings": whole, "requests": len(tab.requests), "looks": looks}
        report.of_page(seen)
        return seen

    def look(self, tab, page, width, scheme):
        tab.look(width, scheme)
        wait(tab, page)
        found = tab.evaluate(AUDIT)
        if not found["passed"]:
            raise Broken(f"{page.name}: axe has looked at nothing")
        findings = [words(rule) for rule in found["violations"] if rule["impact"] in FAILING]
        if wider := tab.evaluate(f"{WIDER}({width})"):
            findings.append(f"too wide for {width} px: {wider}")
        if page.is_read and (torn := tab.evaluate(TORN)):
            findings.append(f"words torn at {width} px: {', '.join(torn[:8])}")
        file = self.output / f"{page.name}-{width}-{scheme}.png"
        file.write_bytes(tab.picture())
        return {
            "width": width,
            "scheme": scheme,
            "picture": file.name,
            "findings": findings,
            "lesser": [words(rule) for rule in found["violations"] if rule["impact"] not in FAILING],
            "undecided": [words(rule) for rule in found["incomplete"]],
            "rules_passed": found["passed"],
        }


def wait(tab, page):
    """Until a page that a script draws is drawn: again, when light and dark have changed."""
    if page.drawn:
        tab.wait(f"new Promise(done => requestAnimationFrame(() => setTimeout(() => done({page.drawn}))))", 60, f"{page.name} drawn")


def words(rule):
    return f"{rule['impact']} {rule['rule']} ({rule['count']}): {rule['help']}: {json.dumps(rule['where'][0], ensure_ascii=False)[:600]}"


def is_own(url, page):
    """Of the page's own server or folder, or in the page itself."""
    # A worker that the page has made is named by the page's address.
    asked, own = urllib.parse.urlsplit(url.removeprefix("blob:")), urllib.parse.urlsplit(page)
    if asked.scheme == "data":
        return True
    if own.scheme == "file":
        return asked.scheme == "file" and asked.path.startswith(own.path.rsplit("/", 1)[0] + "/")
    return (asked.scheme, asked.netloc) == (own.scheme, own.netloc)


def outside(net_log):
    """Names that pages have asked in all of the run, from Chromium's log of the network, which has its own requests for updates too; these have no
    origin. Whatever hostile words name is not there at all, not even as a connection made in advance."""
    text = net_log.read_text()
    asked = [event.get("params", {}) for event in json.loads(text)["events"]]
    names = {urllib.parse.urlsplit(facts["url"]).hostname for facts in asked if facts.get("initiator", NO_ORIGIN) != NO_ORIGIN}
    if NAMED in text:
        names.add(NAMED)
    return sorted(names - {"127.0.0.1", None})
