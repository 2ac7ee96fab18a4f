enum MailParagraph {
    case words(String)
    case code(String)
    case link(String)
}

/// Paragraphs as plain text and as HTML without images, scripts, style sheets or other fetched content.
enum MailLayout {
    static func text(_ paragraphs: [MailParagraph]) -> String {
        paragraphs.map { paragraph in
            switch paragraph {
            case .words(let text), .link(let text): text
            case .code(let code): "    \(code)"
            }
        }.joined(separator: "\n\n") + "\n"
    }

    static func html(title: String, _ paragraphs: [MailParagraph]) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>\(escape(title))</title></head>
        <body>
        \(paragraphs.map(html).joined(separator: "\n"))
        </body>
        </html>

        """
    }

    private static func html(_ paragraph: MailParagraph) -> String {
        switch paragraph {
        case .words(let text): "<p>\(escape(text))</p>"
        case .code(let code): "<p><strong style=\"font-size:1.5em;letter-spacing:.1em\">\(escape(code))</strong></p>"
        case .link(let link) where link.hasPrefix("https://") || link.hasPrefix("http://"):
            "<p><a href=\"\(escape(link))\" rel=\"noreferrer\">\(escape(link))</a></p>"
        case .link(let link): "<p>\(escape(link))</p>"
        }
    }

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
