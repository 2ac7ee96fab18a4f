/// What an account's profile, and a recording's loudness, say of the speech in it.
package struct ExpectedSpeech: Sendable, Equatable {
    /// BCP 47; empty means any.
    package var languages: [String] = []
    /// BCP 47; nil: the account has none.
    package var locale: String? = nil
    /// Sealed (`Vault.vocabulary`); nil: no words.
    package var vocabularySealed: [UInt8]? = nil
    /// Of the recording, sealed (`Vault.Part.waveform`); nil: not drawn.
    package var waveformSealed: [UInt8]? = nil
    /// Engines hear the recording's copy.
    package var hearsCopy: Bool = false

    package init(
        languages: [String] = [], locale: String? = nil, vocabularySealed: [UInt8]? = nil, waveformSealed: [UInt8]? = nil,
        hearsCopy: Bool = false
    ) {
        self.languages = languages
        self.locale = locale
        self.vocabularySealed = vocabularySealed
        self.waveformSealed = waveformSealed
        self.hearsCopy = hearsCopy
    }
}
