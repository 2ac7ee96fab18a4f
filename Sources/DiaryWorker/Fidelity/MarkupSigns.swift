/// Signs that no speech contains: HTML, Markdown, JSON.
enum MarkupSigns: CaseIterable {
    case tag, entity, fence, emphasis, heading, link, json

    /// Signs of the cleaned text that the raw one does not have.
    static func isNew(in clean: String, beside raw: String) -> Bool {
        let (clean, raw) = (Array(clean.unicodeScalars), Array(raw.unicodeScalars))
        return allCases.contains { $0.occurs(in: clean) && !$0.occurs(in: raw) } || UnsaidSigns.areMore(in: clean, than: raw)
    }

    static func all(in text: String) -> Set<MarkupSigns> {
        let text = Array(text.unicodeScalars)
        return Set(allCases.filter { $0.occurs(in: text) })
    }

    private func occurs(in text: [Unicode.Scalar]) -> Bool {
        for (index, scalar) in text.enumerated() where begins(scalar) {
            let next = index + 1 < text.count ? text[index + 1] : "\n"
            let before = index > 0 ? text[index - 1] : "\n"
            switch self {
            case .tag: if next.properties.isAlphabetic || next == "/" || next == "!" || next == "?" { return true }
            case .entity: if Self.isEntity(text, from: index + 1) { return true }
            case .fence: return true
            // One tilde strikes, too.
            case .emphasis:
                if next == scalar || scalar == "~" && !(next.properties.isWhitespace && before.properties.isWhitespace) { return true }
            case .heading: if before == "\n", next == "#" || next == " " { return true }
            case .link: if next == "(" { return true }
            case .json: return true
            }
        }
        return false
    }

    private func begins(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .tag: scalar == "<"
        case .entity: scalar == "&"
        case .fence: scalar == "`"
        case .emphasis: scalar == "*" || scalar == "_" || scalar == "~" || scalar == "|"
        case .heading: scalar == "#"
        case .link: scalar == "]"
        case .json: scalar == "{" || scalar == "}" || scalar == "\\"
        }
    }

    private static func isEntity(_ text: [Unicode.Scalar], from start: Int) -> Bool {
        var index = start
        while index < text.count, index < start + 10 {
            if text[index] == ";" { return index > start }
            guard
                text[index] == "#"
                    || (text[index].isASCII && (text[index].properties.isAlphabetic || text[index].properties.numericType != nil))
            else { return false }
            index += 1
        }
        return false
    }
}
