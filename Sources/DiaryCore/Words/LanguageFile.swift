/// The words of a language as its file has them, `WrittenLanguage+English.swift` for one. They stand in the program, so that nothing is to be
/// installed or can be missing. Resources that SwiftPM embeds are arrays of bytes, which take 20 s to compile for as much (its issue 6923).
///
///     [export link]
///     title: Your # export
///     entries: 1 entry | # entries
///
///     [mail session_reused]
///     Subject: You were signed out of {app} on one device
///
///     A token of yours …
///
/// A section of a page has a text in each line; ` | ` stands between the forms of a plural and in lists. The words of a kind of mail are in the
/// form of `MailTemplate`. `WordsTests` holds that every language has the same.
struct LanguageFile {
    /// By the kind's raw value.
    private(set) var mails: [String: String] = [:]
    /// By section and key.
    private(set) var sections: [String: [String: String]] = [:]

    init(_ text: String) {
        for section in "\n\(text)".split(separator: "\n[") {
            let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
            let name = lines.first?.dropLast() ?? ""
            var words = lines.dropFirst()
            while words.last?.isEmpty == true { words.removeLast() }
            if name.hasPrefix("mail ") {
                mails[String(name.dropFirst("mail ".count))] = words.joined(separator: "\n")
                continue
            }
            var texts: [String: String] = [:]
            for line in words {
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                texts[String(line[..<colon])] = String(line[colon...].dropFirst(": ".count))
            }
            sections[String(name)] = texts
        }
    }

    private static let all = Dictionary(uniqueKeysWithValues: WrittenLanguage.allCases.map { ($0, LanguageFile($0.file)) })

    static func of(_ language: WrittenLanguage) -> LanguageFile { all[language] ?? LanguageFile("") }
}

/// The keys of a section.
package protocol WrittenKey: RawRepresentable, CaseIterable, Sendable where RawValue == String {
    static var section: String { get }
}

/// The texts of a section in one language. `#` stands for what a text is about, or for a number; `##` for a second one.
package struct Words<Key: WrittenKey>: Sendable {
    package let language: WrittenLanguage
    private let texts: [String: String]

    package init(_ language: WrittenLanguage) {
        self.language = language
        texts = LanguageFile.of(language).sections[Key.section] ?? [:]
    }

    package subscript(key: Key) -> String { texts[key.rawValue] ?? "" }

    package func list(_ key: Key) -> [String] { self[key].split(separator: " | ").map(String.init) }

    /// A text for one of something and for another number of it, by ``WrittenLanguage/isOne(_:)``.
    package func counted(_ key: Key, _ value: Int) -> String {
        let forms = list(key)
        return ((language.isOne(value) ? forms.first : forms.last) ?? "").replacing("#", with: language.number(value))
    }

    /// A text with two numbers.
    package func numbered(_ key: Key, _ first: Int, _ second: Int) -> String {
        self[key].replacing("##", with: language.number(second)).replacing("#", with: language.number(first))
    }
}
