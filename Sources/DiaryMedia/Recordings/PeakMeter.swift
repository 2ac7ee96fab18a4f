import DiaryCore

/// Makes a waveform of samples as they come, in 25 KiB whatever their number: the stretches that it measures grow with the recording.
struct PeakMeter: Sendable {
    /// At least eight for a point, so that a peak is at most an eighth of a point away from its place.
    static let most = 16 * Waveform.points

    private(set) var samples = 0
    private var peaks: [UInt16] = []
    /// Samples of a stretch.
    private var width = 1
    private var current: UInt16 = 0
    private var left = 1
    private var low: UInt8?

    /// Of one channel.
    private var frame: [Int32]
    private var filled = 0
    private var meter: ChannelMeter?

    /// - Parameter channels: of the samples; their mean is drawn.
    init(channels: Int = 1) {
        frame = Array(repeating: 0, count: max(1, channels))
        meter = channels > 1 ? ChannelMeter(channels: channels) : nil
    }

    /// Whether anything is louder than the waveform's least step.
    var isAudible: Bool { (peaks + [current]).contains { $0 >= 64 } }

    /// How the channels become one without a loss.
    var mix: ChannelMix {
        var meter = meter
        return meter?.mix() ?? .mean
    }

    /// - Parameter bytes: signed 16-bit samples, little-endian, channel by channel. One may be cut by the end of a piece.
    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            guard let first = low else {
                low = byte
                continue
            }
            low = nil
            let sample = Int16(bitPattern: UInt16(first) | UInt16(byte) << 8)
            guard meter != nil else {
                add(sample.magnitude)
                continue
            }
            frame[filled] = Int32(sample)
            filled += 1
            guard filled == frame.count else { continue }
            filled = 0
            meter?.add(frame)
            add(UInt16(clamping: abs(frame.reduce(0, +) / Int32(frame.count))))
        }
    }

    private mutating func add(_ peak: UInt16) {
        samples += 1
        if peak > current { current = peak }
        left -= 1
        if left == 0 { endStretch() }
    }

    private mutating func endStretch() {
        peaks.append(current)
        current = 0
        if peaks.count == Self.most {
            peaks = stride(from: 0, to: Self.most, by: 2).map { max(peaks[$0], peaks[$0 + 1]) }
            width *= 2
        }
        left = width
    }

    /// - Parameter count: of the samples, from the first; what comes after is padding.
    func waveform(of count: Int) -> Waveform {
        let total = max(1, min(count, samples))
        let measured = peaks + [current]
        return Waveform { point in
            let first = point * total / Waveform.points
            let end = max(first + 1, ((point + 1) * total + Waveform.points - 1) / Waveform.points)
            let stretches = min(first / width, measured.count - 1)...min((end - 1) / width, measured.count - 1)
            let peak = Int(measured[stretches].max() ?? 0)
            // 32,768, the magnitude of the lowest sample, is full scale.
            return UInt8(min(255, (peak * 255 + 16_384) / 32_768))
        }
    }
}
