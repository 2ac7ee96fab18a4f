/// The languages that a speech engine recognises.
package struct SpeechLanguages: Sendable, Equatable {
    /// Primary language tags, lower case: `en` stands for `en-GB` too. Empty: all.
    package let tags: [String]

    package init(_ tags: [String]) { self.tags = tags }

    /// The languages of an engine that finds the language out by itself.
    package static let all = SpeechLanguages([])

    package enum Choice: Sendable, Equatable {
        /// nil: the engine finds out.
        case recognize(String?)
        case unsupported
    }

    /// - Parameters:
    ///   - entry: what the client named for the recording; it decides alone.
    ///   - profile: the account's languages; empty means any.
    ///   - locale: of the account. Where neither of the others names a language, an engine that cannot find one out is taken to hear this one:
    ///     an English engine answers German speech with English words.
    package func choose(entry: String?, profile: [String], locale: String? = nil) -> Choice {
        var wanted = entry.map { [$0] } ?? profile
        if wanted.isEmpty, !tags.isEmpty, let locale = Self.known(locale) { wanted = [locale] }
        guard let first = wanted.first(where: has) else {
            return wanted.isEmpty ? .recognize(nil) : .unsupported
        }
        let others = wanted.contains { has($0) && Self.primary($0) != Self.primary(first) }
        return .recognize(others ? nil : first)
    }

    private func has(_ tag: String) -> Bool { tags.isEmpty || tags.contains(Self.primary(tag)) }

    /// nil for `und`, with which BCP 47 names none.
    package static func known(_ tag: String?) -> String? { tag.flatMap { primary($0) == "und" ? nil : $0 } }

    /// `en` of the BCP 47 tag `en-GB`.
    package static func primary(_ tag: String) -> String { tag.prefix { $0 != "-" && $0 != "_" }.lowercased() }
}
