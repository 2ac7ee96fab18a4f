import DiaryCore
import WireFormats

/// Reads the JSON of whisper.cpp (`-oj`, `-ojf`): times in milliseconds, tokens with a probability.
enum CommandReply {
    /// - Parameter output: bytes that are no UTF-8 are replaced: a token may be a part of a character.
    /// - Returns: nil for anything else.
    static func read(_ output: [UInt8], seconds: Double) -> HeardSpeech? {
        let text = Array(String(decoding: output, as: UTF8.self).utf8)
        guard let answer = LenientJSON.value(text)?.object, let entries = answer["transcription"]?.array else { return nil }
        var segments: [HeardSegment] = []
        for entry in entries {
            guard let object = entry.object, let text = object["text"]?.string else { continue }
            let offsets = object["offsets"]?.object
            let tokens = (object["tokens"]?.array ?? []).compactMap { $0.object.flatMap(token) }
            segments.append(
                HeardSegment(
                    text: text, start: milliseconds(offsets?["from"]), end: milliseconds(offsets?["to"]),
                    speaker: TranscriptionReply.speaker(object["speaker"]?.string), words: tokens))
        }
        guard entries.isEmpty || !segments.isEmpty else { return nil }
        return HeardSpeech(
            language: answer["result"]?.object?["language"]?.string.flatMap(WhisperLanguages.tag), segments: segments,
            use: EngineUse(audioSeconds: seconds), model: model(answer["model"]?.object?["type"]?.string))
    }

    /// Tokens such as `[_BEG_]` and `[_TT_150]` are marks.
    private static func token(_ object: JSONObject) -> HeardWord? {
        guard let text = object["text"]?.string, !text.hasPrefix("[_"), let offsets = object["offsets"]?.object,
            let start = milliseconds(offsets["from"]), let end = milliseconds(offsets["to"])
        else { return nil }
        return HeardWord(text: text, start: start, end: end, confidence: object["p"]?.double)
    }

    private static func milliseconds(_ value: JSONValue?) -> Double? { value?.double.map { $0 / 1000 } }

    /// Whisper's size, e.g. `base`.
    private static func model(_ type: String?) -> String? {
        guard let type, (1...40).contains(type.utf8.count), type.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return type
    }
}
