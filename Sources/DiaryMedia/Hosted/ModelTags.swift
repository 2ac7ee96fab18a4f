/// Signs of models that servers leave in the words: `<|en|><|0.00|>…` of Whisper and SenseVoice, `language English<asr_text>…` of Qwen. No
/// speech has them.
struct ModelTags {
    /// As the first of them names it, unchecked.
    private(set) var language: String?

    /// Letters between `<|` and `|>`.
    private static let longest = 40

    mutating func cleaned(_ text: String) -> String {
        guard text.contains("<") else { return text }
        var text = text
        while let tag = text.firstRange(of: "<asr_text>") {
            let head = text[..<tag.lowerBound].split(separator: " ")
            if head.count == 2, head[0].lowercased() == "language" { language = language ?? String(head[1]) }
            text = String(text[tag.upperBound...])
        }
        text = text.replacing("</asr_text>", with: "")
        var kept = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "<|") {
            kept += rest[..<start.lowerBound]
            let inside = rest[start.upperBound...].prefix(Self.longest)
            guard let end = inside.firstRange(of: "|>"), !inside[..<end.lowerBound].contains(where: \.isWhitespace) else {
                kept += "<|"
                rest = rest[start.upperBound...]
                continue
            }
            let name = inside[..<end.lowerBound]
            if (2...3).contains(name.count), name.allSatisfy(\.isLowercase) { language = language ?? String(name) }
            rest = rest[end.upperBound...]
        }
        return kept + rest
    }
}
