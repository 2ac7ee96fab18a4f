/// Limits of a recording. The numbers here are the defaults.
package struct RecordingLimits: Sendable {
    /// Seconds.
    package var duration: Double

    package init(duration: Double = 4 * 3600) {
        self.duration = duration
    }

    /// 1 GiB: ffmpeg's libraries alone map about 300 MiB.
    static let addressSpace = 1 << 30
}
