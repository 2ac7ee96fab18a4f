/// Examines an uploaded recording before anything else reads it.
package protocol MediaProbe: Sendable {
    /// - Parameters:
    ///   - path: a file inside `folder`, which is the job's own (0700) and the only one the child process may see.
    ///   - contentType: the declared media type; it fixes the demuxer.
    ///   - isMeasured: reads the times of all packets, as headers may be wrong.
    func inspect(
        _ path: String, contentType: String, folder: String, isMeasured: Bool
    ) async throws(ProviderFailure) -> MediaFacts
}

extension MediaProbe {
    package func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts {
        try await inspect(path, contentType: contentType, folder: folder, isMeasured: false)
    }
}

/// ffprobe's description of a recording, with the demuxer fixed and limits applied.
package struct MediaFacts: Sendable, Equatable {
    package var durationSeconds: Double
    /// The codec's name as the probe gives it, e.g. `aac`.
    package var codec: String
    package var channels: Int
    package var sampleRate: Int
    /// Found in the file's first bytes, where the declared type names another container.
    package var contentType: String? = nil
    /// Among the sound tracks, from 0.
    package var track: Int = 0
    /// What else may be the recording's, where that one is empty or silent.
    package var otherTracks: [Int] = []
    /// Bytes of each recording that was joined in the file; empty for one.
    package var sections: [Range<Int>] = []
    /// A header's length is too short: the sound goes on to the file's end.
    package var ignoresLength: Bool = false
    /// The length is that of all packets, not what a header states.
    package var isMeasured: Bool = false

    package init(
        durationSeconds: Double, codec: String, channels: Int, sampleRate: Int, contentType: String? = nil, track: Int = 0,
        otherTracks: [Int] = [], sections: [Range<Int>] = [], ignoresLength: Bool = false, isMeasured: Bool = false
    ) {
        self.durationSeconds = durationSeconds
        self.codec = codec
        self.channels = channels
        self.sampleRate = sampleRate
        self.contentType = contentType
        self.track = track
        self.otherTracks = otherTracks
        self.sections = sections
        self.ignoresLength = ignoresLength
        self.isMeasured = isMeasured
    }

    /// Seconds between the length of packets and of what was decoded from them: some frames, and what encoders put before the sound.
    package static let tolerance = 0.25
    /// The cause of a failure to render that measured facts mend.
    package static let tooShort = "far longer than its stated length"
}
