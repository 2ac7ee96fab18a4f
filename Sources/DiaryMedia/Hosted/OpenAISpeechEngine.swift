package import DiaryCore
import FoundationEssentials
import WireFormats

/// Speech recognition by an OpenAI-compatible server (`POST /audio/transcriptions`).
package struct OpenAISpeechEngine: SpeechEngine {
    package var languages: SpeechLanguages { .all }
    package var mostKnownSpeakers: Int { settings.model.map(TranscriptionForm.knownSpeakers) ?? 0 }
    let settings: EngineSettings
    let client: OpenAIClient
    let decoder: AudioDecoder

    /// In seconds. OpenAI refuses shorter recordings (`audio_too_short`); no word is as short.
    static let shortest = 0.1

    package init(_ settings: EngineSettings, client: OpenAIClient, sandbox: Sandbox, limits: RecordingLimits) {
        self.settings = settings
        self.client = client
        decoder = AudioDecoder(sandbox: sandbox, limits: limits)
    }

    package func sendsAsItIs(_ contentType: String) -> Bool { TranscriptionForm.takes(contentType) }

    /// The recording is sent as it is; of a kind that OpenAI's servers refuse, such as raw AAC, as a wav.
    ///
    /// Without a language the model finds one. When that is none of the account's, the recording is sent once more with the first of these,
    /// and the answer of which the model is surer counts.
    package func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        guard let model = settings.model, !model.isEmpty else {
            throw ProviderFailure(.configuration, code: .speechUnavailable, cause: "the engine has no model").fromEngine
        }
        guard let original = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the recording is not in the job's folder")
        }
        guard recording.durationSeconds >= Self.shortest else {
            var answer = HeardSpeech(segments: [], use: EngineUse()).answer(asked: request.language, request, seconds: 0)
            answer.isFromEngine = false
            return answer
        }
        if let file = TranscriptionForm.file(original.path, contentType: recording.contentType) {
            return try await transcribe(file, model, recording.durationSeconds, request)
        }
        let decoded = try await decoder.decode(original, contentType: recording.contentType, durationSeconds: recording.durationSeconds)
        // Plain speech is deleted as soon as it is not needed.
        defer { try? FileManager.default.removeItem(atPath: decoded.file.path) }
        guard let file = TranscriptionForm.file(decoded.file.path, contentType: "audio/wav") else {
            throw ProviderFailure(.permanent, code: .mediaUnsupported, cause: "no such media type")
        }
        return try await transcribe(file, model, recording.durationSeconds, request)
    }

    private func transcribe(
        _ file: FormPart, _ model: String, _ seconds: Double, _ request: SpeechRequest
    ) async throws(ProviderFailure) -> SpeechAnswer {
        let first = try await hear(file, model, seconds, language: request.language, request)
        guard let other = Self.secondLanguage(after: first, request) else {
            return first.answer(asked: request.language, request, seconds: seconds)
        }
        let second: HeardSpeech
        do throws(ProviderFailure) {
            try await request.steps?.admitNext()
            second = try await hear(file, model, seconds, language: other, request)
        } catch {
            // What was heard first is paid for, and no worse than before.
            if Task.isCancelled {
                var failure = error
                failure.use = first.use + failure.use
                throw failure
            }
            var answer = first.answer(asked: nil, request, seconds: seconds)
            answer.use = first.use + error.use
            return answer
        }
        let isBetter = Self.isBetter(second, than: first)
        var answer = isBetter ? second.answer(asked: other, request, seconds: seconds) : first.answer(asked: nil, request, seconds: seconds)
        answer.use = first.use + second.use
        return answer
    }

    /// A recording whose answer cannot be read, or is cut off, is sent once more, at its first try; one whose answer repeats the hints, without them.
    private func hear(
        _ file: FormPart, _ model: String, _ seconds: Double, language: String?, _ request: SpeechRequest
    ) async throws(ProviderFailure) -> HeardSpeech {
        let (vocabulary, speakers, steps) = (request.vocabulary, request.speakers, request.steps)
        let first: HeardSpeech
        do throws(ProviderFailure) {
            first = try await hear(file, model, seconds, language: language, vocabulary, speakers, steps)
        } catch  where error == Self.unreadable(seconds) && request.failedTries == 0 {
            do throws(ProviderFailure) {
                try await steps?.admitNext()
                var second = try await hear(file, model, seconds, language: language, vocabulary, speakers, steps)
                second.use = error.use + second.use
                return second
            } catch let other {
                var failure = other
                failure.use = error.use + failure.use
                throw failure
            }
        }
        if first.isCut, request.failedTries == 0 {
            do throws(ProviderFailure) {
                try await steps?.admitNext()
                var second = try await hear(file, model, seconds, language: language, vocabulary, speakers, steps)
                // Of two that are cut off the longer.
                if second.isCut, second.letters < first.letters { (second.segments, second.language) = (first.segments, first.language) }
                second.use = first.use + second.use
                return second
            } catch {
                var rest = first
                rest.use = first.use + error.use
                return rest
            }
        }
        guard first.repeats(vocabulary) else { return first }
        do throws(ProviderFailure) {
            try await steps?.admitNext()
            var second = try await hear(file, model, seconds, language: language, [], speakers, steps)
            second.use = first.use + second.use
            return second
        } catch {
            var rest = first.without(vocabulary)
            rest.use = first.use + error.use
            return rest
        }
    }

    private static func unreadable(_ seconds: Double) -> ProviderFailure {
        var failure = OpenAIFault.malformed(.speech)
        failure.use = EngineUse(audioSeconds: seconds)
        return failure
    }

    private func hear(
        _ file: FormPart, _ model: String, _ seconds: Double, language: String?, _ vocabulary: [String], _ speakers: [KnownSpeaker],
        _ steps: CallSteps?
    ) async throws(ProviderFailure) -> HeardSpeech {
        do throws(ProviderFailure) {
            let form = TranscriptionForm.parts(model: model, file: file, language: language, vocabulary: vocabulary, speakers: speakers)
            return try Self.heard(try await client.post("/audio/transcriptions", form: form), seconds)
        } catch {
            // Hints only: the recording is heard without them.
            if error.cause == OpenAIFault.hintsRefused.cause, !vocabulary.isEmpty {
                try await steps?.admitNext()
                return try await hear(file, model, seconds, language: language, [], speakers, steps)
            }
            // Servers may refuse a voice without saying that it is what they refuse: as an unknown parameter, too, which would stop the engine.
            guard error.treatment != .retry, error.code != .engineRefused, error.code != .speechUnreadable, !speakers.isEmpty else {
                throw error
            }
            try await steps?.admitNext()
            return try await hear(file, model, seconds, language: language, vocabulary, [], steps)
        }
    }

    private static func heard(_ bytes: [UInt8], _ seconds: Double) throws(ProviderFailure) -> HeardSpeech {
        let document = LenientJSON.document(bytes)
        let answer = document?.value
        let failure = answer?.object.flatMap { OpenAIFault.failure(in: $0, stage: .speech) }
        if let answer, var heard = TranscriptionReply.read(answer, seconds: seconds)?.withoutSilence(), heard.isSpeakable(in: seconds),
            !heard.segments.isEmpty || failure == nil
        {
            heard.isCut = document?.isWhole == false
            return heard
        }
        // The audio is paid for, whatever came back for it.
        guard var failure else { throw unreadable(seconds) }
        failure.use = EngineUse(audioSeconds: seconds)
        throw failure
    }

    /// The account's first language, when the one that was found is none of the account's.
    static func secondLanguage(after first: HeardSpeech, _ request: SpeechRequest) -> String? {
        guard request.language == nil, !first.segments.isEmpty, let found = first.language,
            !request.userLanguages.contains(where: { WhisperLanguages.isSame($0, found) })
        else { return nil }
        return request.userLanguages.first
    }

    /// Without a measure on both sides the first one stays: nothing says that the model erred.
    static func isBetter(_ second: HeardSpeech, than first: HeardSpeech) -> Bool {
        guard let new = second.meanLogprob, let old = first.meanLogprob else { return false }
        return new > old
    }
}
