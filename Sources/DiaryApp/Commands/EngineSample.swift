import DiaryCore
import FoundationEssentials

/// The recording and the text that `diary engines test` sends to engines. They are the service's own, so that the answers may be printed.
enum EngineSample {
    static let words = "Today I walked to the river."
    static let seconds = 1.97

    /// Speech as an engine hears it, with a filler and a repetition for a text engine to remove.
    static let transcript = RawTranscript(
        language: "en",
        segments: [
            SpeechSegment(
                start: 0, end: seconds,
                words: ["um", "today", "i", "i", "walked", "to", "the", "river"].enumerated().map { index, word in
                    TimedWord(text: word, start: Double(index) * 0.24, end: Double(index) * 0.24 + 0.2, confidence: 1)
                })
        ])

    /// Writes the recording into a folder of its own (0700), which is removed when `use` returns.
    static func withRecording<Value>(_ use: (VerifiedRecording) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(component: "diary-sample-\(UUIDv7.make().lowercaseText)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard let recording, FileManager.default.createFile(atPath: folder + "/sample.m4a", contents: recording) else {
            throw CommandFailure("the sample cannot be written to \(folder)")
        }
        return try await use(
            VerifiedRecording(path: folder + "/sample.m4a", folder: folder, contentType: "audio/mp4", durationSeconds: seconds))
    }
}
