@_spi(_Unicode) import Swift

/// What entries are found by: a tag or a mood as filters compare them, without regard to case, to the composition of letters (Unicode NFC), and to
/// white space at both ends, so that `Straße` is `STRASSE`, and the dotless i is i; or a pair of metadata, as it is.
package struct EntryLabel: Sendable, Hashable {
    package enum Kind: String, Sendable { case tag, mood, metadata }

    package let kind: Kind
    /// The normalised text; of metadata, `EntryMetadata.Pair.text`.
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = kind == .metadata ? text : Self.normalised(text)
    }

    package static func metadata(_ key: String, _ value: String) -> EntryLabel {
        EntryLabel(.metadata, EntryMetadata.Pair(key: key, value: value).text)
    }

    static func normalised(_ text: String) -> String {
        let trimmed = Self.trimmed(text)
        if trimmed.utf8.allSatisfy({ $0 < 0x80 }) { return trimmed.lowercased() }
        // Upper case expands ß, and gives both small sigmas the same letter. Before it lower case, because ẞ is its own upper case.
        return composed(composed(String(trimmed)).lowercased().uppercased().lowercased())
    }

    fileprivate static func trimmed(_ text: String) -> Substring {
        var trimmed = text[...]
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return trimmed
    }

    private static func composed(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text._nfc)
        return String(scalars)
    }
}

extension PersonalPart {
    /// Tags as they are kept: without white space at both ends, and each once, in its first spelling. Those of white space alone are left out.
    package static func tidied(_ tags: [String]) -> [String] {
        var seen = Set<EntryLabel>()
        return tags.map { String(EntryLabel.trimmed($0)) }.filter { !$0.isEmpty && seen.insert(EntryLabel(.tag, $0)).inserted }
    }

    package var labels: Set<EntryLabel> {
        guard !tags.isEmpty || mood != nil || !metadata.isEmpty else { return [] }
        return Set(
            tags.map { EntryLabel(.tag, $0) } + (mood.map { [EntryLabel(.mood, $0)] } ?? [])
                + metadata.pairs.map { EntryLabel(.metadata, $0.text) })
    }
}
