import DiaryCore

/// Whether a cleaned text is a reading of the raw one: fillers, repeats, casing, punctuation and inflection may change, nothing else.
///
/// Independent of the cleaner. A few small words may come and some may go; a name, a number, a negation or
/// another word that is new, a number or a negation that is gone, or many words that are, refuse the whole text.
enum FidelityGuard {
    /// - Parameter language: a BCP 47 tag, or `und`.
    static func judge(_ clean: String, of raw: String, language: String) -> Cleanup {
        if clean.allSatisfy(\.isWhitespace) { return Cleanup(thousandths: 0, reason: .tooShort) }
        if clean.utf8.count > 3 * raw.utf8.count + longest { return Cleanup(thousandths: 0, reason: .tooLong) }
        let comparison = FidelityComparison(clean, of: raw, language: SpeechLanguages.primary(language))
        let isForeign = MarkupSigns.isNew(in: clean, beside: raw) || WrittenForm.isNew(in: WrittenForm(clean), beside: WrittenForm(raw))
        let reason = isForeign ? .markup : comparison.reason
        return Cleanup(thousandths: comparison.thousandths, reason: reason)
    }

    /// Bytes by which a short text may exceed three times its raw one before both are compared.
    private static let longest = 2_000
}
