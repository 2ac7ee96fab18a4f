package import DiaryCore
import WireFormats

/// The engine that the service brings along: Whisper, by the speech server on this machine (`speech/`).
///
/// It is always sent WAV of 16 kHz from the sandboxed decoder, and the languages that the recording may be in, of which it takes the most
/// probable: one request. It says where it found voice.
package struct LocalSpeechEngine: SpeechEngine {
    /// Seconds of a part: others have their turn between two.
    package static let partSeconds = 60
    /// The server takes no longer ones.
    private static let mostSeconds = 1_800
    /// With 25 and more, base wrote terms that nobody said behind one in three short notes; with 16 in none of 25.
    private static let mostHotwords = 16

    package var languages: SpeechLanguages { .all }
    package var partFormat: SpeechPartFormat { .wav }
    let client: OpenAIClient

    package init(_ client: OpenAIClient) { self.client = client }

    /// The settings of the installation's own, and of an app's without a limit.
    package static func settings(_ settings: EngineSettings? = nil) -> EngineSettings {
        var own = settings ?? EngineSettings(name: EngineKind.local.rawValue, stage: .speech, kind: .local)
        own.maxSeconds = min(own.maxSeconds ?? partSeconds, mostSeconds)
        return own
    }

    package func sendsAsItIs(_ contentType: String) -> Bool { false }

    package func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        guard let file = TranscriptionForm.file(recording.path, contentType: "audio/wav") else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording cannot be sent")
        }
        // Also where one language is the account's: its phone may speak another.
        let offered = request.offered.isEmpty ? request.language.map { [$0] } ?? [] : request.offered
        var form: [FormPart] = offered.map { .field("languages[]", WhisperLanguages.code($0)) }
        if let hotwords = TranscriptionForm.prompt(Self.hotwords(request.vocabulary)) { form.append(.field("hotwords", hotwords)) }
        form += [.field("response_format", TranscriptionFormat.verboseJSON.rawValue), file]
        let bytes: [UInt8]
        do throws(ProviderFailure) { bytes = try await client.post("/audio/transcriptions", form: form) } catch {
            throw Self.failure(error)
        }
        let answer = try client.value(bytes)
        guard let heard = TranscriptionReply.read(answer, seconds: recording.durationSeconds),
            heard.isSpeakable(in: recording.durationSeconds)
        else { throw OpenAIFault.malformed(.speech) }
        var speech = heard.withoutSilence()
        (speech.model, speech.voice) = (answer.object?["model"]?.string, answer.object.flatMap(TranscriptionReply.voice) ?? [])
        // The region that the user named.
        let asked = speech.language.flatMap { found in offered.first { WhisperLanguages.isSame($0, found) } }
        return speech.answer(asked: asked, request, seconds: recording.durationSeconds)
    }

    /// Without what Whisper would read as its own signs.
    private static func hotwords(_ vocabulary: [String]) -> [String] {
        Array(vocabulary.lazy.filter { !$0.contains("<|") }.prefix(mostHotwords))
    }

    /// A server that is not there, or ended in the middle, fails every recording alike, and one that is busy says when to come again: neither
    /// counts a try.
    static func failure(_ error: ProviderFailure) -> ProviderFailure {
        if error.cause == OpenAIFault.failure(.notConnected, stage: .speech).cause {
            return .outage(code: .speechUnavailable, cause: "the speech server does not answer")
        }
        if error.treatment == .retry, let after = error.retryAfter {
            return .waiting(code: .speechUnavailable, after: after, cause: "the speech server is busy")
        }
        return error
    }
}
