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
