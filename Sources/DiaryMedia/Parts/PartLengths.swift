import DiaryCore

/// How long the parts of a recording may be, and where each is best cut. Seconds.
struct PartLengths: Sendable, Equatable {
    /// The longest that a part may be.
    let longest: Double

    /// Bytes of a second as `FFmpegCommand.encoding` writes it. Measured: 3,078.
    static let bytesPerSecond = 3_100.0
    /// Upper bound of Ogg's first pages.
    static let headerBytes = 4_096.0

    /// nil: the engine takes recordings of any length.
    init?(_ settings: EngineSettings) {
        guard settings.maxBytes != nil || settings.maxSeconds != nil else { return nil }
        let bySize = settings.maxBytes.map { (Double($0) - Self.headerBytes) / Self.bytesPerSecond } ?? .infinity
        let byTime = settings.maxSeconds.map(Double.init) ?? .infinity
        // A limit below this is an operator's mistake.
        longest = max(5, min(bySize, byTime))
    }

    /// Where a part that begins at `start` may be cut: the stretch to look for a pause in. nil: it reaches to the recording's end.
    ///
    /// Parts become about equally long, because engines invent words in a last part of a second or two.
    func window(from start: Double, of total: Double) -> ClosedRange<Double>? {
        let rest = total - start
        guard rest > longest else { return nil }
        let even = rest / (rest / longest).rounded(.up)
        let earliest = start + even - min(45, longest * 0.35)
        return earliest...max(earliest, start + min(longest, even + min(15, longest * 0.1)))
    }

    /// What two parts have in common where no pause is found: enough for a few whole words.
    var overlap: Double { min(2, longest / 10) }
}
