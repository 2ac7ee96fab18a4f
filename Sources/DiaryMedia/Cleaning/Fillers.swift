/// Removes words without meaning. In doubt a word stays, because a diary must not lose content.
struct Fillers {
    let words: FillerWords

    func remove(_ tokens: inout [CleaningToken]) {
        var index = 0
        while index < tokens.count {
            if let (range, isLink) = filler(tokens, at: index), !isQuoted(tokens, range) {
                tokens.drop(range, keepsComma: isLink || keepsComma(tokens, around: range))
                // The word that is now at this index may form a filler with the one before it.
                index = max(0, index - 1)
            } else {
                index += 1
            }
        }
    }

    private func filler(_ tokens: [CleaningToken], at index: Int) -> (Range<Int>, isLink: Bool)? {
        guard index < tokens.count else { return nil }
        if words.sounds.contains(tokens[index].key), isHesitation(tokens, at: index) { return (index..<index + 1, false) }
        if words.code == "en", let count = EnglishFillers.length(tokens, at: index) { return (index..<index + count, false) }
        for (phrases, isLink) in [(words.phrases, false), (words.links, true)] {
            for phrase in phrases where tokens[index...].prefix(phrase.count).map(\.key) == phrase {
                if isSetApart(tokens, index..<index + phrase.count) { return (index..<index + phrase.count, isLink) }
            }
        }
        return nil
    }

    /// `ER` and `AH` are not hesitation sounds; "Ah!" and "Hm?" are sentences.
    private func isHesitation(_ tokens: [CleaningToken], at index: Int) -> Bool {
        let (core, trailing) = (tokens[index].core, tokens[index].trailing)
        let isAcronym = core.count > 1 && core.allSatisfy(\.isUppercase)
        return !isAcronym && !(tokens.opensSentence(index) && trailing.contains { "?!".contains($0) })
    }

    /// Between commas or pauses, also at the start or the end of a sentence; not a sentence of its own.
    private func isSetApart(_ tokens: [CleaningToken], _ range: Range<Int>) -> Bool {
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        guard tokens[first..<last].allSatisfy(\.trailing.isEmpty) else { return false }
        let opens = tokens.opensSentence(first)
        guard opens || tokens[first - 1].trailing == "," || tokens.pause(first) >= CleaningPauses.comma else { return false }
        switch tokens[last].trailing {
        case ",": return true
        case ".": return !opens
        case "": return tokens.pause(last + 1) >= CleaningPauses.comma
        default: return false
        }
    }

    /// Quoted by itself: `"Um," she said`.
    private func isQuoted(_ tokens: [CleaningToken], _ range: Range<Int>) -> Bool {
        !tokens[range.lowerBound].leading.isEmpty && !tokens[range.upperBound - 1].trailing.allSatisfy { ",.…".contains($0) }
    }

    /// Also before the next filler, which is then still set apart, and between two copies of a word.
    private func keepsComma(_ tokens: [CleaningToken], around range: Range<Int>) -> Bool {
        let (before, after) = (tokens.key(range.lowerBound - 1), tokens.key(range.upperBound))
        if after.map(words.joiners.contains) == true || before == after || filler(tokens, at: range.upperBound) != nil { return true }
        return before.map(words.openers.contains) == true && tokens.opensClause(range.lowerBound - 1)
    }
}

/// The words of one language that the rules may remove. `FidelityGuard` allows each of them to be missing (`LanguageWords`).
///
/// Only what is no word of the language is a sound: "um" is one in English, but German for "at" and Portuguese for "a".
struct FillerWords: Sendable {
    let code: String
    /// Hesitations; dropped wherever they stand.
    let sounds: Set<String>
    /// Dropped with their commas, only where commas or pauses set them apart.
    let phrases: [[String]]
    /// Likewise, but they join clauses: one comma stays.
    let links: [[String]]
    /// A clause that begins with one of these keeps the comma behind it: "Also, ähm, wir gingen".
    let openers: Set<String>
    /// The comma before these stays: "Wir gingen, ähm, aber".
    let joiners: Set<String>
    /// Never doubled on purpose, and never the last word of a clause.
    let doubled: Set<String>
    /// Doubled by mistake where they begin a clause: "Ich, ich ging", but not "hier kann ich ich sein".
    let restarted: Set<String>

    private init(
        _ code: String, sounds: String, phrases: String = "", links: String = "", openers: String, joiners: String, doubled: String,
        restarted: String = ""
    ) {
        func words(_ text: some StringProtocol) -> [String] { text.split { $0 == " " }.map { String($0) } }
        self.code = code
        self.sounds = Set(words(sounds))
        self.phrases = phrases.split(separator: ",").map(words)
        self.links = links.split(separator: ",").map(words)
        self.openers = Set(words(openers))
        self.joiners = Set(words(joiners))
        self.doubled = Set(words(doubled))
        self.restarted = Set(words(restarted))
    }

    /// By primary language tag.
    static let all = Dictionary(uniqueKeysWithValues: [english, german, french, spanish, italian, portuguese].map { ($0.code, $0) })

    /// "you know", "I mean" and "like" have rules of their own in `EnglishFillers`.
    private static let english = FillerWords(
        "en", sounds: "uh uhh uhm um umm er erm ah ahh hm hmm mmm", phrases: "mm", openers: "well yes yeah no okay ok so anyway oh now",
        joiners: "but", doubled: "the a an my our their your and but or because",
        restarted: """
            i we he she it they his to of in at for with from by as was were am are be this these those if when who it's i'm i've i'd i'll \
            we're he's she's they're there's into about some
            """)

    /// Without "halt", "eben", "eh" and "mhm", which mean something.
    private static let german = FillerWords(
        "de", sounds: "äh ähh ähm öh öhm ehm hm hmm", phrases: "sozusagen, sag ich mal, ich sag mal",
        openers: "also ja nein nee gut okay ok naja tja nun", joiners: "aber sondern denn dass weil wenn ob obwohl damit",
        doubled: "und oder aber dass weil wenn mein im am zum zur beim vom", restarted: "ich wir")

    private static let french = FillerWords(
        "fr", sounds: "euh heu hum hm hmm", phrases: "hein, tu vois, tu sais, vous voyez, vous savez",
        openers: "oui non bon ben bref donc alors voilà enfin", joiners: "mais car donc puis",
        doubled: "je le les des de du et dans mon ma mes sa")

    /// Without "este", which is "this one" between commas too.
    private static let spanish = FillerWords(
        "es", sounds: "ehm em hm hmm", phrases: "eh, digamos", links: "o sea, pues", openers: "sí no bueno bien entonces vale claro",
        joiners: "pero sino", doubled: "el los las de del al en y con por mi mis su sus", restarted: "yo")

    private static let italian = FillerWords(
        "it", sounds: "ehm em hm hmm uhm", phrases: "eh, diciamo", links: "cioè", openers: "sì no beh bene allora ecco insomma",
        joiners: "ma però", doubled: "il i gli di del della dei nel nella al alla e per con", restarted: "io")

    private static let portuguese = FillerWords(
        "pt", sounds: "hum ahn hã hm hmm", phrases: "eh, né, tipo, digamos", links: "quer dizer",
        openers: "sim não bom bem então pois olha", joiners: "mas porém", doubled: "os as de do da dos das em e com por", restarted: "eu")
}
