import DiaryCore

enum MailParagraph {
    case words(String)
    case code(String)
    /// In HTML a button with the label.
    case link(String, label: String)
    /// In HTML a link with the label, below the rest.
    case smallLink(String, label: String)
}

/// Paragraphs as plain text and as HTML without scripts, style sheets or fetched content but the app's logo. Styles stand at the elements,
/// since mail programs drop style sheets; the column is as wide as a phone allows.
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
        let picture = brand.logo.map { logo in
            "<p><img src=\"\(Self.escape(logo))\" alt=\"\(Self.escape(brand.name))\" height=\"40\" style=\"height:2.5rem;max-width:100%\"></p>"
        }
        let footer = brand.footer.map { "<p style=\"\(Self.small)\">\(Self.escape($0))</p>" }
        let blocks = [picture].compactMap(\.self) + paragraphs.map(html) + [footer].compactMap(\.self)
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
            <div role="main" style="max-width:32rem;margin:0 auto;overflow-wrap:break-word">
            \(blocks.joined(separator: "\n"))
            </div>
            </body>
            </html>

            """
    }

    private func html(_ paragraph: MailParagraph) -> String {
        switch paragraph {
        case .words(let text): "<p>\(Self.escape(text))</p>"
        case .code(let code): "<p><strong style=\"font-size:1.5em;letter-spacing:.1em\">\(Self.escape(code))</strong></p>"
        case .link(let link, let label) where Self.isWeb(link):
            "<p><a href=\"\(Self.escape(link))\" rel=\"noreferrer\" style=\"\(button)\">\(Self.escape(label))</a></p>"
        case .smallLink(let link, let label) where Self.isWeb(link):
            "<p style=\"\(Self.small)\"><a href=\"\(Self.escape(link))\" rel=\"noreferrer\" style=\"color:inherit\">\(Self.escape(label))</a></p>"
        case .link(let link, _), .smallLink(let link, _): "<p>\(Self.escape(link))</p>"
        }
    }

    private static let small = "font-size:.875rem"

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
