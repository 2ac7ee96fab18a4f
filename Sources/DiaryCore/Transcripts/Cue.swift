/// A piece of a transcript that is shown at once. Times in milliseconds from the recording's start.
package struct Cue: Sendable, Equatable {
    var start: Int
    var end: Int
    /// One or two, none empty.
    var lines: [String]
    /// Who speaks, where it is to be told.
    var speaker: String?

    /// The limits of common guidelines for subtitles (BBC, Netflix): two lines of 42 characters, 0.8 to 7 seconds.
    static let lineLength = 42
    static let longest = 7_000
    static let shortest = 800
    /// A pause that ends a cue although more would fit.
    static let pause = 1_500

    /// The words of all segments in their order, each in one cue. A cue begins where its first word begins, or `shortest` after the cue
    /// before, whichever is later; it ends with its last word, at the earliest after `shortest`, at the latest after `longest` or where the
    /// next one begins. So cues never overlap, whatever the times are. None reaches over a segment's end.
    /// - Parameters:
    ///   - labels: names of speakers.
    ///   - asWords: each cue begins with its speaker's name and a colon.
    package static func cues(of segments: [SpeechSegment], labels: [String: String] = [:], asWords: Bool = false) -> [Cue] {
        var cues = segments.flatMap { segment in
            let speaker = segment.shownSpeaker.flatMap { labels[$0] }
            return split(CueWord.words(of: segment), speaker, label: asWords ? speaker.map { CueWord.label($0) } : nil)
        }
        var earliest = 0
        for index in cues.indices {
            cues[index].start = max(cues[index].start, earliest)
            earliest = cues[index].start + shortest
        }
        for index in cues.indices {
            let next = index + 1 < cues.count ? cues[index + 1].start : .max
            let start = cues[index].start
            cues[index].end = min(max(cues[index].end, start + shortest), start + longest, next)
        }
        return cues
    }

    private static func split(_ words: [CueWord], _ speaker: String?, label: CueWord?) -> [Cue] {
        var cues: [Cue] = []
        var shown: [CueWord] = []
        var start = 0
        for word in words {
            if let last = shown.last, !closes(shown), word.start - last.end <= pause, word.end - start <= longest,
                let lines = lines(of: shown + [word])
            {
                shown.append(word)
                cues[cues.count - 1] = Cue(start: start, end: max(word.end, last.end), lines: lines, speaker: speaker)
            } else {
                shown = (label.map { [$0] } ?? []) + [word]
                start = word.start
                cues.append(Cue(start: start, end: word.end, lines: lines(of: shown) ?? shown.map(\.text), speaker: speaker))
            }
        }
        return cues
    }

    /// The end of a sentence ends a cue that has more than a line.
    private static func closes(_ words: [CueWord]) -> Bool {
        words.last?.endsSentence == true && length(words) > lineLength
    }

    /// One line, or the two that differ least in length; nil when the words do not fit.
    private static func lines(of words: [CueWord]) -> [String]? {
        let total = length(words)
        guard total > lineLength else { return [text(words[...])] }
        var best = (place: 0, longer: lineLength + 1)
        var first = 0
        for (place, word) in words.enumerated() {
            let space = place == 0 || word.continues ? 0 : 1
            let longer = max(first, total - first - space)
            if place > 0, longer < best.longer { best = (place, longer) }
            first += space + word.length
        }
        return best.place == 0 ? nil : [text(words[..<best.place]), text(words[best.place...])]
    }

    /// In one line.
    private static func length(_ words: [CueWord]) -> Int {
        words.reduce(0) { $0 + $1.length + ($1.continues ? 0 : 1) } - (words.first?.continues == false ? 1 : 0)
    }

    private static func text(_ words: ArraySlice<CueWord>) -> String {
        var text = ""
        for word in words {
            if !word.continues, !text.isEmpty { text += " " }
            text += word.text
        }
        return text
    }
}
