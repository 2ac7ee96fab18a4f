package import FoundationEssentials

/// An earlier text as the database holds it. The sealed column's version is the revision's number.
package struct StoredRevision: Sendable {
    package var sealed: SealedColumn
    /// When the text was replaced.
    package var createdAt: Date

    package init(sealed: SealedColumn, createdAt: Date) {
        self.sealed = sealed
        self.createdAt = createdAt
    }
}

/// At most `limit` revisions of a layer and about 2 MiB of sealed text, at least one, the newest first.
package struct RevisionPage: Sendable {
    package var revisions: [StoredRevision]
    /// There are more after these.
    package var more: Bool

    package init(_ revisions: [StoredRevision], more: Bool) {
        self.revisions = revisions
        self.more = more
    }
}

/// An earlier text as it is stored, with the write that replaces it.
package struct SealedRevision: Sendable, Equatable {
    package var layer: TextLayer
    /// The content version of the part that had the text last: it grows within a layer, with gaps.
    package var number: Int64
    package var sealed: [UInt8]
}

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
