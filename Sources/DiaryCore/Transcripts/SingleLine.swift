/// Text in one line, where line breaks would be a part of the form.
package enum SingleLine {
    /// White space and control characters between words become one space, at the ends nothing.
    package static func text(_ text: String) -> String {
        words(of: text).map { String(Substring($0)) }.joined(separator: " ")
    }

    /// Without white space and control characters at the ends.
    package static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, separates(first) { scalars = scalars.dropFirst() }
        while let last = scalars.last, separates(last) { scalars = scalars.dropLast() }
        return String(Substring(scalars))
    }

    static func words(of text: String) -> [Substring.UnicodeScalarView] { text.unicodeScalars.split(whereSeparator: separates) }

    /// Also line and paragraph separators (U+2028, U+2029), which are white space.
    static func separates(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
}
