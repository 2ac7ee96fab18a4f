/// Phrases that are looked for in the words of a text, as `FidelityTokenizer` writes keys: lower case, without accents.
struct KeyPhrases: Sendable {
    /// Phrases by their first word, so that the time grows with the text alone.
    private let phrases: [String: [[String]]]

    /// - Parameter list: with commas between.
    init(_ list: String) {
        phrases = Dictionary(grouping: list.split(separator: ",").map { $0.split(separator: " ").map(String.init) }) { $0.first ?? "" }
    }

    func occur(in keys: [String]) -> Bool {
        for (index, key) in keys.enumerated() {
            guard let candidates = phrases[key] else { continue }
            if candidates.contains(where: { keys[index...].starts(with: $0) }) { return true }
        }
        return false
    }
}
