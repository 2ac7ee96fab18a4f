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
            if old.raw != transcript.text {
                for (layer, text, engine) in [(TextLayer.raw, old.raw, old.speechEngine), (.clean, old.clean, old.textEngine)] {
                    guard let text else { continue }
                    kept.revisions.append(try seal(RevisionPart(text: text, engine: engine), layer, number: version, of: id))
                }
            }
            if let corrections, let segments {
                let heard = try open(segments: segments, of: id)
                let corrected = try open(corrections: corrections, of: segments, id).applied(to: heard)
                if corrected.contains(where: \.isEdited) {
                    let text = RevisionPart(correcting: corrected, engine: old.speechEngine)
                    kept.revisions.append(try seal(text, .corrected, number: corrections.sealed.version, of: id))
                }
            }
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

extension RevisionPart {
    /// - Parameter segments: with their corrections.
    fileprivate init(correcting segments: [SpeechSegment], engine: EngineReference?) {
        let corrections = segments.compactMap { segment -> Correction? in
            guard let id = segment.id, segment.isEdited else { return nil }
            return Correction(
                segment: id, start: segment.start, end: segment.end, text: segment.shownText, speaker: segment.editedSpeaker)
        }
        self.init(
            text: segments.map(\.shownText).filter { !$0.isEmpty }.joined(separator: "\n"), engine: engine, corrections: corrections)
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
