package import FoundationEssentials

/// The URL of a recording, which needs no token, and its end.
package struct PlaybackLink: Sendable {
    package let url: String
    package let expiresAt: Date
    package let filename: String
    package let contentType: String
    package let sizeBytes: Int64

    /// Seconds: twice the recording, so that it can be paused and heard again, within the limits.
    /// - Parameter duration: nil when it is not known; the link then lives as for the longest recording.
    static func life(ofRecording duration: Double?, _ limits: Limits) -> Double {
        let twice = 2 * (duration ?? limits.maxAudioSeconds)
        return min(max(twice.rounded(.up), Double(limits.playbackURLSeconds)), Double(limits.playbackURLMaxSeconds))
    }
}

/// The signature of a playback link, `{generation}.{HMAC}`: the account's link generation is signed and readable, so that the signature is
/// checked before the database is asked whether the generation is still the account's.
struct PlaybackSignature: Sendable {
    let generation: Int64
    let text: String

    init(_ generation: Int64, of key: ObjectKey, _ filename: String, expiresAt end: Date, _ links: any LinkSigning) {
        self.generation = generation
        text = "\(generation).\(links.sign(purpose: "audio", fields: Self.fields(generation, key, filename), expiresAt: end))"
    }

    /// Nil when it does not sign this recording, name and end.
    init?(_ text: String, of key: ObjectKey, _ filename: String, expiresAt end: Date, _ links: any LinkSigning) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let generation = Int64(parts[0]), String(generation) == parts[0],
            links.isValid(
                String(parts[1]), purpose: "audio", fields: Self.fields(generation, key, filename), expiresAt: end)
        else { return nil }
        self.generation = generation
        self.text = text
    }

    private static func fields(_ generation: Int64, _ key: ObjectKey, _ filename: String) -> [String] {
        [key.description, filename, String(generation)]
    }
}
