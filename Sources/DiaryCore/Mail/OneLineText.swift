/// Texts that stand in one line: in a mail's header, a report, a log.
package enum OneLineText {
    /// Whether a text has no line ends, control characters, Unicode line separators or direction changes. Mail programs and terminals act
    /// on them.
    package static func accepts(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: false
            default: true
            }
        }
    }

    /// What is wrong with a name that an operator gives; nil when nothing is.
    /// - Parameter max: in Unicode code points, as the database counts.
    package static func fault(ofName text: String, max: Int) -> String? {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { !$0.properties.isWhitespace && $0.properties.generalCategory != .format }) else {
            return "must not be empty"
        }
        guard scalars.count <= max else { return "must be at most \(max) characters" }
        guard accepts(text) else { return "must be one line without control characters and changes of direction" }
        guard scalars.first?.properties.isWhitespace != true, scalars.last?.properties.isWhitespace != true else {
            return "must not begin or end with a space"
        }
        return nil
    }
}
