import DiaryCrypto

/// Keyed hashes of tags and moods, for look-up (decision D21, docs/sealed-format.md). An entry that they find is confirmed on its opened part.
extension Vault {
    /// Sorted, so that the order of tags does not show; empty without tags and mood.
    package func hashes(of labels: Set<EntryLabel>) -> [Int64] {
        guard !labels.isEmpty else { return [] }
        let subkey = key.subkey(.index)
        return labels.map { Self.hash(of: $0, subkey) }.sorted()
    }

    private static func hash(of label: EntryLabel, _ subkey: SecretBytes) -> Int64 {
        let code = HMACSHA256.code(Array("\(label.kind.rawValue)\0\(label.text)".utf8), key: subkey)
        return Int64(bitPattern: UInt64(bigEndianBytes: code[..<8]))
    }
}
