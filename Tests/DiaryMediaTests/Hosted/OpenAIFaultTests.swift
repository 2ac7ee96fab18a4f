import DiaryCore
import Testing
import WireFormats

@testable import DiaryMedia

@Suite("Answers that are no results are classified")
struct OpenAIFaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var status: Int
        var code: String?
        var speech: (ProviderFailure.Treatment, ProcessingCode)
        var text: (ProviderFailure.Treatment, ProcessingCode)

        init(
            _ status: Int, _ treatment: ProviderFailure.Treatment, _ speech: ProcessingCode = .speechUnavailable,
            _ text: ProcessingCode = .cleanupUnavailable, code: String? = nil
        ) {
            self.status = status
            self.code = code
            self.speech = (treatment, speech)
            self.text = (treatment, text)
        }

        var testDescription: String { "\(status) \(code ?? "")" }
    }

    static let rows: [Row] = [
        Row(301, .configuration), Row(302, .configuration), Row(307, .configuration), Row(308, .configuration),
        Row(400, .permanent, .mediaUnsupported), Row(415, .permanent, .mediaUnsupported), Row(422, .permanent, .mediaUnsupported),
        Row(400, .permanent, .mediaUnsupported, code: "invalid_request_error"),
        Row(400, .configuration, code: "model_not_found"), Row(400, .configuration, code: "unsupported_value"),
        Row(400, .configuration, code: "unsupported_parameter"),
        Row(400, .configuration, .engineRefused, .engineRefused, code: "invalid_api_key"),
        Row(400, .permanent, .mediaLimits, .textTooLong, code: "context_length_exceeded"),
        Row(401, .configuration, .engineRefused, .engineRefused), Row(402, .configuration, .engineRefused, .engineRefused),
        Row(403, .configuration, .engineRefused, .engineRefused),
        Row(404, .configuration), Row(405, .configuration), Row(410, .configuration),
        Row(408, .retry), Row(409, .retry), Row(425, .retry), Row(429, .retry), Row(429, .retry, code: "rate_limit_exceeded"),
        Row(429, .configuration, .engineRefused, .engineRefused, code: "insufficient_quota"),
        Row(413, .permanent, .mediaLimits, .textTooLong),
        Row(418, .configuration), Row(431, .configuration),
        Row(500, .retry), Row(502, .retry), Row(503, .retry), Row(504, .retry), Row(520, .retry), Row(529, .retry),
        Row(501, .configuration),
    ]

    @Test("by status and error code", arguments: rows)
    func statuses(row: Row) throws {
        let speech = try #require(OpenAIFault.failure(status: row.status, code: row.code, stage: .speech))
        #expect(speech.treatment == row.speech.0)
        #expect(speech.code == row.speech.1)
        let text = try #require(OpenAIFault.failure(status: row.status, code: row.code, stage: .text))
        #expect(text.treatment == row.text.0)
        #expect(text.code == row.text.1)
        #expect(speech.isFromEngine && text.isFromEngine)
    }

    @Test(
        "a refused parameter is for the operator, but for the language, which is the recording's",
        arguments: [
            ("language", .permanent, .languageUnsupported), ("model", .configuration, .speechUnavailable),
            ("response_format", .configuration, .speechUnavailable), ("chunking_strategy", .configuration, .speechUnavailable),
            ("file", .permanent, .mediaUnsupported), ("prompt", .permanent, .mediaUnsupported), (nil, .permanent, .mediaUnsupported),
            ("known_speaker_names", .permanent, .mediaUnsupported), ("known_speaker_references[1]", .permanent, .mediaUnsupported),
        ] as [(String?, ProviderFailure.Treatment, ProcessingCode)])
    func parameters(parameter: String?, treatment: ProviderFailure.Treatment, code: ProcessingCode) throws {
        let failure = try #require(OpenAIFault.failure(status: 400, code: "invalid_value", parameter: parameter, stage: .speech))
        #expect(failure.treatment == treatment && failure.code == code)
        #expect(OpenAIFault.failure(status: 500, parameter: parameter, stage: .speech)?.treatment == .retry)
    }

    @Test("what one account's words or one app's prompt bring about does not stop the engine for the others; what the model lacks does")
    func contents() {
        func treatment(_ parameter: String?, _ stage: EngineStage) -> ProviderFailure.Treatment? {
            OpenAIFault.failure(status: 400, code: "unsupported_value", parameter: parameter, stage: stage)?.treatment
        }
        for parameter in ["prompt", "file"] { #expect(treatment(parameter, .speech) == .permanent) }
        for parameter in ["messages", "messages[0].content"] { #expect(treatment(parameter, .text) == .permanent) }
        for parameter in ["messages[0].role", "model", nil] { #expect(treatment(parameter, .text) == .configuration) }
    }

    @Test("a 403 that flags the content refuses one recording or text; one that does not, and a 401 in any case, are for the operator")
    func flagged() {
        func failure(_ status: Int, _ flagsInput: Bool, _ stage: EngineStage) -> ProviderFailure? {
            OpenAIFault.failure(status: status, flagsInput: flagsInput, stage: stage)
        }
        for (stage, code) in [(EngineStage.speech, ProcessingCode.mediaUnsupported), (.text, .cleanupUnavailable)] {
            let flagged = failure(403, true, stage)
            #expect(flagged?.treatment == .permanent && flagged?.code == code && flagged?.isFromEngine == true)
            for other in [failure(403, false, stage), failure(401, true, stage)] {
                #expect(other?.treatment == .configuration && other?.code == .engineRefused)
            }
        }
    }

    @Test("only what may pass has the server's wait", arguments: rows)
    func waits(row: Row) throws {
        let failure = try #require(OpenAIFault.failure(status: row.status, code: row.code, retryAfter: 7, stage: .speech))
        #expect(failure.retryAfter == (failure.treatment == .retry ? 7 : nil))
    }

    @Test("a cause says nothing of an answer", arguments: [400, 401, 429, 500])
    func causes(status: Int) throws {
        let secret = "Incorrect API key provided: sk-abc"
        let failure = try #require(OpenAIFault.failure(status: status, code: secret, stage: .speech))
        #expect(!failure.description.contains("sk-abc"))
    }

    @Test("a result is no failure", arguments: [200, 201, 202, 299])
    func results(status: Int) {
        #expect(OpenAIFault.failure(status: status, stage: .speech) == nil)
    }

    @Test(
        "without a whole answer it is tried again, but for a target that is not allowed and an answer that is too large",
        arguments: OpenAIFault.Loss.allCases)
    func losses(loss: OpenAIFault.Loss) {
        let isAsked = ![OpenAIFault.Loss.cancelled, .unreadableFile].contains(loss)
        for stage in EngineStage.allCases {
            let failure = OpenAIFault.failure(loss, stage: stage)
            #expect(failure.treatment == (loss == .notAllowed ? .configuration : loss == .tooLarge ? .permanent : .retry))
            #expect(failure.isFromEngine == isAsked)
        }
        #expect(OpenAIFault.failure(.timedOut, stage: .speech).code == .speechTimeout)
        #expect(OpenAIFault.failure(.tooSlow, stage: .speech).code == .speechTimeout)
        #expect(OpenAIFault.failure(.cut, stage: .text).code == .cleanupUnavailable)
        #expect(OpenAIFault.failure(.tooLarge, stage: .speech).code == .speechUnreadable)
        #expect(OpenAIFault.failure(.tooLarge, stage: .text).code == .cleanupUnavailable)
    }

    @Test("an answer of status 200 that cannot be read is final for this engine, with a code that is about the recording")
    func malformed() {
        for (stage, code) in [(EngineStage.speech, ProcessingCode.speechUnreadable), (.text, .cleanupUnavailable)] {
            let failure = OpenAIFault.malformed(stage)
            #expect(failure.treatment == .permanent && failure.code == code && failure.isFromEngine && failure.isTry)
        }
    }

    @Test(
        "an error object in a 200 is what it would be in a 400, or in the status that it names",
        arguments: [
            (#""failed to read""#, .permanent, .mediaUnsupported), ("true", .permanent, .mediaUnsupported),
            (#"{"message":"failed to decode"}"#, .permanent, .mediaUnsupported),
            (#"{"code":"invalid_value","param":"language"}"#, .permanent, .languageUnsupported),
            (#"{"code":"context_length_exceeded"}"#, .permanent, .mediaLimits),
            (#"{"type":"model_not_found"}"#, .configuration, .speechUnavailable),
            (#"{"code":"invalid_value","param":"response_format"}"#, .configuration, .speechUnavailable),
            (#"{"code":"unsupported_value","param":"prompt"}"#, .permanent, .mediaUnsupported),
            (#"{"code":401}"#, .configuration, .engineRefused), (#"{"code":"413"}"#, .permanent, .mediaLimits),
            (#"{"code":429}"#, .retry, .speechUnavailable), (#"{"status":503}"#, .retry, .speechUnavailable),
            (#"{"code":200}"#, .permanent, .mediaUnsupported), (#"{"code":-1}"#, .permanent, .mediaUnsupported),
        ] as [(String, ProviderFailure.Treatment, ProcessingCode)])
    func errorObjects(error: String, treatment: ProviderFailure.Treatment, code: ProcessingCode) throws {
        for answer in [#"{"error":\#(error)}"#, #"{"choices":[{"error":\#(error)}]}"#] {
            let object = try #require(LenientJSON.value(Array(answer.utf8))?.object)
            let failure = try #require(OpenAIFault.failure(in: object, stage: .speech))
            #expect(failure.treatment == treatment && failure.code == code, "\(answer): \(failure)")
            #expect(failure.isFromEngine == (treatment != .retry), "the server answered")
            #expect(!failure.cause.contains("failed to"))
        }
    }

    @Test("an error that says nothing is none", arguments: ["null", "false", "{}", "\"\"", "[]", "0"])
    func noError(error: String) throws {
        let object = try #require(LenientJSON.value(Array(#"{"error":\#(error),"text":"We swam."}"#.utf8))?.object)
        #expect(OpenAIFault.failure(in: object, stage: .speech) == nil)
    }
}
