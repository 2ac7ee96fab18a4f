/// ffprobe's description of a recording, with the demuxer fixed and limits applied.
package struct MediaFacts: Sendable, Equatable {
    package var durationSeconds: Double
    /// By the probe's name, e.g. `aac`.
    package var codec: String
    package var channels: Int
    package var sampleRate: Int

    package init(durationSeconds: Double, codec: String, channels: Int, sampleRate: Int) {
        self.durationSeconds = durationSeconds
        self.codec = codec
        self.channels = channels
        self.sampleRate = sampleRate
    }
}

/// Examines an uploaded recording before anything else reads it.
package protocol MediaProbe: Sendable {
    /// - Parameters:
    ///   - path: a file inside `folder`, which is the job's own (0700) and the only one the child process may see.
    ///   - contentType: the declared media type; it fixes the demuxer.
    func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts
}
