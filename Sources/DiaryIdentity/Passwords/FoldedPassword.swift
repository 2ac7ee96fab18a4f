/// A password in lower case, with the digits and signs that stand for letters replaced by those letters.
///
/// Decision: patterns instead of a stored list. Lists of leaked passwords hold few of twelve characters and more, and
/// those are nearly all one or two everyday words with digits or signs around them, or runs. The word list below, its
/// pairs cover some 380,000 stems under any decoration, where ASVS 6.2.4 asks for 3,000 entries.
struct FoldedPassword {
    private let lowered: [Character]
    /// Letters only, for two readings of the signs: as letters, and as decoration.
    private let cores: [String]

    init(_ password: String) {
        lowered = Array(password.lowercased())
        let trimmed = lowered.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed()
        let restored = lowered.map { Self.letters[$0] ?? $0 }
        cores = [
            String(lowered.filter(\.isLetter)),
            String(trimmed.map { Self.letters[$0] ?? $0 }.filter(\.isLetter)),
            String(restored.filter(\.isLetter)),
        ]
    }

    private static let letters: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s",
    ]

    /// At most two everyday words, or one repeated.
    var isCommon: Bool { isMade(ofAny: CommonWords.all) }

    /// Linear in the password's length, because this runs on the event loop. A prefix longer than the longest word is no word and is
    /// not looked up, so at most as many prefixes are tried as the longest word has letters.
    func isMade(ofAny words: Set<String>) -> Bool {
        // The byte count is at least the letter count, and is known without iterating.
        let longest = words.reduce(0) { max($0, $1.utf8.count) }
        return cores.contains { core in
            guard !core.isEmpty else { return false }
            if words.contains(core) { return true }
            let letters = Array(core)
            return letters.indices.dropFirst().prefix(longest).contains { cut in
                let head = String(letters[..<cut])
                guard words.contains(head) else { return false }
                let isTwoWords = letters.count - cut <= longest && words.contains(String(letters[cut...]))
                return isTwoWords || Self.repeats(head, in: core)
            }
        }
    }

    private static func repeats(_ piece: String, in text: String) -> Bool {
        text == String(repeating: piece, count: text.count / max(1, piece.count))
    }

    /// One sequence of up to six characters repeated, or mostly runs of at least three.
    var isPredictable: Bool {
        let repeated = (1...6).contains { length in
            lowered.indices.allSatisfy { $0 < length || lowered[$0] == lowered[$0 - length] }
        }
        return repeated || charactersOutsideRuns <= 3
    }

    private var charactersOutsideRuns: Int {
        var outside = 0
        var start = 0
        while start < lowered.count {
            var end = start + 1
            // The direction of a run is set by its second step: forwards, backwards or the same character again.
            var step: Int?
            while end < lowered.count, let found = Self.step(lowered[end - 1], lowered[end]), step == nil || step == found {
                step = found
                end += 1
            }
            let length = end - start
            if length < 3 { outside += length }
            start = end
        }
        return outside
    }

    private static let rows: [[Character]] = [
        "abcdefghijklmnopqrstuvwxyz", "0123456789", "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm",
        "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()",
    ].map(Array.init)

    private static func step(_ first: Character, _ second: Character) -> Int? {
        if first == second { return 0 }
        for row in rows {
            guard let place = row.firstIndex(of: first), let next = row.firstIndex(of: second) else { continue }
            if abs(next - place) == 1 { return next - place }
        }
        return nil
    }
}
