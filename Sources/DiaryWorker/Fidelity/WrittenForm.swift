/// How a text is written, beside its words: whether a cleaned one shouts, stands in lower case alone, has a line or a mark for each word.
/// The words agree then, but the recording may have asked for it.
struct WrittenForm {
    private let words: Int
    private let upper: Int
    private let lower: Int
    private let lines: Int
    private let marks: Int

    init(_ text: String) {
        var (words, upper, lower, lines, marks) = (0, 0, 0, 1, 0)
        var (isInWord, isNewLine, wasMark) = (false, false, false)
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let isMark = Self.ends.contains(scalar)
            // Three dots are one mark.
            if isMark, !wasMark { marks += 1 }
            wasMark = isMark
            if scalar == "\n" {
                (isInWord, isNewLine) = (false, true)
            } else if properties.isWhitespace {
                isInWord = false
            } else {
                if isNewLine { lines += 1 }
                isNewLine = false
                if !isInWord || ScriptUnits.contains(scalar) { words += 1 }
                isInWord = true
                if properties.isUppercase { upper += 1 }
                if properties.isLowercase { lower += 1 }
            }
        }
        (self.words, self.upper, self.lower, self.lines, self.marks) = (words, upper, lower, lines, marks)
    }

    /// Whether the clean text is written in a way that the raw one is not.
    static func isNew(in clean: WrittenForm, beside raw: WrittenForm) -> Bool {
        if clean.isShouted, !raw.isShouted { return true }
        guard clean.words >= leastWords else { return false }
        if clean.upper == 0, raw.upper > 2, clean.lower > 0 { return true }
        if clean.lines > max(raw.lines, clean.words / 4) { return true }
        return clean.marks > max(raw.marks, clean.words / 2)
    }

    private var isShouted: Bool { upper >= 12 && upper > lower }

    /// A short text may be one line or one mark for each word: "Yes. No. Good."
    private static let leastWords = 12

    private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "…", "。", "！", "？"]
}
