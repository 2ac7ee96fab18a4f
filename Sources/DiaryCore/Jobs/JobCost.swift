/// The work that a job will probably take, in seconds. Claims share a queue out by it; the seconds that a job took correct it afterwards.
package enum JobCost {
    /// A mail, or a job of which nothing is known.
    package static let small = 1.0

    /// Reading a recording and examining its headers: its bytes are hashed and unsealed at some 50 MB a second.
    package static func verify(bytes: Int64) -> Double { 0.5 + Double(max(0, bytes)) / 50_000_000 }

    /// The same once its length is known: decoding it all for the waveform, and encoding it as AAC where a copy is made.
    package static func verify(bytes: Int64, seconds: Double, isCopied: Bool) -> Double {
        guard seconds.isFinite else { return verify(bytes: bytes) }
        return verify(bytes: bytes) + max(0, seconds) / (isCopied ? 25 : 400)
    }

    /// Short and long jobs have slots of their own, so that neither waits for the other.
    package static func isLong(_ seconds: Double) -> Bool { seconds > 10 }

    /// Unpacking a zip and storing the recordings in it, at some 20 MB a second.
    package static func `import`(bytes: Int64) -> Double { 1 + Double(max(0, bytes)) / 20_000_000 }

    /// The local engine takes about a seventh of the recording's time on two processors (Whisper base).
    package static func transcribe(seconds: Double) -> Double {
        guard seconds.isFinite else { return 1 }
        return 1 + max(0, seconds) / 7
    }
}
