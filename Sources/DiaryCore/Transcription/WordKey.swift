/// The form in which words are compared: letters and digits in lower case, or the whole text when it has none of either.
package enum WordKey {
    package static func of(_ text: String) -> String {
        let kept = text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return kept.isEmpty ? text : String(String.UnicodeScalarView(kept))
    }
}
