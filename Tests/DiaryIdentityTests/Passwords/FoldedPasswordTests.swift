import Testing

@testable import DiaryIdentity

@Suite("B12: words and runs in passwords")
struct FoldedPasswordTests {
    /// Of 1,024 letters or signs, or close to it.
    private static let longOnes: [(password: String, isCommon: Bool)] = [
        (many("password", 128), true),
        (many("P@ssw0rd", 128), true),
        (many("to", 509, then: "monkey"), false),
        (many("dragon", 170, then: "drag"), false),
        (many("dragon", 170, then: "1234"), true),
        ("monkey\(many("xqvz", 254))jk", false),
        (many("xqvz", 254, then: "monkey12"), false),
        (many("1", 506, then: "monkeydragon\(many("!", 506))"), true),
        (many("1", 506, then: "monkeyxqvzjk\(many("!", 506))"), false),
        (many("a", 1024), false),
        (many("é", 512), false),
    ]

    private static func many(_ piece: String, _ count: Int, then rest: String = "") -> String {
        String(repeating: piece, count: count) + rest
    }

    @Test("B12: passwords of 1,024 letters are judged as short ones are")
    func long() {
        for (password, isCommon) in Self.longOnes {
            #expect(FoldedPassword(password).isCommon == isCommon, "\(password.prefix(20))")
        }
    }

    @Test("B12: cutting no further than the longest word finds what cutting everywhere finds")
    func sameAsEverywhere() {
        let words: Set<String> = ["a", "ab", "ba", "abba", "bab", "é", "éa"]
        let letters = ["a", "b", "é"]
        for number in 0..<600 {
            // Every text of five letters out of three, then some of eight.
            var rest = number
            var text = ""
            for _ in 0..<(number < 243 ? 5 : 8) {
                text += letters[rest % 3]
                rest /= 3
            }
            for times in [1, 2, 7] {
                let whole = String(repeating: text, count: times)
                #expect(FoldedPassword(whole).isMade(ofAny: words) == Self.cuttingEverywhere(whole, words), "\(whole)")
            }
        }
        #expect(!FoldedPassword("abab").isMade(ofAny: []))
    }

    /// For lower-case letters alone, which fold to themselves.
    private static func cuttingEverywhere(_ text: String, _ words: Set<String>) -> Bool {
        if words.contains(text) { return true }
        return (1..<max(2, text.count)).contains { cut in
            let head = String(text.prefix(cut))
            let tail = String(text.dropFirst(cut))
            let repeated = String(repeating: head, count: text.count / head.count) == text
            return words.contains(head) && (words.contains(tail) || repeated)
        }
    }
}
