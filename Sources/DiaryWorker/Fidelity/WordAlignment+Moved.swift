extension WordAlignment {
    /// How many words a verb may move.
    private static let reach = 12

    /// German and Dutch put verbs at another place when a sentence is mended: "weil ich hatte Zeit", "weil ich Zeit hatte".
    ///
    /// One in a text: two that change places change what happened.
    mutating func linkMovedVerb(_ raw: [FidelityWord], _ rawIDs: [Int32], _ clean: [FidelityWord], _ cleanIDs: [Int32]) {
        for index in clean.indices where rawOf[index] < 0 && Self.isVerbLike(clean[index]) {
            let place = rawOf[..<index].last { $0 >= 0 } ?? 0
            let near = max(0, place - Self.reach)..<min(raw.count, place + Self.reach)
            guard let from = near.first(where: { cleanOf[$0] < 0 && rawIDs[$0] == cleanIDs[index] }) else { continue }
            cleanOf[from] = index
            rawOf[index] = from
            return
        }
    }

    private static func isVerbLike(_ word: FidelityWord) -> Bool {
        word.wordClass == .content && !word.isNameLike && ["t", "te", "ten", "tet"].contains { word.key.hasSuffix($0) }
    }
}
