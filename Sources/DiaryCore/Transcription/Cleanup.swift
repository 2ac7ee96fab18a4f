/// What became of the cleaned text of a recording: shown, refused because it is not a reading of the raw one, or not made at all.
package struct Cleanup: Sendable, Equatable {
    package enum State: String, Sendable { case accepted, rejected, failed }

    /// Why a cleaned text was refused, the first that applies in this order; or the code with which the engines failed.
    package struct Reason: Sendable, Equatable {
        package let rawValue: String

        /// Also of a reason that a later version has written.
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let markup = Reason(rawValue: "markup")
        package static let refusal = Reason(rawValue: "refusal")
        package static let otherLanguage = Reason(rawValue: "other_language")
        package static let tooLong = Reason(rawValue: "too_long")
        package static let tooShort = Reason(rawValue: "too_short")
        package static let newNumber = Reason(rawValue: "new_number")
        package static let lostNumber = Reason(rawValue: "lost_number")
        package static let newNegation = Reason(rawValue: "new_negation")
        package static let lostNegation = Reason(rawValue: "lost_negation")
        package static let newName = Reason(rawValue: "new_name")
        package static let newWords = Reason(rawValue: "new_words")
        package static let lostWords = Reason(rawValue: "lost_words")

        package static let all = [
            markup, refusal, otherLanguage, tooLong, tooShort, newNumber, lostNumber, newNegation, lostNegation, newName, newWords,
            lostWords,
        ]
    }

    /// 0 to 1000: words with a counterpart among all words of both texts, those that may change left out.
    package let thousandths: Int
    /// nil: accepted.
    package let reason: Reason?

    package init(thousandths: Int, reason: Reason? = nil) {
        self.thousandths = min(1_000, max(0, thousandths))
        self.reason = reason
    }

    /// No engine made a cleaned text.
    package static func failed(_ code: ProcessingCode) -> Cleanup {
        Cleanup(thousandths: 0, reason: Reason(rawValue: code.rawValue))
    }

    package var state: State {
        guard let reason else { return .accepted }
        return ProcessingCode(rawValue: reason.rawValue) == nil ? .rejected : .failed
    }
    package var score: Double { Double(thousandths) / 1_000 }
}
