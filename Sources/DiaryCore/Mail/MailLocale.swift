/// The language of a mail: `de`, `de-AT`.
package struct MailLocale: Sendable, Hashable {
    /// Two or three letters, lower case.
    package let language: String
    /// Two letters, upper case.
    package let country: String?

    /// From a language tag (RFC 5646) such as an account's; scripts and variants are left out. nil for another text.
    package init?(_ tag: String) {
        let parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard tag.utf8.count <= 35, let language = parts.first, (2...3).contains(language.utf8.count), Self.isLetters(language) else {
            return nil
        }
        self.language = language.lowercased()
        country = parts.dropFirst().prefix(2).first { $0.utf8.count == 2 && Self.isLetters($0) }.map { $0.uppercased() }
    }

    package var tag: String { country.map { "\(language)-\($0)" } ?? language }

    /// Where words are looked for: `de-AT`, `de`, then those of the app's own language, then `en`. Each once.
    package static func chain(_ account: String?, app: String?) -> [String] {
        var tags: [String] = []
        for locale in [account, app, "en"].compactMap({ $0.flatMap { MailLocale($0) } }) {
            for tag in [locale.tag, locale.language] where !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private static func isLetters(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) } }
}
