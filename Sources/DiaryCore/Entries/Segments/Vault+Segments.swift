import FoundationEssentials

extension Vault.Part {
    package static let segments = Vault.Part(name: "segments", table: "entry_segments")
    static let corrections = Vault.Part(name: "corrections", table: "segment_corrections")
}

extension Vault {
    package func open(segments sealed: SealedColumn, of entry: EntryID) throws(DiaryError) -> [SpeechSegment] {
        try open([SpeechSegment].self, sealed.bytes, as: .segments, row: entry.uuid, version: sealed.version)
    }

    package func sealed(_ corrections: SegmentCorrections, of entry: EntryID, version: Int64) throws(DiaryError) -> SealedColumn {
        SealedColumn(bytes: try seal(corrections, as: .corrections, row: entry.uuid, version: version), version: version)
    }

    /// None for segments of another version.
    package func open(
        corrections stored: StoredCorrections?, of segments: SealedColumn, _ entry: EntryID
    ) throws(DiaryError) -> SegmentCorrections {
        guard let stored, stored.segmentsVersion == segments.version else { return SegmentCorrections() }
        let sealed = stored.sealed
        return try open(SegmentCorrections.self, sealed.bytes, as: .corrections, row: entry.uuid, version: sealed.version)
    }
}
