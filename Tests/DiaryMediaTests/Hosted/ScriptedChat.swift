import DiaryCore
import Synchronization
import TestSupport
import WireFormats

@testable import DiaryMedia

/// A model that answers as a test says, and keeps what it was sent.
final class ScriptedChat: Sendable {
    struct Call: Sendable {
        let system: String
        let user: String
        let members: [String]
        let format: String
        let body: [UInt8]

        /// Between the delimiters.
        var transcript: String { String(user.dropFirst("<transcript>\n".count).dropLast("\n</transcript>".count)) }
    }

    let calls = Mutex<[Call]>([])
    let answer: @Sendable (Call) throws(ProviderFailure) -> String

    init(_ answer: @escaping @Sendable (Call) throws(ProviderFailure) -> String) { self.answer = answer }

    var seen: [Call] { calls.withLock { $0 } }

    func engine(pieceLength: Int = TextPieces.length) -> OpenAITextEngine {
        OpenAITextEngine(model: "asked-for", pieceLength: pieceLength) { body async throws(ProviderFailure) in
            let call = Self.call(body)
            self.calls.withLock { $0.append(call) }
            guard let object = LenientJSON.value(Array(try self.answer(call).utf8)) else { throw OpenAIFault.malformed(.text) }
            return object
        }
    }

    /// A whole answer around the content of a message.
    static func answered(_ content: String, finish: String = "stop", model: String = "served", tokens: (Int, Int) = (10, 5)) -> String {
        let bytes = JSONWriter.object { w in
            w.member("model", model)
            w.array("choices", [content]) { w, content in
                w.object { w in
                    w.member("finish_reason", finish)
                    w.member("message") { w in
                        w.member("role", "assistant")
                        w.member("content", content)
                    }
                }
            }
            w.member("usage") { w in
                w.member("prompt_tokens", tokens.0)
                w.member("completion_tokens", tokens.1)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func content(_ write: (inout JSONWriter) -> Void) -> String { String(decoding: JSONWriter.object(write), as: UTF8.self) }

    private static func call(_ body: [UInt8]) -> Call {
        let object = JSONParser.object(body, JSONRules())
        let messages = object?["messages"]?.array?.compactMap { $0.object?["content"]?.string } ?? []
        let format = object?["response_format"]?.object
        let schema = format?["json_schema"]?.object?["schema"]?.object
        return Call(
            system: messages.first ?? "", user: messages.last ?? "", members: schema?["required"]?.strings ?? [],
            format: format?["type"]?.string ?? "", body: body)
    }
}

extension RawTranscript {
    /// Segments of one line each.
    static func said(_ text: String, language: String = "en") -> RawTranscript {
        RawTranscript(
            language: language,
            segments: text.split(separator: "\n").map { line in
                SpeechSegment(
                    start: 0, end: 1,
                    words: line.split(separator: " ").map { TimedWord(text: String($0), start: 0, end: 1, confidence: 1) })
            })
    }
}
