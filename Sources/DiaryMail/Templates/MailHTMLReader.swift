import DiaryCore

/// Reads the part of HTML that mails may have. What is not known to be harmless is refused, so that nothing depends on how a mail program
/// reads what is broken.
struct MailHTMLReader {
    private let parser: PieceParser
    private var rest: Substring
    private var line = 1
    private var open: [String] = []

    init(_ text: String, known: [MailPlaceholder]) {
        parser = PieceParser(known: known)
        // Character by character, CRLF would be one that is not "\n".
        rest = text.replacing("\r\n", with: "\n")[...]
    }

    private static let void: Set = ["br", "hr", "img", "meta"]
    private static let elements: Set = [
        "html", "head", "meta", "title", "body", "div", "span", "p", "br", "hr", "h1", "h2", "h3", "strong", "em", "b", "i", "u", "small",
        "ul",
        "ol", "li", "table", "thead", "tbody", "tr", "td", "th", "a", "img", "blockquote", "center",
    ]
    private static let attributes: Set = [
        "style", "align", "valign", "width", "height", "role", "lang", "dir", "bgcolor", "border", "cellpadding", "cellspacing", "colspan",
        "rowspan", "title", "alt", "charset", "name", "content", "rel",
    ]

    mutating func read() throws(MailTemplateFault) -> [MailHTML.Part] {
        var parts: [MailHTML.Part] = []
        if rest.prefix(15).lowercased() == "<!doctype html>" {
            rest.removeFirst(15)
            parts.append(.doctype)
        }
        while !rest.isEmpty {
            if rest.first == "<" {
                parts.append(try tag())
            } else {
                let text = take { $0 != "<" }
                guard !text.contains(">") else { throw fault("a > outside of a tag is written &gt;") }
                parts.append(.text(try pieces(self.text(text))))
            }
        }
        guard open.isEmpty else { throw fault("<\(open[open.count - 1])> is not closed") }
        return parts
    }

    private func fault(_ reason: String) -> MailTemplateFault { MailTemplateFault(line: line, reason: reason) }

    private mutating func take(while condition: (Character) -> Bool) -> Substring {
        let taken = rest.prefix(while: condition)
        rest = rest.dropFirst(taken.count)
        line += taken.count { $0 == "\n" }
        return taken
    }

    private mutating func skipSpace() { _ = take { $0 == " " || $0 == "\n" || $0 == "\t" } }

    private mutating func tag() throws(MailTemplateFault) -> MailHTML.Part {
        rest.removeFirst()
        let closes = rest.first == "/"
        if closes { rest.removeFirst() }
        let name = String(take { $0.isASCII && ($0.isLetter || $0.isNumber) }).lowercased()
        guard Self.elements.contains(name) else {
            throw fault("<\(closes ? "/" : "")\(name.isEmpty ? String(rest.prefix(10)) : name)> is not allowed in a mail")
        }
        if closes {
            skipSpace()
            guard rest.first == ">" else { throw fault("</\(name) is not closed") }
            rest.removeFirst()
            guard open.last == name else { throw fault("</\(name)> closes \(open.last.map { "<\($0)>" } ?? "nothing")") }
            open.removeLast()
            return .close(name)
        }
        var attributes: [MailHTML.Attribute] = []
        var names: Set<String> = []
        while true {
            skipSpace()
            if rest.first == "/", Self.void.contains(name) { rest.removeFirst() }
            if rest.first == ">" { break }
            let attribute = String(take { $0.isASCII && ($0.isLetter || $0 == "-") }).lowercased()
            guard !attribute.isEmpty, rest.hasPrefix("=\"") else { throw fault("attributes are written name=\"value\"") }
            rest.removeFirst(2)
            let value = take { $0 != "\"" && $0 != "<" && $0 != ">" }
            guard rest.first == "\"" else { throw fault("the value of \(attribute) is not closed, or has < or >") }
            rest.removeFirst()
            guard names.insert(attribute).inserted else { throw fault("\(attribute) comes twice") }
            attributes.append(try self.attribute(attribute, String(value), of: name))
        }
        rest.removeFirst()
        if name == "img", !attributes.contains(.logo) || !names.contains("alt") {
            throw fault("a picture is written <img src=\"{logo}\" alt=\"…\">")
        }
        if !Self.void.contains(name) {
            guard open.count < 50 else { throw fault("nested too deeply") }
            open.append(name)
        }
        return .open(name, attributes)
    }

    private func attribute(_ name: String, _ value: String, of element: String) throws(MailTemplateFault) -> MailHTML.Attribute {
        switch (element, name) {
        case ("img", "src"):
            guard value == "{logo}" else { throw fault("the only picture is src=\"{logo}\"") }
            return .logo
        case ("a", "href"):
            for link in [MailPlaceholder.link, .unsubscribe] where value == "{\(link.rawValue)}" && parser.known.contains(link) {
                return .link(link)
            }
            guard WebLink.accepts(try text(value[...])), !value.contains("{") else {
                throw fault("a link is href=\"{link}\", href=\"{unsubscribe}\" or an address that begins with https://")
            }
        case ("meta", "content") where value.lowercased().contains("url"): throw fault("no addresses in meta")
        case (_, "style"):
            // No functions, escapes, comments and rules: nothing that fetches.
            guard value.unicodeScalars.allSatisfy({ $0.isASCII }), !value.contains(where: { "()\\@{}/*&".contains($0) }),
                !value.lowercased().contains("expression"), !value.lowercased().contains("import")
            else { throw fault("a style must be plain: no ( ) \\ @ / * & and braces") }
        case ("meta", "charset"):
            guard value.lowercased() == "utf-8" else { throw fault("the charset is utf-8") }
        case _ where Self.attributes.contains(name): break
        default: throw fault("\(name) is not allowed at <\(element)>")
        }
        return .plain(
            name: name, try pieces(text(value[...])))
    }

    private func pieces(_ text: String) throws(MailTemplateFault) -> [MailTemplate.Piece] {
        let pieces = try parser.pieces(text, line: line)
        if let link = pieces.compactMap(\.placeholder).first(where: { $0.form == .link }) {
            throw fault("{\(link.rawValue)} stands in href=\"{\(link.rawValue)}\" alone")
        }
        return pieces
    }

    private func text(_ written: Substring) throws(MailTemplateFault) -> String {
        try Self.unescaped(written, or: fault("only &amp; &lt; &gt; &quot; &#39; and &nbsp; are known"))
    }

    /// Text is escaped anew when it is filled in, so that each of its characters means itself.
    private static func unescaped(_ text: Substring, or fault: MailTemplateFault) throws(MailTemplateFault) -> String {
        guard OneLineText.accepts(String(text.replacing("\n", with: " ").replacing("\t", with: " "))) else {
            throw MailTemplateFault(line: fault.line, reason: "has a control character or a change of direction")
        }
        var (plain, rest) = ("", text[...])
        let known = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{A0}")]
        while let character = rest.first {
            guard character == "&" else {
                plain.append(character)
                rest.removeFirst()
                continue
            }
            guard let entity = known.first(where: { rest.hasPrefix($0.0) }) else { throw fault }
            plain += entity.1
            rest = rest.dropFirst(entity.0.count)
        }
        return plain
    }
}
