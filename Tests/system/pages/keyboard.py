"""A page by its keys alone: Tab reaches all that can be operated, and what is focused can be seen."""

import base64
import json

import report
from chromium import Broken

MOST = 100
"""Stops of a walk."""
LEAST_PIXELS = 40
"""That change by a contrast of 3:1 when the focus comes (WCAG 2.2, 2.4.13)."""

# Only a player has more than one stop; any other element that comes again is the start of the next round.
PLACE = """
(() => {
  const at = document.activeElement;
  if (!at || at === document.body || at === document.documentElement) return null;
  globalThis.reached ??= new Map();
  const before = reached.get(at) ?? -1, now = globalThis.stops = (globalThis.stops ?? 0) + 1;
  reached.set(at, now);
  const box = at.getBoundingClientRect();
  return {
    again: before >= 0 && !(at.localName === 'audio' && before === now - 1), tag: at.localName, id: at.id, text: (at.textContent || at.ariaLabel || '').trim().slice(0, 60),
    clip: {x: Math.max(0, box.x + scrollX - 8), y: Math.max(0, box.y + scrollY - 8), width: box.width + 16, height: Math.min(400, box.height + 16)},
  };
})()
"""

MISSED = """
[...document.querySelectorAll('a[href], button, input, select, textarea, summary, audio[controls], [tabindex="0"]')]
  .filter(e => e.checkVisibility() && !e.closest('details:not([open]) > :not(summary)') && !globalThis.reached?.has(e))
  .map(e => e.outerHTML.slice(0, 100))
"""

CHANGED = """
(async (one, other) => {
  const read = async text => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    return canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
  };
  const light = (data, at) => [0.2126, 0.7152, 0.0722].reduce((sum, part, place) => {
    const value = data[at + place] / 255;
    return sum + part * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  }, 0.05);
  const [a, b] = [await read(one), await read(other)];
  let count = 0;
  for (let at = 0; at < Math.min(a.length, b.length); at += 4) {
    const [x, y] = [light(a, at), light(b, at)];
    if (Math.max(x, y) / Math.min(x, y) >= 3) count += 1;
  }
  return count;
})
"""


def walk(tab, blank, name, url, width, scheme, most=MOST):
    """Tab from the top to the end: the stops, and what is wrong with them. `blank` compares the pictures."""
    tab.look(width, scheme)
    tab.open(url)
    findings, stops, last, ended = [], 0, None, False
    try:
        while stops < most and not ended:
            tab.press("Tab")
            place = tab.evaluate(PLACE)
            ended = not place or place["again"]
            if ended:
                # Where there is one control the next round begins on it.
                tab.evaluate("document.activeElement?.blur()")
            if last:
                findings += unseen(tab, blank, *last)
            if not ended:
                stops += 1
                last = place, tab.picture(place["clip"])
        if ended:
            findings += [f"Tab does not reach {html}" for html in tab.evaluate(MISSED)]
    except Broken as error:
        findings.append(str(error))
    report.line(f"{name}: {stops} stops", findings)
    return {"walk": name, "stops": stops, "findings": findings}


def unseen(tab, blank, place, focused):
    """A finding where the picture is the same without the focus."""
    given = [json.dumps(base64.b64encode(picture).decode()) for picture in (focused, tab.picture(place["clip"]))]
    if blank.evaluate(f"{CHANGED}({', '.join(given)})") >= LEAST_PIXELS:
        return []
    return [f"the focus cannot be seen on {place['tag']} {place['id']} {place['text']!r}"]


def tab_to(tab, condition, what, most=80):
    """Presses Tab until the focused element `at` is the one; a finding when it is not reached."""
    for _ in range(most):
        tab.press("Tab")
        if tab.evaluate(f"(at => !!({condition}))(document.activeElement)"):
            return []
    return [f"Tab does not reach {what}"]
