import DiaryCrypto
import FoundationEssentials

/// A new personal part of an entry, and the facts that its owner changes with it.
package struct PersonalRewrite: Sendable {
    package var id: EntryID
    package var sealed: SealedColumn
    /// Hashes of the labels in the sealed part.
    package var labelHashes: [Int64] = []
    /// The version of the part that was read.
    package var expecting: Int64
    package var facts = FactsPatch()
    /// Whether the text or its segments are other ones, which dismisses a `failedRun`. Notes, tags and the rest leave it.
    package var changesWords = false
    /// The edited text that this write replaces or clears.
    package var replaced: SealedRevision?
    /// nil: what describes the text stays.
    package var redescription: Redescription?
    /// nil: as they were.
    package var corrections: CorrectionsWrite?
}

/// Of a typed text that becomes another one: what a language model said about the old one goes.
package struct Redescription: Sendable, Equatable {
    /// The job that describes the new one, unless one is queued or running already; nil: the app wants none.
    package var job: JobID?

    package init(job: JobID? = nil) { self.job = job }
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
    /// Reads an entry and writes the owner's part over the version that was read. Where `match` names no version, a concurrent change is read
    /// again: two devices used by hand do not conflict three times in a row.
    /// - Parameter change: nil when there is nothing to write.
    func rewrite(
        _ id: EntryID, matching match: VersionMatch, _ keys: DataKeys, by member: Member,
        _ change: (Entry, Vault) throws(DiaryError) -> PersonalRewrite?
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        let vault = try await keys.vault(of: member)
        for _ in 0..<3 {
            guard let stored = try await entry(id, of: member) else { throw .notFound }
            let opened = try vault.open(stored)
            if case .exactly(let version) = match, version != stored.version { return .conflict(opened) }
            guard let rewrite = try change(opened, vault) else { return .written(opened) }
            switch try await rewritePersonal(rewrite, keyID: vault.key.id, by: member) {
            case .written(let stored): return .written(try vault.open(stored))
            case .missing: throw .notFound
            case .conflict(let current): if match != .any { return .conflict(try vault.open(current)) }
            }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
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
