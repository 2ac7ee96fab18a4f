/// The beginning of a text in one line, as lists show it.
enum Excerpt {
    /// Unicode code points, with the ellipsis.
    static let length = 200

    /// White space becomes single spaces. A text that goes on is cut behind a word, where one ends in the second half, and has an ellipsis.
    /// An excerpt is its own excerpt.
    static func of(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var (count, wordEnd) = (0, 0)
        var hasGap = false
        for scalar in text.unicodeScalars {
            guard !isBlank(scalar) else {
                hasGap = count > 0
                continue
            }
            if hasGap { wordEnd = count }
            guard count + (hasGap ? 2 : 1) <= length else { return cut(line, wordEnd) }
            if hasGap {
                line.append(" ")
                count += 1
                hasGap = false
            }
            line.append(scalar)
            count += 1
        }
        return String(line)
    }

    private static func cut(_ line: String.UnicodeScalarView, _ wordEnd: Int) -> String {
        if (length / 2..<length).contains(wordEnd) { return "\(String(line.prefix(wordEnd)))…" }
        var text = String(line.prefix(length - 1))
        // The last character may have lost a part.
        if !text.isEmpty { text.removeLast() }
        return "\(text)…"
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
    }
}
