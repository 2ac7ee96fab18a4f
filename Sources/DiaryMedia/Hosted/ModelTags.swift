/// Signs of models that servers leave in the words: `<|en|><|0.00|>…` of Whisper and SenseVoice, `language English<asr_text>…` of Qwen, `[_TT_150]`
/// of whisper.cpp, `</s>`. No speech has them.
struct ModelTags {
    /// As the first of them names it, unchecked.
    private(set) var language: String?

    private static let words: Set<Substring> = ["/asr_text", "s", "/s", "pad", "unk"]
    /// Letters of a sign.
    private static let longest = 40

    mutating func cleaned(_ text: String) -> String {
        guard text.contains("<") || text.contains("[_") else { return text }
        var pieces = text.split(separator: "<asr_text>", omittingEmptySubsequences: false).map(String.init)
        for index in pieces.indices.dropLast() {
            var words = pieces[index].split(separator: " ", omittingEmptySubsequences: false)
            if words.count > 1, words[words.count - 2].lowercased() == "language" {
                language = language ?? String(words[words.count - 1])
                words.removeLast(2)
            }
            pieces[index] = index == 0 ? "" : words.joined(separator: " ")
        }
        return withoutSigns(pieces.joined(separator: " "))
    }

    private mutating func withoutSigns(_ text: String) -> String {
        var kept = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 == "<" || $0 == "[" }) {
            kept += rest[..<start]
            let close: Character = rest[start] == "<" ? ">" : "]"
            let inside = rest[rest.index(after: start)...].prefix(Self.longest).prefix { $0 != close && !$0.isWhitespace }
            let isClosed = inside.endIndex < rest.endIndex && rest[inside.endIndex] == close
            guard isClosed, isSign(inside, close) else {
                kept.append(rest[start])
                rest = rest[rest.index(after: start)...]
                continue
            }
            rest = rest[rest.index(after: inside.endIndex)...]
        }
        return kept + rest
    }

    private mutating func isSign(_ inside: Substring, _ close: Character) -> Bool {
        if close == "]" { return inside.count > 2 && inside.hasPrefix("_") }
        guard inside.count > 1, inside.hasPrefix("|"), inside.hasSuffix("|") else { return Self.words.contains(inside) }
        let name = inside.dropFirst().dropLast()
        if (2...3).contains(name.count), name.allSatisfy(\.isLowercase), !["end", "eos", "bos", "eot", "sot", "pad", "unk"].contains(name) {
            language = language ?? String(name)
        }
        return true
    }
}
