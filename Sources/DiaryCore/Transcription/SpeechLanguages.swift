/// The languages that a speech engine recognises.
package struct SpeechLanguages: Sendable, Equatable {
    /// Primary language tags, lower case: `en` stands for `en-GB` too.
    package let tags: [String]

    package init(_ tags: [String]) { self.tags = tags }

    package enum Choice: Sendable, Equatable {
        /// nil: the engine finds out.
        case recognize(String?)
        case unsupported
    }

    /// - Parameters:
    ///   - entry: what the client named for the recording; it decides alone.
    ///   - profile: the account's languages; empty means any.
    package func choose(entry: String?, profile: [String]) -> Choice {
        let wanted = entry.map { [$0] } ?? profile
        guard let first = wanted.first(where: { tags.contains(Self.primary($0)) }) else {
            return wanted.isEmpty ? .recognize(nil) : .unsupported
        }
        let others = wanted.contains { tags.contains(Self.primary($0)) && Self.primary($0) != Self.primary(first) }
        return .recognize(others ? nil : first)
    }

    /// `en` of the BCP 47 tag `en-GB`.
    package static func primary(_ tag: String) -> String { tag.prefix { $0 != "-" && $0 != "_" }.lowercased() }
}
