"""The words of the contract's paths that proxies may log, as one regular expression. Its three groups give `/v1/entries/` and `/audio` of
`/v1/entries/{id}/audio`: a parameter's place, which may hold an id or a token, stays empty, and so does a path of another form."""

import re

# What stands before and behind the expression in each file.
FILES = {"deploy/nginx.conf": ('"~', '" "$1$2$3";'), "deploy/Caddyfile": ('request>uri regexp "', '" "$1$2$3"')}


def expression(paths):
    """Only what the engines of nginx (PCRE), Caddy (RE2) and Python read alike."""
    heads, tails = set(), set()
    for path in paths:
        head, _, rest = path.partition("/{")
        heads.add(head)
        tail = rest.partition("}")[2]
        # A second parameter, and what follows it, is part of the place that stays empty.
        if tail and "{" not in tail:
            tails.add(tail)
    # `/v1/entries/days` before `/v1/entries`, behind which any word is a parameter's.
    return f"(?s)^(?:({choice(heads)})(?:(/)(?:[^/?]+({choice(tails)})?|[^?]*))?(?:[?].*)?|.*)$"


def choice(words):
    return "|".join(word.replace(".", "[.]") for word in sorted(words, key=lambda word: (-len(word), word)))


def written(text, name, paths):
    """The file with the expression of these paths."""
    before, behind = (re.escape(part) for part in FILES[name])
    content, count = re.subn(rf'({before})\(\?s\)[^"]+({behind})', lambda found: found[1] + expression(paths) + found[2], text)
    assert count == 1, f"{name}: {count} expressions"
    return content
