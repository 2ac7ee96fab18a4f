/// Time of a child process. Content that costs too much meets the limit on processor time first and is refused for good. Only a child
/// that got a small share of a core meets the wall, so the machine was busy and the work is tried again.
struct TimeBudget: Sendable, Equatable {
    /// Whole seconds, as RLIMIT_CPU counts.
    var cpuSeconds: Int
    var wallSeconds: Double

    /// - Parameter share: of a core; a child that gets less meets the wall. Small, because a child that runs long gives way to others
    ///   (`ChildPriority`): beside one that does not, it gets a tenth.
    private init(_ seconds: Double, share: Double) {
        cpuSeconds = Int(exactly: min(max(seconds, 1), 1_000_000).rounded(.up)) ?? 1
        wallSeconds = Double(cpuSeconds) / share + 2
    }

    /// Reading the headers. Measured: 0.1 s for a recording of hours, 0.05 s more for a million samples in its tables.
    static func headers(bytes: Int) -> TimeBudget { TimeBudget(2 + Double(bytes) / Double(100 << 20), share: 1 / 8) }

    /// Reading every packet without decoding it. Measured: 20 MiB/s for packets of 40 bytes, which Opus at 16 kbit/s has.
    static func packets(bytes: Int) -> TimeBudget { TimeBudget(2 + Double(bytes) / Double(8 << 20), share: 1 / 8) }

    /// Measured: AAC at 2,000 × real time, Opus at 800 ×; on one slow core AAC at more than 100 ×.
    static func decoding(seconds: Double) -> TimeBudget { TimeBudget(5 + seconds / 25, share: 1 / 8) }

    /// Encoding a decoded recording as Opus. Measured: at 340 × real time on a busy core.
    static func encoding(seconds: Double) -> TimeBudget { TimeBudget(5 + seconds / 20, share: 1 / 8) }

    /// Decoding, and encoding as AAC. Measured: stereo at 29 × real time on a busy core.
    static func copying(seconds: Double) -> TimeBudget { TimeBudget(5 + seconds / 25 + seconds / 10, share: 1 / 8) }
}

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
