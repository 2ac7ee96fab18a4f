/// Limits of a recording. The numbers here are the defaults.
package struct RecordingLimits: Sendable {
    /// Seconds.
    package var duration: Double
    /// Seconds that a probe may take.
    package var probeSeconds: Double

    package init(duration: Double = 4 * 3600, probeSeconds: Double = 25) {
        self.duration = duration
        self.probeSeconds = probeSeconds
    }

    /// Bytes of the decoded WAV: 16,000 samples of two bytes a second, and a header.
    var decodedBytes: Int { Int(min(max(duration, 1), 86_400)) * 32_000 + 4_096 }
    /// 1 GiB: ffmpeg's libraries alone map about 300 MiB.
    static let addressSpace = 1 << 30
}
