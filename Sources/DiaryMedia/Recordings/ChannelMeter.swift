/// Compares the mean of a recording's channels, second by second, with the loudest of them.
struct ChannelMeter: Sendable {
    let channels: Int
    /// Of a second: the sums of squares of each channel, of the mean, and of the difference of two.
    private var energies: [Double]
    private var samples = 0
    /// Of the loudest channels' energy: all of it, and what each mix would lose.
    private var total = 0.0
    private var lost: [Double]

    /// A tenth of the power of a whisper (`Loudness`).
    private static let silence = 10.0 * 10.0
    /// Of the loudest channel's energy, which a mix must have: 7 dB less.
    private static let least = 0.2
    /// Of all energy, which a mix may lose.
    private static let most = 0.01

    init(channels: Int) {
        self.channels = channels
        energies = Array(repeating: 0, count: channels + 2)
        lost = energies
    }

    mutating func add(_ frame: [Int32]) {
        var sum = 0.0
        for index in 0..<channels {
            let value = Double(frame[index])
            energies[index] += value * value
            sum += value
        }
        let mean = sum / Double(channels)
        energies[channels] += mean * mean
        if channels == 2 {
            let difference = Double(frame[0] - frame[1]) / 2
            energies[3] += difference * difference
        }
        samples += 1
        if samples == FFmpegRenderer.rate { endSecond() }
    }

    private mutating func endSecond() {
        let loudest = energies[..<channels].max() ?? 0
        if samples > 0, loudest > Self.silence * Double(samples) {
            total += loudest
            for index in energies.indices where energies[index] < Self.least * loudest { lost[index] += loudest }
        }
        for index in energies.indices { energies[index] = 0 }
        samples = 0
    }

    /// The mean where nothing is lost by it, else what loses least.
    mutating func mix() -> ChannelMix {
        endSecond()
        var best = (mix: ChannelMix.mean, lost: lost[channels])
        guard best.lost > Self.most * total else { return .mean }
        let others: [(mix: ChannelMix, lost: Double)] =
            (channels == 2 ? [(.difference, lost[3])] : []) + (0..<channels).map { (.channel($0), lost[$0]) }
        for other in others where other.lost < best.lost { best = other }
        return best.mix
    }
}

/// How the channels of a recording become one, where their mean would lose what one of them has.
enum ChannelMix: Sendable, Equatable {
    case mean
    /// Of two, one of which is upside down.
    case difference
    case channel(Int)

    /// For ffmpeg's `pan`.
    /// - Parameter channels: of the recording.
    func pan(_ channels: Int) -> String {
        switch self {
        case .mean: "pan=mono|c0=" + (0..<channels).map { "\(1 / Double(channels))*c\($0)" }.joined(separator: "+")
        case .difference: "pan=mono|c0=0.5*c0-0.5*c1"
        case .channel(let number): "pan=mono|c0=c\(number)"
        }
    }
}
