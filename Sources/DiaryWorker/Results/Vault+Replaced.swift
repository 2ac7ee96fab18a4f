import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Seals the texts that a result replaces, to be kept as revisions.
extension Vault {
    /// The machine's texts before a recognition; nil before the first.
    func texts(of entry: StoredEntry) throws(DiaryError) -> MachinePart? {
        entry.machine == nil ? nil : try machine(of: entry)
    }

    /// The texts that a new recognition replaces, and the owner's corrections, which it takes away. Reads them anew at each call: they may
    /// change until the result is written.
    func replaced(
        _ old: MachinePart?, by transcript: RawTranscript, of entry: StoredEntry, in store: any TranscriptionStore
    ) async throws(WorkError) -> ReplacedTexts {
        guard let old, let version = entry.machine?.version else { return .nothing }
        let id = entry.facts.id
        let corrections = try await store.corrections(id, of: owner)
        var kept = ReplacedTexts(corrections: corrections?.sealed.version ?? 0)
        let segments = corrections == nil ? nil : try await store.segments(id, of: owner)
        do throws(DiaryError) {
            kept.revisions = try revisions(of: old, version: version, replacedBy: transcript.text, segments, corrections, of: id)
            return kept
        } catch {
            throw .unavailable(error)
        }
    }

    /// The cleaned text that another replaces.
    func replaced(_ old: MachinePart, by clean: String?, of entry: StoredEntry) throws(DiaryError) -> ReplacedTexts {
        guard let text = old.clean, text != clean, let version = entry.machine?.version else { return .nothing }
        let part = RevisionPart(text: text, engine: old.textEngine)
        return ReplacedTexts(revisions: [try seal(part, .clean, number: version, of: entry.facts.id)])
    }
}

extension Vault {
    func seal(_ value: some Encodable, _ part: Part, row: UUID, replacing version: Int64) throws(DiaryError) -> SealedResult {
        SealedResult(sealed: try seal(value, as: part, row: row, version: version + 1), version: version + 1, keyID: key.id)
    }

    func seal(_ value: some SealablePart, _ part: Part, row: UUID, replacing version: Int64) throws(DiaryError) -> SealedResult {
        SealedResult(sealed: try seal(value, as: part, row: row, version: version + 1), version: version + 1, keyID: key.id)
    }

    /// What earlier stages wrote. A damaged part stops the job: the result would overwrite what a backup may still restore.
    func machine(of entry: StoredEntry) throws(DiaryError) -> MachinePart {
        guard let sealed = entry.machine else { return MachinePart() }
        return try open(MachinePart.self, sealed.bytes, as: .machine, row: entry.facts.id.uuid, version: sealed.version)
    }
}
