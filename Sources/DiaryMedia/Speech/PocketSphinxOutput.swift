import DiaryCore

/// Parses the output of `pocketsphinx_continuous -time yes`.
///
/// Per utterance (cut at half a second of silence): one line with the hypothesis, then a line `word start end confidence` for
/// every word and for the marks `<s>`, `<sil>`, `</s>`, `[NOISE]`, `++NOISE++`. Times are seconds from the start of the whole
/// recording, including the silence that voice detection removed. Confidence may exceed 1 by rounding.
enum PocketSphinxOutput {
    static func segments(_ output: String) -> [SpeechSegment] {
        var segments: [SpeechSegment] = []
        var words: [TimedWord] = []
        func close() {
            if let first = words.first, let last = words.last {
                segments.append(SpeechSegment(start: first.start, end: last.end, words: words))
            }
            words = []
        }
        for line in output.split(separator: "\n") {
            guard let row = Row(line) else { continue }
            switch row.text {
            case "<s>", "</s>": close()
            default:
                if !row.isMark { words.append(row.word) }
            }
        }
        close()
        return segments
    }

    private struct Row {
        var text: Substring
        var start: Double
        var end: Double
        var confidence: Double

        /// nil for a hypothesis line: its words are spelled out, so none is a number with a point.
        init?(_ line: Substring) {
            let columns = line.split(separator: " ")
            guard columns.count == 4, columns[1].contains("."), let start = Double(columns[1]), let end = Double(columns[2]),
                let confidence = Double(columns[3]), start.isFinite, end.isFinite, confidence.isFinite
            else { return nil }
            text = columns[0]
            self.start = max(0, start)
            self.end = max(self.start, end)
            self.confidence = min(1, max(0, confidence))
        }

        var isMark: Bool { text.hasPrefix("<") || text.hasPrefix("[") || text.hasPrefix("++") }

        /// Without the number of an alternate pronunciation, as in `to(3)`.
        var word: TimedWord {
            let spelled = text.prefix { $0 != "(" }
            return TimedWord(text: String(spelled.isEmpty ? text : spelled), start: start, end: end, confidence: confidence)
        }
    }
}
