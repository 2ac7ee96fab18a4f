package import DiaryCore
import FoundationEssentials
import WireFormats

/// Finds where somebody speaks in a recording.
package protocol VoiceDetector: Sendable {
    /// False where asking would be in vain: the recording is then not even decoded for it.
    var isAvailable: Bool { get }
    /// - Parameter recording: WAV, 16 kHz mono, of some minutes.
    /// - Returns: seconds from its start; nil when it cannot be found out now.
    func voice(_ recording: VerifiedRecording) async -> [VoiceSpan]?
}

/// The voice detector of the speech server on this machine, which also serves recordings that other engines hear.
package struct LocalVoiceDetector: VoiceDetector {
    let client: OpenAIClient
    let socket: String

    package init(socket: String, client: OpenAIClient) {
        self.socket = socket
        self.client = client
    }

    package var isAvailable: Bool { FileManager.default.fileExists(atPath: socket) }

    package func voice(_ recording: VerifiedRecording) async -> [VoiceSpan]? {
        guard let file = TranscriptionForm.file(recording.path, contentType: "audio/wav"),
            let bytes = try? await client.post("/audio/voice", form: [file]), let answer = try? client.value(bytes).object
        else { return nil }
        return TranscriptionReply.voice(answer)
    }
}
