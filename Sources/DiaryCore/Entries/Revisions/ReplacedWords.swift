import DiaryCrypto

extension Vault {
    /// Seals the words that others replace, with the owner's corrections of them, to be kept as revisions.
    /// - Parameters:
    ///   - version: of the part that has them.
    ///   - raw: the new words; those that are the same are not kept.
    package func revisions(
        of old: MachinePart, version: Int64, replacedBy raw: String, _ segments: SealedColumn?, _ corrections: StoredCorrections?,
        of id: EntryID
    ) throws(DiaryError) -> [SealedRevision] {
        var kept: [SealedRevision] = []
        if old.raw != raw {
            for (layer, text, engine) in [(TextLayer.raw, old.raw, old.speechEngine), (.clean, old.clean, old.textEngine)] {
                guard let text else { continue }
                kept.append(try seal(RevisionPart(text: text, engine: engine), layer, number: version, of: id))
            }
        }
        if let corrections, let segments {
            let heard = try open(segments: segments, of: id)
            let corrected = try open(corrections: corrections, of: segments, id).applied(to: heard)
            if corrected.contains(where: \.isEdited) {
                let text = RevisionPart(correcting: corrected, engine: old.speechEngine)
                kept.append(try seal(text, .corrected, number: corrections.sealed.version, of: id))
            }
        }
        return kept
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
