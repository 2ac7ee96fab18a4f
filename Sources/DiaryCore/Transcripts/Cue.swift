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

    /// The words of all segments in their order, each in one cue, at the times of the words. A segment's cues lie between its start and its
    /// end, or the start of the next where that comes first; one shorter than `shortest` may last as long where the next leaves it. Where
    /// `shortest` for each cue does not fit, they share the segment's time by length of text. Cues never overlap, whatever the times.
    /// - Parameters:
    ///   - labels: names of speakers.
    ///   - asWords: each cue begins with its speaker's name and a colon.
    package static func cues(of segments: [SpeechSegment], labels: [String: String] = [:], asWords: Bool = false) -> [Cue] {
        var stretches: [CueStretch] = []
        for segment in segments {
            let speaker = segment.shownSpeaker.flatMap { labels[$0] }
            let spoken = split(CueWord.words(of: segment), speaker, label: asWords ? speaker.map { CueWord.label($0) } : nil)
            guard !spoken.isEmpty else { continue }
            let (start, end) = (CueWord.milliseconds(segment.start), CueWord.milliseconds(segment.end))
            if let last = stretches.last, last.holds(start: start, end: end) {
                stretches[stretches.count - 1].add(spoken, start: start, end: end)
            } else {
                stretches.append(CueStretch(start: start, end: end, cues: spoken))
            }
        }
        var cues: [Cue] = []
        for (index, stretch) in stretches.enumerated() {
            let next = index + 1 < stretches.count ? stretches[index + 1].start : .max
            cues += stretch.placed(from: cues.last?.end ?? 0, before: next)
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
