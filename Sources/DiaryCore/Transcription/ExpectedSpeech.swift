/// What an account's profile says of the speech in its recordings.
package struct ExpectedSpeech: Sendable, Equatable {
    /// BCP 47; empty means any.
    package var languages: [String]
    /// Sealed (`Vault.vocabulary`); nil: no words.
    package var vocabularySealed: [UInt8]?

    package init(languages: [String] = [], vocabularySealed: [UInt8]? = nil) {
        self.languages = languages
        self.vocabularySealed = vocabularySealed
    }
}
