/// What two words are compared by: letters and digits in lower case, or the text itself where it has none.
package enum WordKey {
    package static func of(_ text: String) -> String {
        let kept = text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return kept.isEmpty ? text : String(String.UnicodeScalarView(kept))
    }
}
