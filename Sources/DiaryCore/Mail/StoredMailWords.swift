package import FoundationEssentials

/// An app's own words, as an operator sees them.
package struct StoredMailWords: Sendable, Equatable {
    package var kind: String
    package var words: MailWords
    package var setAt: Date

    package init(kind: String, words: MailWords, setAt: Date) {
        self.kind = kind
        self.words = words
        self.setAt = setAt
    }
}
