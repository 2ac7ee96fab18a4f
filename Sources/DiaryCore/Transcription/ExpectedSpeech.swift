/// What an account's profile says of the speech in its recordings.
package struct ExpectedSpeech: Sendable, Equatable {
    /// BCP 47; empty means any.
    package var languages: [String] = []
    /// BCP 47; nil: the account has none.
    package var locale: String? = nil
    /// Sealed (`Vault.vocabulary`); nil: no words.
    package var vocabularySealed: [UInt8]? = nil
}
