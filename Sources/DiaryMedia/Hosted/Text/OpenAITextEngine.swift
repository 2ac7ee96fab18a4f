package import DiaryCore
import WireFormats

/// Cleaning by a language model behind an OpenAI-compatible server (`POST /chat/completions`), without tools.
///
/// A long text goes in pieces; one that fails fails the call. What describes it (title, summary …) is asked for with the text itself, or
/// after its pieces from their summaries. None of the answer is trusted: the fidelity guard decides in the worker.
package struct OpenAITextEngine: TextEngine {
    /// Pieces of one text: 600,000 characters, eleven hours of speech.
    static let mostPieces = 100

    let model: String
    var pieceLength = TextPieces.length
    /// A body to the server, and the object that it answers.
    let post: @Sendable ([UInt8]) async throws(ProviderFailure) -> JSONValue

    package func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
        guard !model.isEmpty else {
            throw ProviderFailure(.configuration, code: .cleanupUnavailable, cause: "the engine has no model").fromEngine
        }
        let parts = TextPieces(raw.text, length: pieceLength)
        guard parts.pieces.count <= Self.mostPieces else {
            throw ProviderFailure(.permanent, code: .textTooLong, cause: "the text has too many pieces")
        }
        var dialogue = Dialogue(model: model, steps: request.steps, post: post)
        do throws(ProviderFailure) {
            return request.onlyDescribes
                ? try await describe(raw.text, parts, request, &dialogue) : try await clean(parts, request, &dialogue)
        } catch {
            // What was written before is paid for.
            var failure = error
            failure.use = dialogue.use + failure.use
            throw failure
        }
    }

    private func clean(
        _ parts: TextPieces, _ request: TextRequest, _ dialogue: inout Dialogue
    ) async throws(ProviderFailure) -> TextAnswer {
        let extras = ChatMember.members(of: request.extras)
        let instructions = request.prompt ?? CleanupPrompt.standard
        guard parts.pieces.count > 1 else {
            let answer = try await dialogue.ask(instructions, parts.pieces.first?.text ?? "", [.clean] + extras)
            return dialogue.answer(try answer.clean(), answer, extras)
        }

        var cleaned: [String] = []
        var summaries: [String] = []
        let requests = parts.pieces.count + (extras.isEmpty ? 0 : 1)
        for piece in parts.pieces {
            let answer = try await dialogue.ask(instructions, piece.text, extras.isEmpty ? [.clean] : [.clean, .summary])
            cleaned.append(try answer.clean())
            summaries.append(summary(of: answer))
            request.steps?.report(Double(cleaned.count) / Double(requests))
        }
        let clean = parts.joined(cleaned)
        guard !extras.isEmpty else { return dialogue.answer(clean, nil, []) }
        let described: ChatAnswer?
        do throws(ProviderFailure) {
            described = try await dialogue.ask(CleanupPrompt.describe, summaries.joined(separator: "\n"), extras)
        } catch {
            if Task.isCancelled { throw error }
            // The cleaned text has been paid for; it does not wait for its title.
            dialogue.use = dialogue.use + error.use
            described = nil
        }
        return dialogue.answer(clean, described, extras)
    }

    /// Of a long text by the summaries of its pieces.
    private func describe(
        _ text: String, _ parts: TextPieces, _ request: TextRequest, _ dialogue: inout Dialogue
    ) async throws(ProviderFailure) -> TextAnswer {
        let extras = ChatMember.members(of: request.extras)
        var described = parts.pieces.first?.text ?? ""
        if parts.pieces.count > 1 {
            var summaries: [String] = []
            for piece in parts.pieces {
                let answer = try await dialogue.ask(CleanupPrompt.describe, piece.text, [.summary])
                summaries.append(summary(of: answer))
                request.steps?.report(Double(summaries.count) / Double(parts.pieces.count + 1))
            }
            described = summaries.joined(separator: "\n")
        }
        let answer = try await dialogue.ask(CleanupPrompt.describe, described, extras)
        return dialogue.answer(text, answer, extras)
    }

    private func summary(of answer: ChatAnswer) -> String { String((answer.text(.summary) ?? "").prefix(max(100, pieceLength / 6))) }
}

extension OpenAITextEngine {
    /// - Parameter settings: of an engine of kind `openai`.
    package init(_ settings: EngineSettings, client: OpenAIClient) {
        self.init(model: settings.model ?? "") { body async throws(ProviderFailure) in
            try client.value(try await client.post("/chat/completions", json: body))
        }
    }
}

/// The calls for one text.
private struct Dialogue {
    let model: String
    let post: @Sendable ([UInt8]) async throws(ProviderFailure) -> JSONValue
    let steps: CallSteps?
    /// What the answers until now have used.
    var use = EngineUse()
    private var format = ChatRequest.Format.schema
    private var answeredBy: String?
    private var isFirst = true

    init(model: String, steps: CallSteps?, post: @escaping @Sendable ([UInt8]) async throws(ProviderFailure) -> JSONValue) {
        self.model = model
        self.steps = steps
        self.post = post
    }

    mutating func ask(_ instructions: String, _ transcript: String, _ members: [ChatMember]) async throws(ProviderFailure) -> ChatAnswer {
        let request = ChatRequest(model: model, instructions: instructions, transcript: transcript, members: members)
        // The first was admitted with the call.
        if !isFirst { try await steps?.admitNext() }
        isFirst = false
        let answer: ChatAnswer
        do throws(ProviderFailure) {
            answer = try await once(request, acceptsCut: false)
        } catch  where error.cause == OpenAIFault.malformed(.text).cause {
            // Models err by chance; twice is none.
            use = use + error.use
            try await steps?.admitNext()
            answer = try await once(request, acceptsCut: true)
        }
        use = use + answer.use
        answeredBy = answer.model ?? answeredBy
        return answer
    }

    private mutating func once(_ request: ChatRequest, acceptsCut: Bool) async throws(ProviderFailure) -> ChatAnswer {
        let wanted: ChatMember? = request.members.contains(.clean) ? .clean : nil
        do throws(ProviderFailure) {
            return try ChatAnswer(try await post(request.body(format)), wanted: wanted, acceptsCut: acceptsCut)
        } catch {
            guard format == .schema, error.cause == OpenAIFault.formatRefused(.text).cause else { throw error }
            format = .json
            return try ChatAnswer(try await post(request.body(format)), wanted: wanted, acceptsCut: acceptsCut)
        }
    }

    func answer(_ clean: String, _ described: ChatAnswer?, _ extras: [ChatMember]) -> TextAnswer {
        func text(_ member: ChatMember) -> String? { extras.contains(member) ? described?.text(member) : nil }
        func texts(_ member: ChatMember) -> [String] { extras.contains(member) ? described?.texts(member) ?? [] : [] }
        return TextAnswer(
            clean: clean, title: text(.title), summary: text(.summary), keyPoints: texts(.keyPoints), tags: texts(.tags), mood: text(.mood),
            model: answeredBy, use: use)
    }
}
