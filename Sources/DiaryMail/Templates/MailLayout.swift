enum MailParagraph {
    case words(String)
    case code(String)
    /// In HTML a button with the label.
    case link(String, label: String)
}

/// Paragraphs as plain text and as HTML without images, scripts, style sheets or other fetched content. Styles stand at the elements, since
/// mail programs drop style sheets; the column is as wide as a phone allows.
enum MailLayout {
    static func text(_ paragraphs: [MailParagraph]) -> String {
        paragraphs.map { paragraph in
            switch paragraph {
            case .words(let text), .link(let text, _): text
            case .code(let code): "    \(code)"
            }
        }.joined(separator: "\n\n") + "\n"
    }

    static func html(title: String, _ paragraphs: [MailParagraph]) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(escape(title))</title>
        </head>
        <body style="margin:0;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif">
        <div style="max-width:32rem;margin:0 auto;overflow-wrap:break-word">
        \(paragraphs.map(html).joined(separator: "\n"))
        </div>
        </body>
        </html>

        """
    }

    private static func html(_ paragraph: MailParagraph) -> String {
        switch paragraph {
        case .words(let text): "<p>\(escape(text))</p>"
        case .code(let code): "<p><strong style=\"font-size:1.5em;letter-spacing:.1em\">\(escape(code))</strong></p>"
        case .link(let link, let label) where link.hasPrefix("https://") || link.hasPrefix("http://"):
            "<p><a href=\"\(escape(link))\" rel=\"noreferrer\" style=\"\(button)\">\(escape(label))</a></p>"
        case .link(let link, _): "<p>\(escape(link))</p>"
        }
    }

    /// White on green: 7.6 to 1.
    private static let button =
        "display:inline-block;padding:.75rem 1.5rem;border-radius:.75rem;background:#2f5d50;color:#ffffff;text-decoration:none"

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
