package import FoundationEssentials

/// The URL of a recording, which needs no token, and its end.
package struct PlaybackLink: Sendable {
    package let url: String
    package let expiresAt: Date
    package let contentType: String
    package let sizeBytes: Int64

    /// Seconds: twice the recording, so that it can be paused and heard again, within the limits.
    /// - Parameter duration: nil when it is not known; the link then lives as for the longest recording.
    static func life(ofRecording duration: Double?, _ limits: Limits) -> Double {
        let twice = 2 * (duration ?? limits.maxAudioSeconds)
        return min(max(twice.rounded(.up), Double(limits.playbackURLSeconds)), Double(limits.playbackURLMaxSeconds))
    }
}
