import DiaryCore
import WireFormats

/// What a language model answered: the JSON object in the first choice's message.
struct ChatAnswer: Sendable {
    private let members: JSONObject
    let model: String?
    let use: EngineUse

    /// - Throws: `permanent` when the model refused or its answer was cut off, `retry` when it is not of the form that was asked for.
    init(_ answer: JSONObject) throws(ProviderFailure) {
        let usage = answer["usage"]?.object
        use = EngineUse(inputTokens: Self.count(usage?["prompt_tokens"]), outputTokens: Self.count(usage?["completion_tokens"]))
        model = answer["model"]?.string.flatMap { Self.isName($0) ? $0 : nil }
        do throws(ProviderFailure) { members = try Self.members(of: answer) } catch {
            // The tokens are paid for, whatever came back for them.
            var failure = error
            failure.use = use
            throw failure
        }
    }

    private static func members(of answer: JSONObject) throws(ProviderFailure) -> JSONObject {
        guard let choice = answer["choices"]?.array?.first?.object, let message = choice["message"]?.object else {
            throw OpenAIFault.malformed(.text)
        }
        if message["refusal"]?.string?.isEmpty == false { throw failure(.permanent, .cleanupUnavailable, "the model refused") }
        switch choice["finish_reason"]?.string {
        case "length": throw failure(.permanent, .textTooLong, "the model's answer was cut off")
        case "content_filter": throw failure(.permanent, .cleanupUnavailable, "the provider's content filter refused")
        default: break
        }
        guard let content = message["content"]?.string, let members = JSONParser.object(Array(content.utf8), JSONRules()) else {
            throw failure(.retry, .cleanupUnavailable, "the model's answer is not the JSON that was asked for")
        }
        return members
    }

    /// - Throws: `retry` when it is missing.
    func clean() throws(ProviderFailure) -> String {
        guard let clean = text(.clean) else {
            throw Self.failure(.retry, .cleanupUnavailable, "the model's answer is not the JSON that was asked for")
        }
        return clean
    }

    func text(_ member: ChatMember) -> String? { members[member.rawValue]?.string }

    /// Empty where it is missing or of another type.
    func texts(_ member: ChatMember) -> [String] { members[member.rawValue]?.strings ?? [] }

    private static func failure(_ treatment: ProviderFailure.Treatment, _ code: ProcessingCode, _ cause: String) -> ProviderFailure {
        ProviderFailure(treatment, code: code, cause: cause).fromEngine
    }

    private static func count(_ value: JSONValue?) -> Int { value?.integer.flatMap { Int(exactly: max(0, min($0, 1 << 40))) } ?? 0 }

    /// It is stored and shown.
    private static func isName(_ model: String) -> Bool { OneLineText.fault(ofName: model, max: 100) == nil }
}
