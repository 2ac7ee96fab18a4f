/// A suggestion that the owner has accepted or declined. It is not shown again, also when another run suggests it again.
package struct AnsweredSuggestion: Sendable, Hashable {
    package enum Kind: String, Sendable { case title, tag, mood }

    /// Kept of an entry; a run suggests about a dozen.
    package static let most = 60

    /// As stored: the kind, a colon, and the text as labels are compared.
    package let text: String

    package init(text: String) { self.text = text }

    package init(_ kind: Kind, _ text: String) { self.text = "\(kind.rawValue):\(EntryLabel.normalised(text))" }
}
