import DiaryCore

/// How a playable copy is encoded: AAC LC, as many channels as a phone plays, enough bits that speech and music sound like the original.
struct CopyFormat: Sendable, Equatable {
    let channels: Int
    let sampleRate: Int

    /// - Parameter channels: of the copy; nil for those of the recording.
    init(_ facts: MediaFacts, channels: Int? = nil) {
        self.channels = channels ?? min(max(facts.channels, 1), 2)
        // The nearest above that AAC has, up to what every player plays.
        sampleRate = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100].first { $0 >= facts.sampleRate } ?? 48_000
    }

    /// Bits a second. A frame of 1,024 samples holds 6,144 bits a channel at most.
    var bitRate: Int { channels * min(64_000, 3 * sampleRate) }

    /// Bytes that a copy stays below: rate control overshoots a little, and the tables of MP4 have some bytes for each frame.
    func bytes(seconds: Double) -> Int {
        let frames = seconds * Double(sampleRate) / 1024
        return (Int(exactly: (seconds * Double(bitRate) / 8 * 1.25 + frames * 16).rounded(.up)) ?? 0) + 1 << 20
    }
}
