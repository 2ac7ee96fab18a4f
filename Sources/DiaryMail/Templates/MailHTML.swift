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

    /// What is left of it in a mail that may lack values.
    struct Filled {
        fileprivate(set) var text = ""
        /// Whether there is something to read: text outside of the title.
        fileprivate(set) var hasWords = false
        /// A link whose label has stayed without it, because it stands in no block.
        fileprivate(set) var deadLink: MailPlaceholder?
        fileprivate var isComplete = true

        fileprivate mutating func append(_ part: String?) {
            text += part ?? ""
            if part == nil { isComplete = false }
        }
    }

    func filled(_ values: MailValues, _ layout: MailLayout) -> Filled {
        var open = [Filled()]
        var isTitle = false
        for part in parts {
            switch part {
            case .doctype: open[open.count - 1].append("<!doctype html>")
            case .text(let pieces):
                let text = values.text(pieces)
                open[open.count - 1].append(text.map(MailLayout.escape))
                if !isTitle, text?.allSatisfy(\.isWhitespace) == false { open[open.count - 1].hasWords = true }
            case .open(let name, let attributes):
                if name == "title" { isTitle = true }
                if Self.blocks.contains(name) { open.append(Filled()) }
                open[open.count - 1].append("<\(name)")
                for attribute in attributes {
                    let text = Self.text(attribute, values, layout)
                    open[open.count - 1].append(text)
                    if text == nil, case .link(let link) = attribute { open[open.count - 1].deadLink = link }
                }
                open[open.count - 1].append(">")
            case .close(let name):
                if name == "title" { isTitle = false }
                open[open.count - 1].append("</\(name)>")
                if Self.blocks.contains(name), open.count > 1, let done = open.popLast(), done.isComplete {
                    open[open.count - 1].text += done.text
                    if done.hasWords { open[open.count - 1].hasWords = true }
                }
            }
        }
        // Its reader closes every element, so that one is left.
        return open[0]
    }

    private static func text(_ attribute: Attribute, _ values: MailValues, _ layout: MailLayout) -> String? {
        switch attribute {
        case .plain(let name, let pieces): values.text(pieces).map { " \(name)=\"\(MailLayout.escape($0))\"" }
        case .link(let name): values.texts[name].flatMap { MailLayout.isWeb($0) ? " href=\"\(MailLayout.escape($0))\"" : nil }
        case .logo: layout.brand.logo.map { " src=\"\(MailLayout.escape($0))\"" }
        }
    }
}
