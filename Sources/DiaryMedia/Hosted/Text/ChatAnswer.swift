import DiaryCore
import WireFormats

/// What a language model answered: the JSON object that was asked for, wherever the message has it. Models put it behind their thoughts, into a
/// fence of Markdown, into the arguments of a tool; the fidelity guard judges the text in any case.
struct ChatAnswer: Sendable {
    private let members: [String: JSONValue]
    let model: String?
    let use: EngineUse

    /// - Parameters:
    ///   - wanted: a member that it must have.
    ///   - acceptsCut: takes an object that ends too early.
    /// - Throws: `permanent` when the model refused, its answer was cut off, or has no such object.
    init(_ answer: JSONValue, wanted: ChatMember?, acceptsCut: Bool = true) throws(ProviderFailure) {
        let outer = answer.object ?? answer.array?.first?.object ?? JSONObject()
        let usage = outer["usage"]?.object
        use = EngineUse(inputTokens: usage?["prompt_tokens"]?.count ?? 0, outputTokens: usage?["completion_tokens"]?.count ?? 0)
        model = outer["model"]?.string.flatMap { Self.isName($0) ? $0 : nil }
        do throws(ProviderFailure) { members = try Self.members(of: answer, outer, wanted, acceptsCut) } catch {
            // The tokens are paid for, whatever came back for them.
            var failure = error
            failure.use = use
            throw failure
        }
    }

    private static func members(
        of answer: JSONValue, _ outer: JSONObject, _ wanted: ChatMember?, _ acceptsCut: Bool
    ) throws(ProviderFailure) -> [String: JSONValue] {
        let choice = outer["choices"]?.array?.first?.object
        let message = choice?["message"]?.object
        if message?["refusal"]?.string?.isEmpty == false { throw failure(.cleanupUnavailable, "the model refused") }
        switch choice?["finish_reason"]?.string {
        case "length": throw failure(.textTooLong, "the model's answer was cut off")
        case "content_filter": throw failure(.cleanupUnavailable, "the provider's content filter refused")
        default: break
        }
        // The content first: thoughts may have a draft of it.
        let places = [message?["content"], choice?["text"], message?["tool_calls"], message.map { .object($0) }, answer].compactMap(\.self)
        for place in places {
            if let found = object(in: place, wanted, isCutAllowed: acceptsCut, depth: 0) { return found }
        }
        if let refused = OpenAIFault.failure(in: outer, stage: .text) { throw refused }
        throw OpenAIFault.malformed(.text)
    }

    private static let deepest = 8

    /// The last object that has the member, or any of those that are asked for, with its names in their one form.
    private static func object(in value: JSONValue, _ wanted: ChatMember?, isCutAllowed: Bool, depth: Int) -> [String: JSONValue]? {
        guard depth < deepest else { return nil }
        switch value {
        case .object(let object):
            let named = Dictionary(object.members.map { (key($0.name), $0.value) }) { first, second in first == .null ? second : first }
            let asked = wanted.map { [$0] } ?? ChatMember.allCases
            if asked.contains(where: { isText(named[key($0.rawValue)]) }) { return named }
            return object.members.sorted { $0.name < $1.name }.lazy
                .compactMap { Self.object(in: $0.value, wanted, isCutAllowed: isCutAllowed, depth: depth + 1) }.first
        case .array(let values):
            // Parts of a message belong together.
            let texts = values.compactMap { $0.string ?? $0.object?["text"]?.string }
            if texts.count > 1, let found = Self.object(in: .string(texts.joined()), wanted, isCutAllowed: isCutAllowed, depth: depth + 1) {
                return found
            }
            return values.reversed().lazy
                .compactMap { Self.object(in: $0, wanted, isCutAllowed: isCutAllowed, depth: depth + 1) }.first
        case .string(let text):
            let said = text.ranges(of: "</think>").last.map { text[$0.upperBound...] } ?? text[...]
            let objects = LenientJSON.objects(in: String(said)).filter { isCutAllowed || $0.isWhole }
            if let found = objects.reversed().lazy.compactMap({
                Self.object(in: .object($0.object), wanted, isCutAllowed: isCutAllowed, depth: depth + 1)
            }).first {
                return found
            }
            // JSON inside JSON.
            guard said.contains("\\\""), case .string(let inner)? = LenientJSON.value(Array(said.utf8)), inner != text else { return nil }
            return Self.object(in: .string(inner), wanted, isCutAllowed: isCutAllowed, depth: depth + 1)
        case .null, .bool, .number: return nil
        }
    }

    private static func isText(_ value: JSONValue?) -> Bool { value?.string != nil || value?.strings?.isEmpty == false }

    /// Letters only: `clean_text`, `cleanText` and `Clean text` are one name.
    private static func key(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

    /// - Throws: `permanent` when it is missing.
    func clean() throws(ProviderFailure) -> String {
        guard let clean = text(.clean) else { throw OpenAIFault.malformed(.text) }
        return clean
    }

    /// Also paragraphs in a list.
    func text(_ member: ChatMember) -> String? {
        let value = members[Self.key(member.rawValue)]
        return value?.string ?? value?.strings?.joined(separator: "\n\n")
    }

    /// Empty where it is missing or of another type; a text is a list of one.
    func texts(_ member: ChatMember) -> [String] {
        let value = members[Self.key(member.rawValue)]
        return value?.array?.compactMap(\.string) ?? value?.string.map { $0.isEmpty ? [] : [$0] } ?? []
    }

    private static func failure(_ code: ProcessingCode, _ cause: String) -> ProviderFailure {
        ProviderFailure(.permanent, code: code, cause: cause).fromEngine
    }

    /// It is stored and shown.
    private static func isName(_ model: String) -> Bool { OneLineText.fault(ofName: model, max: 100) == nil }
}
