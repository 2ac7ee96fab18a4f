"""What a run has seen: lines for a reader, pictures side by side, figures for a script."""

import html
import json

SHEET = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Pages</title>
<style>body{font:14px system-ui;margin:1rem}figure{display:inline-block;margin:0 1rem 1rem 0;vertical-align:top}img{width:320px;border:1px solid #888}</style>
"""


def line(what, findings):
    print(f"{'NOT OK' if findings else 'ok':7} {what}", flush=True)
    for finding in findings:
        print(f"        {finding}", flush=True)


def of_page(seen):
    findings = [*seen["findings"], *(f"{look['width']} {look['scheme']}: {text}" for look in seen["looks"] for text in look["findings"])]
    line(seen["page"], findings)


def figures(pages, walks, uses, hosts):
    looks = [look for page in pages for look in page["looks"]]
    return {
        "pages": len(pages),
        "looks": len(looks),
        "serious_or_critical": sum(len([text for text in look["findings"] if text.startswith(("serious", "critical"))]) for look in looks),
        "lesser": sum(len(look["lesser"]) for look in looks),
        "undecided": sum(len(look["undecided"]) for look in looks),
        "requests": sum(page["requests"] for page in pages),
        "other_hosts": hosts,
        "walks": len(walks),
        "stops": sum(walk["stops"] for walk in walks),
        "uses": len(uses),
        "findings": sum(len(seen["findings"]) for seen in (*pages, *looks, *walks, *uses)) + len(hosts),
    }


def sheet(pages, folder):
    """One page with all pictures, to be looked at."""
    shown = [
        f"<figure><figcaption>{name(look)}</figcaption><img loading=lazy alt='' src='{name(look)}'></figure>"
        for page in pages
        for look in page["looks"]
    ]
    (folder / "overview.html").write_text(SHEET + "\n".join(shown) + "</html>\n")


def name(look):
    return html.escape(look["picture"], quote=True)


def write(file, seen):
    file.write_text(json.dumps(seen, indent=1, ensure_ascii=False) + "\n")
