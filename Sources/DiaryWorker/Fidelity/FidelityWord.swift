/// How much a word may be missing from the cleaned text, or be new in it.
enum WordClass: UInt8, Sendable {
    /// Articles, auxiliaries, a few prepositions: a few may come or go, as grammar needs them.
    case neutral
    /// Conjunctions and particles: a few may go, none may come.
    case light
    case content
    case negation
    case number
    /// The name of a number's unit, which may be written as a sign: `dollars`, `Uhr`.
    case unit
}

/// A word of either text, in the form that is compared.
struct FidelityWord: Sendable {
    /// Lower case, without accents; contractions are written out.
    var key: String
    var wordClass: WordClass
    /// Written with a capital letter within a sentence.
    var isNameLike = false
    var number: NumberRun?
    var opensSentence = false
}
