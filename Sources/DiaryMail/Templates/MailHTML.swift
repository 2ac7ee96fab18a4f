package import DiaryCore

/// An app's own HTML of one kind of mail: a small part of HTML, written strictly, in which nothing can run, be sent or be fetched but the logo.
///
/// Values stand in braces as in ``MailTemplate``. Links are `href="{link}"`, `href="{unsubscribe}"` or an address of the web, the only picture is
/// `<img src="{logo}" alt="…">`. A paragraph, list item, table row or heading with a value that the mail does not have is left out.
package struct MailHTML: Sendable {
    enum Part: Equatable {
        case text([MailTemplate.Piece])
        /// `<name`, attributes, `>`.
        case open(String, [Attribute])
        case close(String)
        case doctype
    }

    enum Attribute: Equatable {
        case plain(name: String, [MailTemplate.Piece])
        case link(MailPlaceholder)
        case logo
    }

    /// Bytes.
    package static let longest = 100_000

    let parts: [Part]

    package init(_ text: String, of kind: MailKind) throws(MailTemplateFault) {
        guard text.utf8.count <= Self.longest else { throw MailTemplateFault(reason: "must be at most \(Self.longest) bytes") }
        var reader = MailHTMLReader(text, known: kind.placeholders)
        parts = try reader.read()
        guard let needed = kind.neededPlaceholder else { return }
        let isThere = parts.contains { part in
            switch part {
            case .text(let pieces): pieces.contains { $0.placeholder == needed }
            case .open(_, let attributes): attributes.contains(.link(needed))
            case .close, .doctype: false
            }
        }
        guard isThere else {
            throw MailTemplateFault(reason: needed == .link ? "must have a link with href=\"{link}\"" : "must have {\(needed.rawValue)}")
        }
    }

    /// Elements that are left out when a value in them is missing.
    private static let blocks: Set = ["p", "li", "tr", "h1", "h2", "h3"]

    func filled(_ values: MailValues, _ layout: MailLayout) -> String {
        var open: [(text: String, isComplete: Bool)] = [("", true)]
        func append(_ text: String?) {
            open[open.count - 1].text += text ?? ""
            if text == nil { open[open.count - 1].isComplete = false }
        }
        for part in parts {
            switch part {
            case .doctype: append("<!doctype html>")
            case .text(let pieces): append(values.text(pieces).map(MailLayout.escape))
            case .open(let name, let attributes):
                if Self.blocks.contains(name) { open.append(("", true)) }
                append("<\(name)")
                for attribute in attributes { append(Self.text(attribute, values, layout)) }
                append(">")
            case .close(let name):
                append("</\(name)>")
                if Self.blocks.contains(name), open.count > 1, let done = open.popLast(), done.isComplete {
                    open[open.count - 1].text += done.text
                }
            }
        }
        return open.map(\.text).joined()
    }

    private static func text(_ attribute: Attribute, _ values: MailValues, _ layout: MailLayout) -> String? {
        switch attribute {
        case .plain(let name, let pieces): values.text(pieces).map { " \(name)=\"\(MailLayout.escape($0))\"" }
        case .link(let name): values.texts[name].flatMap { MailLayout.isWeb($0) ? " href=\"\(MailLayout.escape($0))\"" : nil }
        case .logo: layout.brand.logo.map { " src=\"\(MailLayout.escape($0))\"" }
        }
    }
}
