/// What devices call a language, as the tag that is stored: language, script and region of BCP 47 (RFC 5646). Extensions and private use, which
/// platforms add for units and calendars, are left out.
package enum DeviceLanguage: Equatable {
    case tag(String)
    /// The device does not say: `und`, `root`, `C`.
    case unknown
    /// No tag of any platform.
    case invalid

    private static let longest = 200

    /// - Parameter text: `de-DE-u-fw-mon` of Android, `zh_CN` of iOS, `de_DE.UTF-8@euro` of POSIX, `deu`.
    package init(_ text: String) {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        text = text.prefix { $0 != "." && $0 != "@" }
        let folded = text.lowercased().replacing("_", with: "-")
        guard text.utf8.count <= Self.longest, folded.utf8.allSatisfy(Self.isSign) else {
            self = .invalid
            return
        }
        if folded.isEmpty || Self.nothing.contains(folded) {
            self = .unknown
            return
        }
        var parts = (Self.irregular[folded] ?? folded).split(separator: "-", omittingEmptySubsequences: false).map(String.init)[...]
        guard let first = parts.popFirst(), first != "x", first != "i" else {
            self = .unknown
            return
        }
        guard (2...3).contains(first.utf8.count), first.utf8.allSatisfy(Self.isLetter),
            parts.allSatisfy({ (1...8).contains($0.utf8.count) })
        else {
            self = .invalid
            return
        }
        var language = Self.today[first] ?? first
        // An extended language is a language (RFC 5646 section 4.5).
        if let extended = parts.first, extended.utf8.count == 3, extended.utf8.allSatisfy(Self.isLetter) {
            language = Self.today[extended] ?? extended
            parts.removeFirst()
        }
        var tag = [language]
        if let script = parts.first, script.utf8.count == 4, script.utf8.allSatisfy(Self.isLetter) {
            tag.append(script.prefix(1).uppercased() + script.dropFirst())
            parts.removeFirst()
        }
        let isRegion = { (part: String) in
            part.utf8.count == 2 && part.utf8.allSatisfy(Self.isLetter) || part.utf8.count == 3 && !part.utf8.contains(where: Self.isLetter)
        }
        // Variants may come before it in the names of POSIX and Java.
        if let region = parts.prefix(while: { $0.utf8.count > 1 }).first(where: isRegion) { tag.append(region.uppercased()) }
        self = .tag(tag.joined(separator: "-"))
    }

    /// nil for both of the others.
    package var text: String? { if case .tag(let tag) = self { tag } else { nil } }

    private static func isSign(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "#")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static let nothing: Set<String> = [
        "und", "root", "c", "posix", "mul", "zxx", "mis", "i-default", "unknown", "null", "undefined", "nan", "none",
    ]

    /// Whole tags of before RFC 4646.
    private static let irregular = [
        "i-klingon": "tlh", "i-lux": "lb", "i-hak": "hak", "i-navajo": "nv", "i-tao": "tao", "i-tay": "tay", "i-tsu": "tsu",
        "i-ami": "ami", "i-bnn": "bnn", "i-pwn": "pwn", "zh-min-nan": "nan", "zh-min": "nan", "zh-hakka": "hak", "zh-xiang": "hsn",
        "zh-guoyu": "zh", "no-bok": "nb", "no-nyn": "nn", "en-gb-oed": "en-GB", "art-lojban": "jbo",
    ]

    /// Codes of before, and those of ISO 639-2 for which there are two letters.
    private static let today: [String: String] = [
        "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "cmn": "zh", "eng": "en", "deu": "de", "ger": "de", "fra": "fr",
        "fre": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "dut": "nl", "pol": "pl", "rus": "ru", "ukr": "uk", "jpn": "ja",
        "zho": "zh", "chi": "zh", "kor": "ko", "ara": "ar", "heb": "he", "tur": "tr", "swe": "sv", "dan": "da", "nor": "no", "nob": "nb",
        "nno": "nn", "fin": "fi", "ces": "cs", "cze": "cs", "slk": "sk", "slo": "sk", "hun": "hu", "ron": "ro", "rum": "ro", "bul": "bg",
        "ell": "el", "gre": "el", "hin": "hi", "ben": "bn", "tam": "ta", "tel": "te", "urd": "ur", "fas": "fa", "per": "fa", "vie": "vi",
        "tha": "th", "ind": "id", "msa": "ms", "may": "ms", "hrv": "hr", "srp": "sr", "slv": "sl", "est": "et", "lav": "lv", "lit": "lt",
        "cat": "ca", "eus": "eu", "baq": "eu", "glg": "gl", "isl": "is", "ice": "is", "gle": "ga", "cym": "cy", "wel": "cy", "sqi": "sq",
        "alb": "sq", "mkd": "mk", "mac": "mk", "kat": "ka", "geo": "ka", "hye": "hy", "arm": "hy", "aze": "az", "kaz": "kk", "mon": "mn",
        "nep": "ne", "sin": "si", "khm": "km", "lao": "lo", "mya": "my", "bur": "my", "afr": "af", "swa": "sw", "mar": "mr", "guj": "gu",
        "pan": "pa", "kan": "kn", "mal": "ml", "bel": "be", "bos": "bs", "yid": "yi", "lat": "la", "ltz": "lb", "mlt": "mt",
    ]
}
