import DiaryCore

/// Signs for what is no speech, which recognisers write into the text: `[BLANK_AUDIO]`, `(music)`, `*coughs*`, `♪`.
enum SoundSigns {
    private static let brackets: [Character: Character] = ["[": "]", "(": ")", "*": "*", "（": "）", "【": "】", "［": "］", "〔": "〕", "<": ">"]
    private static let notes: Set<Character> = ["♪", "♫", "♬", "♩", "🎵", "🎶"]
    /// Words in a sign; what is longer may be said.
    private static let longest = 6

    /// Without its signs: nothing is left of a segment that is a sign, and round brackets inside a segment stay unless they name a sound.
    static func removed(from segment: SpeechSegment) -> SpeechSegment {
        guard segment.words.contains(where: { $0.text.contains { notes.contains($0) || brackets[$0] != nil } }) else { return segment }
        var kept: [TimedWord] = []
        var index = 0
        while index < segment.words.count {
            if let end = sign(segment.words, at: index, isAlone: kept.isEmpty) {
                index = end
                continue
            }
            var word = segment.words[index]
            word.text.removeAll { notes.contains($0) }
            if !word.text.isEmpty { kept.append(word) }
            index += 1
        }
        // Marks alone.
        if !kept.contains(where: { $0.text.contains { $0.isLetter || $0.isNumber } }) { kept = [] }
        var segment = segment
        segment.words = kept
        return segment
    }

    /// - Parameter isAlone: no word comes before it.
    /// - Returns: the index behind the sign; nil when none begins there.
    private static func sign(_ words: [TimedWord], at start: Int, isAlone: Bool) -> Int? {
        guard let open = words[start].text.first, let close = brackets[open] else { return nil }
        for end in start..<min(start + longest, words.count) {
            var text = words[start...end].map(\.text).joined(separator: " ")[...]
            while let last = text.last, last != close, last.isPunctuation { text.removeLast() }
            guard text.count > 2, text.last == close else { continue }
            let inside = text.dropFirst().dropLast()
            guard !inside.contains(open) else { return nil }
            let isWhole =
                isAlone
                && words[(end + 1)...].allSatisfy {
                    !$0.text.contains { $0.isLetter || $0.isNumber } || brackets[$0.text.first ?? " "] != nil
                }
            return open == "[" || open == "【" || isWhole || names.contains(WordKey.of(String(inside))) ? end + 1 : nil
        }
        return nil
    }

    /// What stands in round brackets and between stars inside a segment, as subtitles write it.
    private static let names: Set<String> = Set(
        [
            "music", "music playing", "upbeat music", "soft music", "laughs", "laughter", "laughing", "chuckles", "giggles", "sighs",
            "sigh",
            "coughs", "coughing", "cough", "sniffs", "sniffles", "breathing", "breathes", "applause", "silence", "pause", "inaudible",
            "unintelligible", "indistinct", "noise", "background noise", "clears throat", "gasps", "crying", "sobbing", "beep",
            "blank audio",
            "Musik", "lacht", "Lachen", "seufzt", "hustet", "Applaus", "Stille", "unverständlich", "räuspert sich", "weint",
            "musique", "rires", "rire", "soupir", "toux", "applaudissements", "inaudible", "silence",
            "música", "risas", "risa", "suspiro", "tos", "aplausos", "silencio", "musica", "risate", "applausi", "музыка", "смех", "音楽",
            "笑", "拍手", "音乐",
        ].map { WordKey.of($0) })
}
