import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats

/// The frame of `index.html`: one file that asks for nothing but the recordings beside it, which its policy enforces. Everything can be read
/// without scripts; the script adds the search and opens all months for printing. The script is the same in every language, and so is its digest:
/// what it says stands in attributes.
enum ExportIndexPage {
    static func head(title: String, _ brand: AppBrand, _ language: WrittenLanguage) -> String {
        let style = "\n:root { --brand: \(brand.color); }" + Self.style
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy(style))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="robots" content="noindex">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="data:,">
            <title>\(HTMLText.escaped(title))</title>
            <style>\(style)</style>
            </head>

            """
    }

    static func opening(_ brand: AppBrand, heading: String, lines: [String], _ words: ExportIndexWords) -> String {
        let one = HTMLText.escaped(words.counted(.found, 1))
        let name = brand.name.isEmpty ? "" : "<p class=\"brand\"><bdi>\(HTMLText.escaped(brand.name))</bdi></p>\n"
        return """
            <body>
            <a class="skip" href="#entries">\(HTMLText.escaped(words[.skip]))</a>
            <header>
            \(name)<h1>\(HTMLText.escaped(heading))</h1>
            \(lines.map { "<p>\(HTMLText.escaped($0))</p>" }.joined(separator: "\n"))
            <form id="search" role="search" hidden>
            <label for="query">\(HTMLText.escaped(words[.search]))</label> <input id="query" type="search" autocomplete="off" spellcheck="false">
            <p id="found" role="status" data-none="\(HTMLText.escaped(words[.foundNone]))" data-one="\(one)" \
            data-other="\(HTMLText.escaped(words.list(.found).last ?? ""))"></p>
            </form>
            </header>

            """
    }

    static var end: String { "<script>\(script)</script>\n</body>\n</html>\n" }

    /// `file:` is what a page that was opened from a disk calls its own place; `'self'` covers one that is served.
    private static func policy(_ style: String) -> String {
        """
        default-src 'none'; style-src '\(digest(of: style))'; script-src '\(digest(of: script))'; media-src 'self' file:; img-src data:; \
        base-uri 'none'; form-action 'none'
        """
    }

    private static func digest(of text: String) -> String { "sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))" }

    private static let style = """

        :root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1d1d1f; --quiet: #5f5f66; --line: #d9d6cf; --link: #1f5c4d; --card: #ffffff; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #17181a; --ink: #ececee; --quiet: #a9abb2; --line: #3a3c41; --link: #8fd0bd; --card: #1f2124; }
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1rem; }
        body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
        a { color: var(--link); }
        a:focus-visible, summary:focus-visible, input:focus-visible, audio:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .skip { position: absolute; left: -100vw; }
        .skip:focus { position: static; }
        h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .5rem; }
        h2 { font-size: 1.25rem; margin: 2.5rem 0 .25rem; }
        h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; color: var(--quiet); }
        h4 { font-size: 1rem; margin: 0; }
        h4 time { color: var(--quiet); font-weight: 400; font-variant-numeric: tabular-nums; margin-inline-end: .35rem; }
        header { border-top: .375rem solid var(--brand); padding-top: 1rem; }
        header p, .facts, .gap, .files { margin: 0; color: var(--quiet); font-size: .875rem; }
        header .brand { margin: 0 0 1rem; color: inherit; font-size: 1rem; font-weight: 600; }
        form { margin: 1rem 0 0; }
        input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--quiet); border-radius: .5rem; padding: .4rem .6rem;
          width: 100%; }
        label { display: block; font-size: .875rem; color: var(--quiet); }
        nav ul { list-style: none; margin: 1.25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem; }
        nav a, summary { display: inline-block; padding: .25rem 0; }
        summary { display: list-item; cursor: pointer; color: var(--quiet); font-size: .875rem; }
        article { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 0 0 .75rem;
          content-visibility: auto; contain-intrinsic-size: auto 12rem; }
        audio { display: block; width: 100%; margin: .75rem 0 0; }
        .words { white-space: pre-wrap; margin: .75rem 0 0; }
        .gap { margin-top: .5rem; font-style: italic; }
        .more { margin-top: .75rem; }
        .more ol { list-style: none; margin: .25rem 0 0; padding: 0; }
        .more p, .more ul { margin: .25rem 0 0; }
        .at { color: var(--quiet); font-variant-numeric: tabular-nums; }
        .tags { list-style: none; margin: .75rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem; font-size: .875rem; }
        .tags li { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; max-width: 100%; }
        .files { margin-top: .75rem; }
        .files a { display: inline-block; padding: .125rem .25rem; }
        [hidden] { display: none; }
        @media print {
          :root { --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --link: #000; --card: #fff; color-scheme: light; }
          body { max-width: none; padding: 0; font-size: 10.5pt; }
          form, nav, audio, .files, .skip { display: none; }
          details::details-content { content-visibility: visible; display: block; }
          .month > summary { display: none; }
          article { content-visibility: visible; border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .5rem 0; }
          h2, h3, h4 { break-after: avoid; }
          .words { orphans: 3; widows: 3; }
        }

        """

    private static let script = """

        (() => {
          const form = document.getElementById('search'), query = document.getElementById('query'), found = document.getElementById('found');
          const articles = [...document.querySelectorAll('article')], months = [...document.querySelectorAll('.month')];
          const fold = text => text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();
          const language = document.documentElement.lang;
          let texts = null, opened = null, timer = 0;
          const search = () => {
            const words = fold(query.value).split(/\\s+/).filter(Boolean);
            texts ??= articles.map(article => fold(article.textContent + ' ' + (article.closest('.day')?.querySelector('h3')?.textContent ?? '')));
            opened ??= months.map(month => month.open);
            let count = 0;
            articles.forEach((article, place) => {
              const fits = words.every(word => texts[place].includes(word));
              article.hidden = !fits;
              if (fits) count += 1;
            });
            for (const day of document.querySelectorAll('.day')) day.hidden = !day.querySelector('article:not([hidden])');
            months.forEach((month, place) => {
              const fits = !!month.querySelector('.day:not([hidden])');
              month.parentElement.hidden = !fits;
              month.open = words.length ? fits : opened[place];
            });
            if (!words.length) opened = null;
            const { none, one, other } = found.dataset;
            found.textContent = !words.length ? '' : !count ? none : count === 1 ? one : other.replace('#', count.toLocaleString(language));
          };
          form.hidden = false;
          form.addEventListener('submit', event => { event.preventDefault(); search(); });
          query.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 150); });
          for (const link of document.querySelectorAll('nav a')) link.addEventListener('click', () => {
            const month = document.querySelector(link.getAttribute('href'))?.parentElement.querySelector('.month');
            if (month) month.open = true;
          });
          let printed = null;
          addEventListener('beforeprint', () => {
            printed = [...document.querySelectorAll('details')].map(details => [details, details.open]);
            for (const [details] of printed) details.open = true;
          });
          addEventListener('afterprint', () => { for (const [details, open] of printed ?? []) details.open = open; printed = null; });
        })();

        """
}
