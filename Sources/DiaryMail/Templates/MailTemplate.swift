package import DiaryCore

/// What is wrong with the words of a mail. Shown to the operator who wrote them.
package struct MailTemplateFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// From 1; nil when it is about the whole.
    package var line: Int?
    package var reason: String

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}

/// The words of one kind of mail in one language: a line with the subject, an empty line, and paragraphs between empty lines.
///
///     Subject: Your code for {app}
///
///     Enter this code in {app}:
///
///     {code}
///
///     It is valid for {minutes|one minute|# minutes} and works once.
///
/// A value stands in braces: `{app}`; a number with its singular and plural, in which `#` is the number; a link with the label of its button, in a
/// paragraph of its own, as a code is. A paragraph with a value that the mail does not have is left out. Two braces are one.
package struct MailTemplate: Sendable {
    enum Piece: Equatable {
        case text(String)
        case value(MailPlaceholder)
        case number(MailPlaceholder, one: String, other: String)
        case link(MailPlaceholder, label: String)
    }

    let subject: [Piece]
    let paragraphs: [[Piece]]

    /// Bytes.
    package static let longest = 20_000

    package init(_ text: String, of kind: MailKind) throws(MailTemplateFault) {
        guard text.utf8.count <= Self.longest else { throw MailTemplateFault(reason: "must be at most \(Self.longest) bytes") }
        // CRLF is one character, which is not "\n".
        var lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        guard let first = lines.first, first.hasPrefix("Subject:") else {
            throw MailTemplateFault(line: 1, reason: "must begin with Subject:")
        }
        for (index, line) in lines.enumerated() where !OneLineText.accepts(String(line.replacing("\t", with: " "))) {
            throw MailTemplateFault(line: index + 1, reason: "has a control character or a change of direction")
        }
        let parser = PieceParser(known: kind.placeholders)
        subject = try parser.pieces(first.dropFirst("Subject:".count).trimmed, line: 1)
        guard subject.contains(where: { $0 != .text("") }) else { throw MailTemplateFault(line: 1, reason: "the subject is empty") }
        for case .value(let name) in subject where name.form != .text {
            throw MailTemplateFault(line: 1, reason: "a subject shows on locked screens: no {\(name.rawValue)} there")
        }
        if subject.contains(where: { if case .link = $0 { true } else { false } }) {
            throw MailTemplateFault(line: 1, reason: "no link in a subject")
        }
        var paragraphs: [[Piece]] = []
        var open: (text: [String], line: Int) = ([], 2)
        for (index, line) in (lines.dropFirst() + [""]).enumerated() {
            guard line.allSatisfy(\.isWhitespace) else {
                if open.text.isEmpty { open.line = index + 2 }
                open.text.append(line.trimmed)
                continue
            }
            if !open.text.isEmpty { paragraphs.append(try parser.paragraph(open.text.joined(separator: " "), line: open.line)) }
            open.text = []
        }
        guard !paragraphs.isEmpty, paragraphs.count <= 50 else { throw MailTemplateFault(reason: "must have 1 to 50 paragraphs") }
        if let needed = kind.neededPlaceholder, !paragraphs.contains(where: { $0.contains { $0.placeholder == needed } }) {
            throw MailTemplateFault(reason: "must have a paragraph \(needed.example)")
        }
        self.paragraphs = paragraphs
    }
}

extension MailTemplate.Piece {
    var placeholder: MailPlaceholder? {
        switch self {
        case .text: nil
        case .value(let name), .number(let name, _, _), .link(let name, _): name
        }
    }
}

/// Reads text with values in braces.
struct PieceParser {
    let known: [MailPlaceholder]

    /// A code or a link has a paragraph of its own.
    func paragraph(_ text: String, line: Int) throws(MailTemplateFault) -> [MailTemplate.Piece] {
        let pieces = try pieces(text, line: line)
        for piece in pieces where piece.placeholder?.form == .code || piece.placeholder?.form == .link {
            guard pieces.count == 1 else {
                throw MailTemplateFault(line: line, reason: "{\(piece.placeholder?.rawValue ?? "")} must be a paragraph of its own")
            }
        }
        return pieces
    }

    func pieces(_ text: String, line: Int) throws(MailTemplateFault) -> [MailTemplate.Piece] {
        var pieces: [MailTemplate.Piece] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "{" || character == "}", rest.first == character {
                plain.append(character)
                rest.removeFirst()
            } else if character == "}" {
                throw MailTemplateFault(line: line, reason: "a brace that was not opened; two are one")
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}"), !rest[..<end].contains("{") else {
                    throw MailTemplateFault(line: line, reason: "a brace that is not closed; two are one")
                }
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(try piece(rest[..<end], line: line))
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(character)
            }
        }
        if !plain.isEmpty || pieces.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }

    private func piece(_ text: Substring, line: Int) throws(MailTemplateFault) -> MailTemplate.Piece {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmed)
        guard let name = parts.first.flatMap({ MailPlaceholder(rawValue: $0) }), known.contains(name) else {
            throw MailTemplateFault(
                line: line, reason: "{\(text.prefix(40))} is not known here; known are \(known.map(\.example).joined(separator: " "))")
        }
        switch (name.form, parts.count) {
        case (.text, 1), (.code, 1): return .value(name)
        case (.number, 3): return .number(name, one: parts[1], other: parts[2])
        case (.link, 2) where !parts[1].isEmpty: return .link(name, label: parts[1])
        default: throw MailTemplateFault(line: line, reason: "must be written \(name.example)")
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
