import DiaryCore

/// Where sound is audible at all, by its measured loudness: whatever a voice detector says, nobody speaks in silence.
enum Loudness {
    /// -60 dB of full scale, as root mean square: a whisper at arm's length is recorded at some -45.
    private static let silence = 33.0
    /// Of the loudest moment, in a recording that is quieter still.
    private static let quiet = 0.03
    /// A shorter silence belongs to the voice around it. In frames.
    private static let pause = 50 / 2

    /// - Parameter samples: signed 16-bit, little-endian, 16 kHz. One span of voice: it ends and begins inside.
    /// - Returns: seconds from the first sample.
    static func audible(_ samples: [UInt8]) -> [VoiceSpan] {
        let levels = QuietMoment.levels(samples)
        let length = Double(samples.count) / Double(2 * QuietMoment.rate)
        let silence = min(silence, quiet * (levels.max() ?? 0))
        var spans: [VoiceSpan] = []
        var (first, last): (Int?, Int) = (nil, 0)
        func close() {
            guard let first else { return }
            let end = last + 1 == levels.count ? length : Double(last + 1) / 50
            spans.append(VoiceSpan(start: Double(first) / 50, end: end))
        }
        for (index, level) in levels.enumerated() where level > silence {
            if first != nil, index - last > pause {
                close()
                first = nil
            }
            first = first ?? index
            last = index
        }
        close()
        return spans
    }
}
