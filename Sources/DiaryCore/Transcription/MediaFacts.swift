/// ffprobe's description of a recording, with the demuxer fixed and limits applied.
package struct MediaFacts: Sendable, Equatable {
    package var durationSeconds: Double
    /// The codec's name as the probe gives it, e.g. `aac`.
    package var codec: String
    package var channels: Int
    package var sampleRate: Int
}
