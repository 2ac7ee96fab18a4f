/// How a word sounds, as far as the spelling of its language tells: a recogniser takes one such word for another.
enum SoundKey {
    /// nil in languages whose spelling the rules do not know, and for words too short to tell.
    static func of(_ key: String, in code: String) -> String? {
        switch code {
        case "es": spanish(key)
        case "fr": french(key)
        default: nil
        }
    }

    /// No `h`, one letter for `b` and `v`, `ll` and `y`, `c`, `s` and `z`.
    private static func spanish(_ key: String) -> String? {
        let letters = Array(key.unicodeScalars)
        var sound = ""
        for (index, letter) in letters.enumerated() {
            let next = index + 1 < letters.count ? letters[index + 1] : nil
            switch letter {
            case "h": if index > 0, letters[index - 1] == "c" { sound += "h" }
            case "v": sound += "b"
            case "z": sound += "s"
            case "c": sound += next == "e" || next == "i" ? "s" : "c"
            case "l" where next == "l": sound += "y"
            case "l" where index > 0 && letters[index - 1] == "l": break
            default: sound.unicodeScalars.append(letter)
            }
        }
        // "cansao" for "cansado"
        if sound.hasSuffix("ado"), sound.utf8.count > 5 { sound = sound.dropLast(2) + "o" }
        return sound.isEmpty ? nil : sound
    }

    /// The letters that are not spoken at the end of a word left out.
    private static func french(_ key: String) -> String? {
        guard key.utf8.count >= 3 else { return nil }
        for ending in ["aient", "ait", "ais", "ees", "ee", "er", "ez", "es", "ai", "e"] where key.hasSuffix(ending) {
            let stem = String(key.dropLast(ending.count))
            return stem.utf8.count >= 2 ? stem : nil
        }
        var stem = Substring(key)
        while stem.utf8.count > 3, let last = stem.last, "stdxpz".contains(last) { stem = stem.dropLast() }
        return String(stem)
    }
}
