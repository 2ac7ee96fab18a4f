/// The best place to cut speech: the middle of the longest pause.
enum QuietMoment {
    /// Samples a second.
    static let rate = 16_000
    /// A frame is 20 ms.
    static let frame = rate / 50
    /// A pause has 0.3 s: longer than the stops within words.
    private static let shortest = 15

    /// - Parameter samples: signed 16-bit, little-endian, at `rate`.
    /// - Returns: seconds from the first sample; nil without a pause.
    static func find(_ samples: [UInt8]) -> Double? { find(levels: levels(samples)) }

    /// Root mean square of each whole frame.
    static func levels(_ samples: [UInt8]) -> [Double] {
        var levels: [Double] = []
        levels.reserveCapacity(samples.count / (2 * frame))
        var (sum, count) = (0.0, 0)
        var low: UInt8?
        for byte in samples {
            guard let first = low else {
                low = byte
                continue
            }
            low = nil
            let value = Double(Int16(bitPattern: UInt16(first) | UInt16(byte) << 8))
            sum += value * value
            count += 1
            if count == frame {
                levels.append((sum / Double(frame)).squareRoot())
                (sum, count) = (0, 0)
            }
        }
        return levels
    }

    /// A pause is quiet beside the speech around it: at most 8 dB above the background, and 12 dB below the loudest words. Of several the longest
    /// one counts, of equally long ones the last.
    static func find(levels: [Double]) -> Double? {
        let sorted = levels.sorted()
        guard let background = sorted.dropFirst(sorted.count / 10).first, let loud = sorted.dropFirst(sorted.count * 95 / 100).first else {
            return nil
        }
        // 16 of 32,768 is -66 dB: silence, however quiet the rest is.
        let threshold = max(16, min(loud * 0.25, background * 2.5))
        var best: Range<Int>?
        var start: Int?
        for index in 0...levels.count {
            if index < levels.count, levels[index] <= threshold {
                start = start ?? index
            } else if let first = start {
                if index - first >= max(shortest, best?.count ?? 0) { best = first..<index }
                start = nil
            }
        }
        return best.map { Double($0.lowerBound + $0.upperBound) / 2 * Double(frame) / Double(rate) }
    }
}
