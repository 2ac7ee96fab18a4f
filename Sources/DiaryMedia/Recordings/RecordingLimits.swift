/// Limits of a recording. The numbers here are the defaults.
package struct RecordingLimits: Sendable {
    /// Seconds.
    package var duration: Double = 4 * 3600

    package init(duration: Double = 4 * 3600) { self.duration = duration }

    /// 1 GiB: ffmpeg's libraries alone map about 300 MiB.
    static let addressSpace = 1 << 30
    /// Where silence for holes in a recording may be held in memory: 768 MiB, so that less than 512 MiB are resident. Measured: 450 MiB for
    /// a hole of three hours, which is then cut; 150 MiB for one of five minutes.
    static let renderingAddressSpace = 768 << 20
}
