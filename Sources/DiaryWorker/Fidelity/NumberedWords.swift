/// Numbers the words of both texts, so that comparing them is comparing integers.
struct NumberedWords {
    private let inflection: Inflection
    private let code: String
    private var ids: [String: Int32] = [:]
    private var sounds: [String: Int32] = [:]
    private var soundKeys: [String?] = []
    private(set) var words: [FidelityWord] = []
    private var stems: [Int64] = []
    private var letters: [[Unicode.Scalar]] = []
    /// Answers by the pair's place: a pair that comes to a place takes it over.
    private var asked = [Int64](repeating: -1, count: places)
    private var answers = [Bool](repeating: false, count: places)
    private static let places = 1 << 15

    init(_ language: LanguageWords) {
        inflection = Inflection(language)
        code = language.code
    }

    mutating func number(_ word: FidelityWord) -> Int32 {
        if let id = ids[word.key] { return id }
        let id = Int32(truncatingIfNeeded: words.count)
        ids[word.key] = id
        let sound = SoundKey.of(word.key, in: code)
        soundKeys.append(sound)
        if let sound, sounds[sound] == nil { sounds[sound] = id }
        words.append(word)
        stems.append(inflection.bucket(word, sound: sound))
        letters.append(Array(word.key.unicodeScalars))
        return id
    }

    /// The number of two words written as one, when a text has it.
    func joined(_ first: FidelityWord, _ second: FidelityWord) -> Int32? {
        guard first.number == nil, second.number == nil else { return nil }
        let joined = first.key + (second.key == "'s" ? "s" : second.key)
        if let id = ids[joined] { return id }
        // "jachète" for "j'achète".
        if code == "fr", first.key.last == "e", first.key.utf8.count <= 3, let id = ids[first.key.dropLast() + second.key] { return id }
        return code == "es" ? SoundKey.of(joined, in: code).flatMap { sounds[$0] } : nil
    }

    /// Whether a cleaned text may have `clean` where the raw one has `raw`.
    mutating func isSimilar(_ raw: Int32, _ clean: Int32) -> Bool {
        guard stems[Int(raw)] & stems[Int(clean)] != 0 else { return false }
        let pair = Int64(raw) << 32 | Int64(clean)
        let place = Int(truncatingIfNeeded: (raw &* 0x9E35) ^ clean) & (Self.places - 1)
        if asked[place] == pair { return answers[place] }
        let sound = soundKeys[Int(raw)]
        let result = inflection.isForm(
            words[Int(raw)], words[Int(clean)], letters[Int(raw)], letters[Int(clean)],
            soundsAlike: sound != nil && sound == soundKeys[Int(clean)])
        (asked[place], answers[place]) = (pair, result)
        return result
    }
}
