"""Text of the contract as HTML: everything escaped, and of Markdown what openapi.yaml uses: paragraphs, lists, `code`, **strong**, links."""

import html
import json
import re

MARKS = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(((?:https?://|#|/)[^)\s]*)\)|(https?://[^\s<>()]+[^\s<>().,;:])")


def escaped(text):
    return html.escape(str(text), quote=True)


def inline(text):
    """One line of text. What stands between marks is escaped and not read again."""
    out, end = [], 0
    for match in MARKS.finditer(text):
        code, strong, label, target, address = match.groups()
        out.append(escaped(text[end : match.start()]))
        if code:
            out.append(f"<code>{escaped(code)}</code>")
        elif strong:
            out.append(f"<strong>{inline(strong)}</strong>")
        else:
            out.append(f'<a href="{escaped(target or address)}">{escaped(label or address)}</a>')
        end = match.end()
    return "".join(out) + escaped(text[end:])


def blocks(text):
    """Paragraphs and lists, which empty lines separate."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip()):
        for mark, tag in ((r"^\* ", "ul"), (r"^\d+\. ", "ol")):
            if re.match(mark, block):
                items = re.split(mark, block, flags=re.M)[1:]
                out.append(f"<{tag}>" + "".join(f"<li>{inline(joined(item))}</li>" for item in items) + f"</{tag}>")
                break
        else:
            out.append(f"<p>{inline(joined(block))}</p>")
    return "\n".join(out)


def joined(text):
    return " ".join(text.split())


def example(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return f'<pre tabindex="0"><code>{escaped(text)}</code></pre>'
