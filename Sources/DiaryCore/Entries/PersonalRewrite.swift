import DiaryCrypto
import FoundationEssentials

/// A new personal part of an entry, and the facts that its owner changes with it.
package struct PersonalRewrite: Sendable {
    package var id: EntryID
    package var sealed: SealedColumn
    /// Hashes of the tags and the mood in the sealed part.
    package var labelHashes: [Int64] = []
    /// The version of the part that was read.
    package var expecting: Int64
    package var facts = FactsPatch()
    /// The edited text that this write replaces or clears.
    package var replaced: SealedRevision?
    /// nil: as they were.
    package var corrections: CorrectionsWrite?
}

extension Vault {
    /// - Parameter version: of the part that was read.
    func rewrite(_ personal: PersonalPart, of id: EntryID, over version: Int64) throws(DiaryError) -> PersonalRewrite {
        let sealed = try seal(personal, as: .personal, row: id.uuid, version: version + 1)
        return PersonalRewrite(
            id: id, sealed: SealedColumn(bytes: sealed, version: version + 1), labelHashes: hashes(of: personal.labels), expecting: version)
    }
}

extension EntryStore {
    /// Writes the owner's part over the version that was read.
    /// - Returns: nil when another change came first and `match` names no version: it is to be read again.
    func rewrite(
        _ rewrite: PersonalRewrite, matching match: VersionMatch, _ vault: Vault, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry>? {
        switch try await rewritePersonal(rewrite, keyID: vault.key.id, by: member) {
        case .written(let stored): .written(try vault.open(stored))
        case .missing: throw .notFound
        case .conflict(let current): match == .any ? nil : .conflict(try vault.open(current))
        }
    }
}

/// The condition of an `If-Match` field.
package enum VersionMatch: Sendable, Equatable {
    /// `*`, or no condition where none is required.
    case any
    case exactly(Int64)
}

/// The outcome of a write that names the version it is based on.
package enum VersionedWrite<Written: Sendable>: Sendable {
    case written(Written)
    /// Nothing was written, because the entry has another version: the present entry.
    case conflict(Entry)
}
