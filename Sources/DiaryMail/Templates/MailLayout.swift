import DiaryCore

enum MailParagraph {
    case words(String)
    case code(String)
    /// In HTML a button with the label.
    case link(String, label: String)
    /// In HTML a link with the label, below the rest.
    case smallLink(String, label: String)

    var isSmall: Bool { if case .smallLink = self { true } else { false } }
}

/// Paragraphs as plain text and as HTML without scripts, style sheets or fetched content but the app's logo, under the head that pages have too.
/// Styles stand at the elements, since mail programs drop style sheets; the column is as wide as a phone allows.
struct MailLayout {
    var locale = "en"
    var brand = AppBrand()

    func text(_ paragraphs: [MailParagraph]) -> String {
        var blocks = paragraphs.map { paragraph in
            switch paragraph {
            case .words(let text), .link(let text, _): text
            case .smallLink(let text, let label): "\(label): \(text)"
            case .code(let code): "    \(code)"
            }
        }
        // The usual mark before a signature; its space is part of it.
        if let footer = brand.footer { blocks.append("-- \n\(footer)") }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    func html(title: String, _ paragraphs: [MailParagraph]) -> String {
        let name = Self.escape(brand.name)
        let head = brand.logo.map { logo in
            "<img src=\"\(Self.escape(logo))\" alt=\"\(name)\" height=\"40\" style=\"height:2.5rem;max-width:100%\">"
        }
        var blocks = ["<p style=\"font-weight:600\">\(head ?? name)</p>"]
        blocks += paragraphs.filter { !$0.isSmall }.map(html)
        var small = paragraphs.filter(\.isSmall).map(html)
        if let footer = brand.footer { small.append("<p style=\"\(Self.small)\">\(Self.escape(footer))</p>") }
        if !small.isEmpty { blocks.append("<hr style=\"border:0;border-top:1px solid #8e8e93;margin:1.5rem 0 0\">") }
        blocks += small
        return """
            <!doctype html>
            <html lang="\(Self.escape(locale))">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.escape(title))</title>
            </head>
            <body style="margin:0;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif">
            <div role="main" style="max-width:32rem;margin:0 auto;border-top:.375rem solid \(brand.color);overflow-wrap:break-word">
            \(blocks.joined(separator: "\n"))
            </div>
            </body>
            </html>

            """
    }

    private func html(_ paragraph: MailParagraph) -> String {
        switch paragraph {
        case .words(let text): "<p>\(Self.escape(text))</p>"
        case .code(let code): "<p><strong style=\"font-size:1.5em;letter-spacing:.1em\">\(Self.spaced(code))</strong></p>"
        case .link(let link, let label) where Self.isWeb(link):
            "<p><a href=\"\(Self.escape(link))\" rel=\"noreferrer\" style=\"\(button)\">\(Self.escape(label))</a></p>"
        case .smallLink(let link, let label) where Self.isWeb(link):
            "<p style=\"\(Self.small)\"><a href=\"\(Self.escape(link))\" rel=\"noreferrer\" style=\"color:inherit\">\(Self.escape(label))</a></p>"
        case .link(let link, _), .smallLink(let link, _): "<p>\(Self.escape(link))</p>"
        }
    }

    private static let small = "font-size:.875rem"

    /// Eight digits in two groups, which are copied as one.
    private static func spaced(_ code: String) -> String {
        guard code.utf8.count == 8, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return escape(code) }
        return "\(code.prefix(4))<span style=\"margin-left:.35em\">\(code.suffix(4))</span>"
    }

    private var button: String {
        "display:inline-block;padding:.75rem 1.5rem;border-radius:.75rem;background:\(brand.color);color:\(brand.letters);text-decoration:none"
    }

    static func isWeb(_ link: String) -> Bool { link.hasPrefix("https://") || link.hasPrefix("http://") }

    /// For element content and quoted attributes.
    static func escape(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
