/// A speaker whose voice an engine is given, to name that speaker in what it hears.
package struct KnownSpeaker: Sendable, Equatable {
    /// What the engine is to call the speaker: a short identifier in ASCII, unlike the labels that engines give by themselves.
    package var name: String
    /// A whole file in which this speaker alone is heard, for 2 to 10 seconds.
    package var sample: [UInt8]
    package var contentType: String

    package init(name: String, sample: [UInt8], contentType: String) {
        self.name = name
        self.sample = sample
        self.contentType = contentType
    }
}
