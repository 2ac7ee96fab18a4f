/// The results of a recording's verification besides its facts: the playable copy and the waveform.
package struct NewRendition: Sendable {
    /// nil for a recording that is played as it is.
    package var copy: PlayableCopy?
    /// Engines hear the copy.
    package var isCopyHeard: Bool = false
    /// Sealed (`Vault.Part.waveform`); its version is 1.
    package var waveform: SealedResult

    package init(copy: PlayableCopy?, isCopyHeard: Bool = false, waveform: SealedResult) {
        self.copy = copy
        self.isCopyHeard = isCopyHeard
        self.waveform = waveform
    }
}
