/// Signs that no speech contains: HTML, Markdown, JSON, characters that are not shown.
enum MarkupSigns: CaseIterable {
    case tag, entity, fence, emphasis, heading, link, json, hidden

    /// Signs of the cleaned text that the raw one does not have.
    static func isNew(in clean: String, beside raw: String) -> Bool {
        let (clean, raw) = (Array(clean.unicodeScalars), Array(raw.unicodeScalars))
        return allCases.contains { $0.occurs(in: clean) && !$0.occurs(in: raw) }
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
            case .emphasis: if next == scalar { return true }
            case .heading: if before == "\n", next == "#" || next == " " { return true }
            case .link: if next == "(" { return true }
            case .json: return true
            case .hidden: return true
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
        case .hidden:
            scalar.value < 0x20 ? scalar != "\n" && scalar != "\r" && scalar != "\t" : Self.unseen.contains { $0.contains(scalar.value) }
        }
    }

    /// Directions, zero-width space, tags, private use.
    private static let unseen: [ClosedRange<UInt32>] = [
        0x7F...0x9F, 0x200B...0x200B, 0x202A...0x202E, 0x2060...0x206F, 0xE000...0xF8FF, 0xFFF0...0xFFFF, 0xE0000...0xE0FFF,
    ]

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
