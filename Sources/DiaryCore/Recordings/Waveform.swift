/// How loud a recording is: the loudest sample of each of `points` equal stretches, 255 for full scale.
package struct Waveform: Sendable, Equatable {
    package static let points = 800

    package let peaks: [UInt8]

    /// nil when there are not `points` of them.
    package init?(peaks: [UInt8]) {
        guard peaks.count == Self.points else { return nil }
        self.peaks = peaks
    }

    /// - Parameter peak: of a point, by its place from 0.
    package init(_ peak: (Int) -> UInt8) { peaks = (0..<Self.points).map(peak) }
}

extension Waveform {
    /// Seconds beside a stretch: engines' times are not exact.
    private static let margin = 0.5
    /// A recording that is quieter as a whole is all but silent, so that nothing follows from one point.
    private static let quiet: UInt8 = 4

    /// Whether nothing is louder than -54 dB of full scale in a stretch, in seconds. Nobody speaks there.
    /// - Parameter total: seconds of the recording.
    package func isSilent(from start: Double, to end: Double, of total: Double) -> Bool {
        guard total > 0, start.isFinite, end.isFinite else { return false }
        let loudest = peaks.max() ?? 0
        if loudest == 0 { return true }
        guard loudest >= Self.quiet else { return false }
        func point(_ seconds: Double) -> Int {
            min(max(0, Int(exactly: (seconds / total * Double(Self.points)).rounded(.down)) ?? 0), Self.points - 1)
        }
        let first = point(max(0, start - Self.margin))
        return peaks[first...max(first, point(min(total, end + Self.margin)))].allSatisfy { $0 == 0 }
    }
}

/// A byte 1, then one byte a point.
extension Waveform: SealablePart {
    package var plainBytes: [UInt8] { [1] + peaks }

    package init?(plain: Span<UInt8>) {
        guard plain.count == Self.points + 1, plain[0] == 1 else { return nil }
        self.init { plain[$0 + 1] }
    }
}

extension Vault.Part {
    /// Row = the id of the recording's object: another recording of the same entry has another.
    package static let waveform = Vault.Part(name: "waveform", table: "entry_renditions")
}
