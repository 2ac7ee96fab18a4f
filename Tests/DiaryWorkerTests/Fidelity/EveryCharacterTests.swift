import DiaryCore
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

/// Every assigned character put into a clean text, against a plain rule of Unicode's categories that shares nothing with the guard.
///
/// Of letters, pictures and characters that are all alike a sample; more of them, and each at five places, with `DIARY_TIMES=1`.
@Suite("The guard of cleaned texts, on every character") struct EveryCharacterTests {
    enum Kind: String, CaseIterable, Sendable { case number, letter, mark, unseen, stop, symbol }

    enum Place: String, CaseIterable, Sendable { case beginning, inside, wordEnd, ownWord, end }

    /// A text in three parts: the first ends with a word, the third begins inside one.
    struct Carrier: Sendable {
        let language, first, second, third: String

        var raw: String { (first + second + third).lowercased() }

        func text(with sign: String, at place: Place) -> String {
            switch place {
            case .beginning: sign + first + second + third
            case .inside: first + second + sign + third
            case .wordEnd: first + sign + second + third
            case .ownWord: first + " " + sign + second + third
            case .end: first + second + third + sign
            }
        }

        func neighbours(at place: Place) -> (before: Unicode.Scalar?, after: Unicode.Scalar?) {
            switch place {
            case .beginning: (nil, first.unicodeScalars.first)
            case .inside: (second.unicodeScalars.last, third.unicodeScalars.first)
            case .wordEnd: (first.unicodeScalars.last, second.unicodeScalars.first)
            case .ownWord: (" ", second.unicodeScalars.first)
            case .end: (third.unicodeScalars.last, nil)
            }
        }
    }

    struct Placement: Sendable {
        let carrier: Carrier
        let place: Place
    }

    /// Joiners are at home inside the words of the second and the third: behind a prefix, behind a virama.
    private static let carriers = [
        Carrier(language: "en", first: "We met near", second: " the ri", third: "ver"),
        Carrier(language: "fa", first: "دیروز کتاب", second: " خوبی می", third: "خواندم"),
        Carrier(language: "hi", first: "हम आज", second: " \u{92A}\u{924}\u{94D}", third: "\u{925}\u{930} लेकर घर गए"),
    ]

    private static let placements = carriers.flatMap { carrier in
        Place.allCases.map { Placement(carrier: carrier, place: $0) }
    }

    private struct Crowd {
        let range: ClosedRange<UInt32>
        let step: UInt32
    }

    /// Ideographs, syllables, private use and planes without characters.
    private static let crowds = [
        Crowd(range: 0x3400...0x4DBF, step: 100), Crowd(range: 0x4E00...0x9FFF, step: 100), Crowd(range: 0xAC00...0xD7A3, step: 100),
        Crowd(range: 0xE000...0xF8FF, step: 100), Crowd(range: 0x17000...0x18AFF, step: 100), Crowd(range: 0x20000...0x33FFF, step: 100),
        Crowd(range: 0x34000...0xDFFFF, step: 9_973), Crowd(range: 0xE0200...0x10FFFF, step: 9_973),
    ]

    private static let samples: [Kind: [Unicode.Scalar]] = {
        var samples: [Kind: [Unicode.Scalar]] = [:]
        var met: [Unicode.GeneralCategory: Int] = [:]
        var value: UInt32 = 0
        while value <= 0x10FFFF {
            let crowd = crowds.first { $0.range.contains(value) }
            if let scalar = Unicode.Scalar(value) {
                let category = scalar.properties.generalCategory
                let number = met[category, default: 0]
                met[category] = number + 1
                if crowd != nil || number % sampled(category) == 0 { samples[PlainRule.kind(of: scalar), default: []].append(scalar) }
            }
            if let crowd { value = min(value + crowd.step, crowd.range.upperBound + 1) } else { value += 1 }
        }
        return samples
    }()

    /// One character of so many.
    private static func sampled(_ category: Unicode.GeneralCategory) -> Int {
        switch category {
        case .unassigned: 100
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: repetitions(full: 1, fast: 20)
        case .otherSymbol: repetitions(full: 1, fast: 4)
        default: 1
        }
    }

    private static func count(of scalar: Unicode.Scalar, as kind: Kind) -> Int {
        let category = scalar.properties.generalCategory
        let isEverywhere = kind == .unseen || kind == .stop
        if isEverywhere && scalar.value < 0x10000 && category != .unassigned && category != .privateUse { return placements.count }
        return repetitions(full: 5, fast: 1)
    }

    @Test("the guard says of each character what a plain rule says", arguments: Kind.allCases)
    func everyCharacter(kind: Kind) {
        var judged = 0
        var disagreements: [String] = []
        for (index, scalar) in Self.samples[kind, default: []].enumerated() {
            var left = Self.count(of: scalar, as: kind)
            for offset in Self.placements.indices where left > 0 {
                let placement = Self.placements[(index + offset) % Self.placements.count]
                let verdict = PlainRule.verdict(on: scalar, at: placement)
                if verdict == .undecided { continue }
                left -= 1
                judged += 1
                let carrier = placement.carrier
                let text = carrier.text(with: String(scalar), at: placement.place)
                let cleanup = FidelityGuard.judge(text, of: carrier.raw, language: carrier.language)
                if (cleanup.state == .accepted) == (verdict == .accepted) { continue }
                let code = String(scalar.value, radix: 16, uppercase: true)
                let place = "\(placement.place.rawValue) \(carrier.language)"
                let said = cleanup.reason?.rawValue ?? "accepted"
                disagreements.append("U+\(code) \(scalar.properties.generalCategory) \(place): \(said), not \(verdict.rawValue)")
            }
        }
        let shown = disagreements.prefix(40).joined(separator: "\n")

        #expect(judged >= 100, "\(kind.rawValue): \(judged)")
        #expect(disagreements.isEmpty, "\(kind.rawValue): \(disagreements.count) of \(judged)\n\(shown)")
    }

    @Test("the texts that carry the characters are accepted without them")
    func bare() {
        for carrier in Self.carriers {
            let cleanup = FidelityGuard.judge(carrier.text(with: "", at: .end), of: carrier.raw, language: carrier.language)
            #expect(cleanup.state == .accepted, "\(carrier.language)")
        }
    }
}

/// Signs that were found to pass once, their relatives, and honest texts that look like them.
@Suite("The guard of cleaned texts, on signs that nobody said") struct UnsaidSignsTests {
    private static let heard = "um today i walked to the river and i did not see anna at nine thirty it cost twenty euros"
    private static let clean = "Today I walked to the river, and I did not see Anna at nine-thirty. It cost twenty euros."

    private static func changed(_ word: String, _ other: String) -> String { clean.replacing(word, with: other) }

    private static func spread(_ sign: String, in word: String) -> String { word.map { String($0) + sign }.joined() }

    private static func string(_ value: UInt32) -> String { Unicode.Scalar(value).map { String($0) } ?? "" }

    private static func isAccepted(_ text: String, of raw: String = UnsaidSignsTests.heard, language: String = "en") -> Bool {
        FidelityGuard.judge(text, of: raw, language: language).state == .accepted
    }

    /// Those of the texts that are accepted, with the signs spelled out.
    private static func passed(_ texts: [String]) -> [String] {
        texts.filter { isAccepted($0) }.map { text in text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
    }

    @Test(
        "a number in signs of any kind is refused",
        arguments: [
            "²", "³", "¹", "²⁰⁰", "₂₀₀", "Ⅷ", "ⅷ", "ⅯⅯⅩⅩⅥ", "ↂ", "፳", "\u{10110}", "〨", "௰", "①", "⑳", "⑵", "⒛", "㊿", "⓪", "❷", "½", "⅓",
            "٢", "۲", "२",
            "２", "𝟚", "\u{1D360}", "\u{1D2E5}", "\u{12400}", "\u{10A40}", "\u{1F100}", "㉈", "㆒", "〇", "৴", "൰", "༪",
        ])
    func numbers(sign: String) {
        let texts = [
            Self.changed("twenty", "twenty" + sign), Self.changed("twenty", sign + "twenty"), Self.changed("euros.", "euros \(sign)."),
            Self.changed("euros.", "euros. \(sign)"), Self.changed("river", "river" + sign), sign + " " + Self.clean,
        ]
        #expect(Self.passed(texts).isEmpty)
    }

    @Test(
        "a minus before a number is refused, whatever stroke it is",
        arguments: ["-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2212}", "\u{FF0D}", "\u{FE63}"])
    func minus(sign: String) {
        #expect(Self.passed([Self.changed("twenty", sign + "twenty"), Self.changed("twenty", sign + "20")]).isEmpty)
        let readings: [(language: String, raw: String, clean: String)] = [
            ("en", "it was twenty five degrees", "It was \(sign)twenty-five degrees."),
            ("en", "twenty euros it cost", "\(sign)Twenty euros it cost."),
            ("de", "es waren zwanzig grad", "Es waren \(sign)zwanzig Grad."),
            ("fr", "il faisait vingt degrés", "Il faisait \(sign)vingt degrés."),
            ("es", "hacía veinte grados", "Hacía \(sign)veinte grados."),
        ]
        for (language, raw, clean) in readings {
            #expect(!Self.isAccepted(clean, of: raw, language: language), "\(clean)")
        }
    }

    @Test("a word that is struck through or framed is refused")
    func strokes() {
        let strokes: [UInt32] = [
            0x334, 0x335, 0x336, 0x337, 0x338, 0x20D2, 0x20D3, 0x20DD, 0x20DE, 0x20DF, 0x20E0, 0x20E2, 0x20E3, 0x20E4, 0x20E5, 0x20E6,
            0x20EA,
            0x20EB, 0x488, 0x489,
        ]
        var texts = strokes.flatMap { value -> [String] in
            let sign = Self.string(value)
            return [
                Self.changed("not", Self.spread(sign, in: "not")), Self.changed("not", "not" + sign), Self.changed("not", sign + "not"),
                Self.changed("did not see Anna", Self.spread(sign, in: "did not see Anna")),
            ]
        }
        texts += ["~not~", "~~not~~", "`not`", "<s>not</s>", "<del>not</del>"].map { Self.changed("not", $0) }
        texts += ["~did not see Anna~", "~~did not see Anna~~"].map { Self.changed("did not see Anna", $0) }
        #expect(Self.passed(texts).isEmpty)
    }

    @Test("letters above a word are refused")
    func lettersAbove() {
        var texts = (UInt32(0x363)...0x36F).map { Self.changed("river", "river" + Self.string($0)) }
        texts += ["river\u{369}\u{365}\u{364}", "river\u{1DDA}", "river\u{2DE0}", "river\u{A8E1}", "rive\u{36D}r"].map {
            Self.changed("river", $0)
        }
        #expect(Self.passed(texts).isEmpty)
    }

    @Test(
        "signs that are not shown are refused, one and many",
        arguments: [
            0xFEFF, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x61C, 0xAD, 0x34F, 0x2028, 0x2029, 0x180E, 0x2060, 0x2063, 0x202A, 0x202E,
            0x2066,
            0x2069, 0x206A, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0xFE00, 0xFE0E, 0xFE0F, 0xFFF9, 0x7F, 0x0, 0x1B, 0x85, 0xE000, 0xFDD0,
            0xFFFE, 0x1D173, 0xE0001, 0xE0041, 0xE0100, 0xF0000, 0x10FFFF,
        ] as [UInt32])
    func unseen(value: UInt32) {
        let sign = Self.string(value)
        let texts = [
            sign + Self.clean, Self.clean + sign, Self.changed("river", "ri\(sign)ver"), Self.changed("river", "river\(sign)"),
            Self.changed(" ", " \(sign)"), Self.changed(" ", "\(sign) "), Self.changed(" ", " \(sign) "), Self.spread(sign, in: Self.clean),
            Self.changed("river", "river" + String(repeating: sign, count: 40)),
        ]
        #expect(!sign.isEmpty)
        #expect(Self.passed(texts).isEmpty)
    }

    @Test("lines may not be broken at each blank by separators")
    func separators() {
        for sign in ["\u{2028}", "\u{2029}", "\u{B}", "\u{C}", "\u{85}"] {
            #expect(Self.passed([Self.changed(" ", sign), Self.changed(". ", "." + sign)]).isEmpty)
        }
    }

    @Test("what joins an emoji that was heard joins nothing else")
    func emoji() {
        let raw = "i felt great 👩\u{200D}👩\u{200D}👧 today ❤\u{FE0F}"
        #expect(Self.isAccepted("I felt great 👩\u{200D}👩\u{200D}👧 today ❤\u{FE0F}.", of: raw))
        for text in [
            "I fe\u{200D}lt great 👩\u{200D}👩\u{200D}👧 today ❤\u{FE0F}.", "I felt\u{FE0F} great 👩\u{200D}👩\u{200D}👧 today ❤\u{FE0F}.",
            "I felt great 👩\u{200D}👩\u{200D}👧 today ❤\u{FE0F} 🙂.",
        ] {
            #expect(!Self.isAccepted(text, of: raw), "\(text)")
        }
        for text in ["👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "❤", "1\u{FE0F}\u{20E3}", "🇩🇪", "👍🏽"] {
            #expect(!Self.isAccepted(Self.changed("euros.", "euros \(text)."), of: Self.heard), "\(text)")
        }
    }

    @Test("honest hyphens, joiners, accents, vowel signs and points are accepted")
    func honest() {
        let readings: [(language: String, raw: String, clean: String)] = [
            ("en", Self.heard, Self.clean),
            ("en", "it cost twenty five euros", "It cost twenty-five euros."),
            ("en", "it cost twenty five euros", "It cost twenty\u{2011}five euros."),
            ("en", "we left at nine thirty", "We left at nine-thirty."),
            ("en", "she is a well known singer", "She is a well-known singer."),
            ("en", "she is a well known singer", "She is a well\u{2010}known singer."),
            ("en", "she has a two year old daughter", "She has a two-year-old daughter."),
            ("en", "it was a catch twenty two", "It was a catch-twenty-two."),
            ("en", "we met anna near the river", "We met Anna - near the river."),
            ("en", "we were many twenty people came", "We were many — twenty people came."),
            ("fr", "il avait quatre vingt dix sept ans", "Il avait quatre-vingt-dix-sept ans."),
            ("fa", "من به خانه میروم", "من به خانه می\u{200C}روم."),
            ("fa", "من به خانه می روم", "من به خانه می\u{200C}روم."),
            ("fa", "کتاب\u{200C}ها را خواندم", "کتاب\u{200C}ها را خواندم."),
            ("hi", "वह रक्षा करता है", "वह रक्\u{200D}षा करता है।"),
            ("hi", "वह रक्\u{200D}षा करता है", "वह रक्षा करता है।"),
            ("hi", "वह रक्षा करता है", "वह रक्\u{200C}षा करता है।"),
            ("si", "ශ්\u{200D}රී ලංකාව ලස්සනයි", "ශ්\u{200D}රී ලංකාව ලස්සනයි."),
            ("ml", "അവന്\u{200D} ഇന്നലെ വന്നു", "അവന്\u{200D} ഇന്നലെ വന്നു."),
            ("bn", "সে র\u{200D}\u{9CD}যাব দেখেছে", "সে র\u{200D}\u{9CD}যাব দেখেছে।"),
            ("en", "we sat at the café", "We sat at the cafe\u{301}."),
            ("en", "we sat at the cafe\u{301}", "We sat at the café."),
            ("en", "we sat at the cafe", "We sat at the cafe\u{301}."),
            ("vi", "hôm nay tôi ăn phở ở việt nam", "Hôm nay tôi ăn phở ở Việt Nam."),
            ("vi", "hôm nay tôi ở việt nam", "Hôm nay tôi ở Vie\u{323}\u{302}t Nam."),
            ("vi", "hôm nay tôi ở vie\u{323}\u{302}t nam", "Hôm nay tôi ở Việt Nam."),
            ("vi", "hôm nay tôi ở việt nam", "Hôm nay tôi ở Viê\u{323}t Nam."),
            ("ar", "ذَهَبْتُ إِلَى السُّوقِ", "ذَهَبْتُ إِلَى السُّوقِ."),
            ("he", "שָׁלוֹם לְכֻלָּם", "שָׁלוֹם לְכֻלָּם."),
        ]
        for (language, raw, clean) in readings {
            let cleanup = FidelityGuard.judge(clean, of: raw, language: language)
            #expect(cleanup.state == .accepted, "\(raw) as \(clean): \(cleanup.reason?.rawValue ?? "")")
        }
    }
}

/// What a person would say of one character that was put into a text and was not heard.
private enum PlainRule {
    enum Verdict: String { case accepted, refused, undecided }

    static func kind(of scalar: Unicode.Scalar) -> EveryCharacterTests.Kind {
        if scalar.properties.isDefaultIgnorableCodePoint { return .unseen }
        return switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: .number
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: .letter
        case .nonspacingMark, .spacingMark, .enclosingMark: .mark
        case .format, .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: .unseen
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: .symbol
        default: .stop
        }
    }

    static func verdict(on scalar: Unicode.Scalar, at placement: EveryCharacterTests.Placement) -> Verdict {
        let (before, after) = placement.carrier.neighbours(at: placement.place)
        switch kind(of: scalar) {
        case .number: return .refused
        case .letter: return placement.place == .ownWord && placement.carrier.language == "en" ? letter(scalar) : .undecided
        case .mark: return mark(scalar, on: before)
        case .unseen:
            if joiners.contains(scalar) { return isJoined(before) && isJoined(after) ? .accepted : .refused }
            return layout.contains(scalar) ? .undecided : .refused
        case .stop: return stop(scalar, at: placement.place)
        case .symbol: return symbol(scalar)
        }
    }

    /// A word of its own. A sign that only belongs to the letter before it is none.
    private static func letter(_ scalar: Unicode.Scalar) -> Verdict {
        let parts = Array(String(scalar).decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars)
        guard let first = parts.first, kind(of: first) == .letter, first.properties.generalCategory != .modifierLetter else {
            return .undecided
        }
        let isAlone = parts.dropFirst().allSatisfy { kind(of: $0) == .mark }
        // One sign of hiragana is a particle, of which a few may come; U+309F is two of them.
        let isParticle = isAlone && (smallWords.contains(first) || (0x3041...0x3096).contains(first.value))
        return isParticle || scalar == "\u{309F}" ? .undecided : .refused
    }

    private static func mark(_ scalar: Unicode.Scalar, on before: Unicode.Scalar?) -> Verdict {
        if scalar.properties.generalCategory == .enclosingMark { return .refused }
        if neverSpoken.contains(where: { $0.contains(scalar.value) }) { return .refused }
        guard let before, before.value < 0x250, before.properties.isAlphabetic else { return .undecided }
        if before == "i" && scalar == "\u{307}" { return .undecided }
        let pair = (String(before) + String(scalar)).precomposedStringWithCanonicalMapping
        return pair.unicodeScalars.count == 1 ? .undecided : .refused
    }

    private static func stop(_ scalar: Unicode.Scalar, at place: EveryCharacterTests.Place) -> Verdict {
        if percents.contains(scalar) { return .refused }
        let isOrdinary =
            switch place {
            case .beginning: openers.contains(scalar) || blanks.contains(scalar)
            case .wordEnd: closers.contains(scalar) || dashes.contains(scalar) || blanks.contains(scalar)
            case .end: closers.contains(scalar) || blanks.contains(scalar)
            case .ownWord: dashes.contains(scalar) || blanks.contains(scalar) || french.contains(scalar)
            case .inside: false
            }
        return isOrdinary ? .accepted : .undecided
    }

    /// A tilde or a bar alone may be a flourish; a modifier alone may be an accent. Skin tones are pictures.
    private static func symbol(_ scalar: Unicode.Scalar) -> Verdict {
        if flourishes.contains(scalar) { return .undecided }
        if (0x1F3FB...0x1F3FF).contains(scalar.value) { return .refused }
        return scalar.properties.generalCategory == .modifierSymbol ? .undecided : .refused
    }

    /// A letter or a mark of a script that writes joiners: Arabic to Sinhala, Myanmar, Khmer, Mongolian.
    private static func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, joiningScripts.contains(where: { $0.contains(scalar.value) }) else { return false }
        return kind(of: scalar) == .letter || kind(of: scalar) == .mark
    }

    private static func scalars(_ text: String) -> Set<Unicode.Scalar> { Set(text.unicodeScalars) }

    private static let joiners = scalars("\u{200C}\u{200D}")
    private static let joiningScripts: [ClosedRange<UInt32>] = [0x600...0xDFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1800...0x18AF]
    private static let layout = scalars("\n\t\r")
    /// Strokes through a letter, strokes and frames of symbols, small letters above a letter.
    private static let neverSpoken: [ClosedRange<UInt32>] = [
        0x334...0x338, 0x363...0x36F, 0x1DD3...0x1DF4, 0x20D2...0x20F0, 0x2DE0...0x2DFF,
    ]
    /// One letter that is an English word, and sounds that may be left out and so may differ.
    private static let smallWords = scalars("aioıø嗯啊呃哦唔欸額额噢喔あぁえぇうぅおぉんアァエェウゥオォンーэ")
    private static let blanks = scalars(" \u{A0}\u{2009}\u{202F}\u{3000}")
    private static let openers = scalars("('\"“‘„‚«‹»¿¡「『《〈（")
    private static let closers = scalars(".,;:!?…'\"’”“»›«)。、！？，．；：）」』》〉،؛؟۔।॥։՜՞።፣။၊។།")
    private static let dashes = scalars("–—")
    private static let french = scalars(";:!?«»")
    private static let percents = scalars("%‰‱٪؉؊％﹪")
    private static let flourishes = scalars("~|～｜")
}
