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
