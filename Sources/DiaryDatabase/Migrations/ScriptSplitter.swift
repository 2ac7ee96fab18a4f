/// Parts a script into its statements, as psql does: semicolons inside quotes, dollar quotes and comments do not count.
/// Lexical rules of the PostgreSQL documentation, section 4.1.
struct ScriptSplitter {
    struct Piece: Equatable {
        let sql: String
        /// The line on which it begins, from 1.
        let line: Int
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0

    private init(_ script: String) {
        scalars = Array(script.unicodeScalars)
    }

    static func split(_ script: String) -> [Piece] {
        var splitter = ScriptSplitter(script)
        var pieces: [Piece] = []
        while let piece = splitter.next() { pieces.append(piece) }
        return pieces
    }

    private func at(_ position: Int) -> Unicode.Scalar? {
        scalars.indices.contains(position) ? scalars[position] : nil
    }

    /// Comments before a statement are dropped; the rest is kept as it is.
    private mutating func next() -> Piece? {
        while let scalar = at(index), scalar.properties.isWhitespace || scalar == ";" || startsComment {
            if startsComment { skipComment() } else { index += 1 }
        }
        guard at(index) != nil else { return nil }
        let start = index
        while let scalar = at(index), scalar != ";" { skipToken(scalar) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<index])
        let line = scalars[..<start].count { $0 == "\n" } + 1
        return Piece(sql: String(text), line: line)
    }

    private var startsComment: Bool {
        (at(index) == "-" && at(index + 1) == "-") || (at(index) == "/" && at(index + 1) == "*")
    }

    private mutating func skipToken(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "'":
            let isEscaping = (at(index - 1) == "e" || at(index - 1) == "E") && !isWord(at(index - 2))
            skipQuoted(by: "'", isEscaping: isEscaping)
        case "\"": skipQuoted(by: "\"", isEscaping: false)
        case "$" where !isWord(at(index - 1)): skipDollarQuoted()
        default:
            if startsComment { skipComment() } else { index += 1 }
        }
    }

    /// A doubled quote closes and opens again, which comes to the same.
    private mutating func skipQuoted(by quote: Unicode.Scalar, isEscaping: Bool) {
        index += 1
        while let scalar = at(index), scalar != quote {
            index += isEscaping && scalar == "\\" ? 2 : 1
        }
        index = min(index + 1, scalars.count)
        // The doubled quote of an escape string goes on as an escape string.
        if isEscaping, at(index) == quote { skipQuoted(by: quote, isEscaping: true) }
    }

    private mutating func skipDollarQuoted() {
        var end = index + 1
        while isWord(at(end)) { end += 1 }
        guard at(end) == "$" else {
            index += 1
            return
        }
        let tag = scalars[index...end]
        index = end + 1
        while index < scalars.count {
            if scalars[index] == "$", scalars[index...].starts(with: tag) {
                index += tag.count
                return
            }
            index += 1
        }
    }

    /// Block comments nest.
    private mutating func skipComment() {
        guard at(index) == "/" else {
            while let scalar = at(index), scalar != "\n" { _ = scalar; index += 1 }
            return
        }
        var depth = 0
        while index < scalars.count {
            if at(index) == "/", at(index + 1) == "*" {
                depth += 1
                index += 2
            } else if at(index) == "*", at(index + 1) == "/" {
                depth -= 1
                index += 2
                if depth == 0 { return }
            } else {
                index += 1
            }
        }
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
}
