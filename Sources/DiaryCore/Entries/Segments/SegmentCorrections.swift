package import FoundationEssentials

/// What the owner has corrected in the segments of a recording, sealed as part `corrections` of the table `segment_corrections`. Only the API
/// writes it; what was heard stays as the worker wrote it.
package struct SegmentCorrections: Sendable, Equatable, Codable {
    /// Corrected texts, by segment.
    package var texts: [Int: String] = [:]
    /// Names of speakers, by label.
    package var speakers: [String: String] = [:]
    /// Labels of speakers, by segment.
    package var segmentSpeakers: [Int: String] = [:]
    /// Ids of speaker profiles, by label. `speakers` has the name that the profile had when this was written; what is read has its present
    /// one (`resolved`).
    package var profiles: [String: UUID] = [:]
    /// Written with the first correction of a cleaned text.
    var cleaned: Cleaned?

    /// What a cleaned text was made from, beside what was heard.
    struct Cleaned: Sendable, Equatable, Codable {
        /// Of the text, as of `CorrectedText`.
        var basis: String
        /// The texts that were corrected then, by segment.
        var texts: [Int: String]
    }

    /// Speakers of one recording, heard and added.
    package static let mostSpeakers = 100
    /// Code points of the corrected texts of a recording together: many times what is spoken in three hours. All are read and written with each
    /// correction.
    package static let longest = 1_000_000

    package init(
        texts: [Int: String] = [:], speakers: [String: String] = [:], segmentSpeakers: [Int: String] = [:], profiles: [String: UUID] = [:]
    ) {
        self.texts = texts
        self.speakers = speakers
        self.segmentSpeakers = segmentSpeakers
        self.profiles = profiles
    }

    /// Code points of the corrected texts.
    package var length: Int { texts.values.reduce(0) { $0 + $1.unicodeScalars.count } }

    package var isEmpty: Bool { texts.isEmpty && speakers.isEmpty && segmentSpeakers.isEmpty && profiles.isEmpty }

    /// With the present names of the profiles. A deleted one leaves its name and is pointed to no more.
    package func resolved(by profiles: [SpeakerProfile]) -> SegmentCorrections {
        guard !self.profiles.isEmpty else { return self }
        let known: [UUID: SpeakerProfile] = Dictionary(profiles.map { ($0.id.uuid, $0) }) { first, _ in first }
        return resolved(by: known)
    }

    /// The same for many recordings.
    func resolved(by known: [UUID: SpeakerProfile]) -> SegmentCorrections {
        guard !profiles.isEmpty else { return self }
        var resolved = self
        for (label, id) in profiles {
            let profile = known[id]
            if let name = profile?.name { resolved.speakers[label] = name }
            if profile == nil || profile?.deletedAt != nil { resolved.profiles[label] = nil }
        }
        return resolved
    }

    /// The profiles with the names that they have here, each once.
    package var profileNames: [SpeakerID: String] {
        let named = profiles.sorted { $0.key < $1.key }.compactMap { label, id in speakers[label].map { (SpeakerID(id), $0) } }
        return Dictionary(named) { first, _ in first }
    }

    /// The segments with their corrections.
    package func applied(to segments: [SpeechSegment]) -> [SpeechSegment] {
        segments.map { segment in
            var segment = segment
            segment.editedText = segment.id.flatMap { texts[$0] }
            segment.editedSpeaker = segment.id.flatMap { segmentSpeakers[$0] }
            return segment
        }
    }
}

/// Corrections as the database holds them. The sealed column's version is that of the entry's personal part which was written with them.
package struct StoredCorrections: Sendable, Equatable {
    package var sealed: SealedColumn
    /// The content version of the segments that they belong to; of other segments they change nothing.
    package var segmentsVersion: Int64

    package init(sealed: SealedColumn, segmentsVersion: Int64) {
        self.sealed = sealed
        self.segmentsVersion = segmentsVersion
    }
}

/// Corrections to be written with an entry's personal part, in place of those that are there.
package struct CorrectionsWrite: Sendable {
    package var sealed: [UInt8]
    /// Nothing is written when the entry has other segments by now.
    package var segmentsVersion: Int64
    /// Nor when it has another part of the machine, whose text was corrected.
    package var machineVersion: Int64
    /// The profiles that they point to, once each.
    package var speakers: [UUID] = []
}

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
