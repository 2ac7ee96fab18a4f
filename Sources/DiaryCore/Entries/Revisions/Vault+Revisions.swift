import FoundationEssentials

extension Vault {
    /// Additional data names table, entry, layer (as the part) and number (as the content version).
    package func seal(_ text: RevisionPart, _ layer: TextLayer, number: Int64, of entry: EntryID) throws(DiaryError) -> SealedRevision {
        let sealed = try seal(text, as: .revision(of: layer), row: entry.uuid, version: number)
        return SealedRevision(layer: layer, number: number, sealed: sealed)
    }

    func open(_ stored: StoredRevision, _ layer: TextLayer, of entry: EntryID) -> Revision {
        let content = try? open(
            RevisionPart.self, stored.sealed.bytes, as: .revision(of: layer), row: entry.uuid, version: stored.sealed.version)
        return Revision(number: stored.sealed.version, layer: layer, createdAt: stored.createdAt, content: content)
    }
}

extension Vault.Part {
    static func revision(of layer: TextLayer) -> Vault.Part { Vault.Part(name: layer.rawValue, table: "entry_revisions") }
}
