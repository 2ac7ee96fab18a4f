package import FoundationEssentials

/// A person who speaks in recordings, known beyond one of them: labels of recordings point to it (`SegmentCorrections.profiles`).
package struct SpeakerProfile: Sendable, Equatable {
    package var id: SpeakerID
    /// nil when it was altered in the database and does not open.
    package var name: String?
    package var version: Int64
    package var createdAt: Date
    package var updatedAt: Date
    /// Recordings keep the name of a deleted one, and no more.
    package var deletedAt: Date?
    /// Of its last change, in the account's feed.
    package var changeNumber: Int64
}

package enum SpeakerProfiles {}
package typealias SpeakerID = ID<SpeakerProfiles>

/// A profile as the database holds it. The sealed column's version is the profile's.
package struct StoredSpeakerProfile: Sendable, Equatable {
    package var id: SpeakerID
    package var sealed: SealedColumn
    package var createdAt: Date
    package var updatedAt: Date
    package var deletedAt: Date?
    package var changeNumber: Int64

    package init(id: SpeakerID, sealed: SealedColumn, createdAt: Date, updatedAt: Date, deletedAt: Date?, changeNumber: Int64) {
        self.id = id
        self.sealed = sealed
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.deletedAt = deletedAt
        self.changeNumber = changeNumber
    }
}

extension Vault.Part {
    static let speakerName = Vault.Part(name: "name", table: "speaker_profiles")
}

extension Vault {
    package func seal(speaker name: String, _ id: SpeakerID, version: Int64) throws(DiaryError) -> SealedColumn {
        SealedColumn(bytes: try seal(Array(name.utf8), .speakerName, row: id.uuid, version: version), version: version)
    }

    package func open(_ stored: StoredSpeakerProfile) -> SpeakerProfile {
        let name = try? open(stored.sealed.bytes, .speakerName, row: stored.id.uuid, version: stored.sealed.version)
        return SpeakerProfile(
            id: stored.id, name: name.map { String(decoding: $0, as: UTF8.self) }, version: stored.sealed.version,
            createdAt: stored.createdAt, updatedAt: stored.updatedAt, deletedAt: stored.deletedAt, changeNumber: stored.changeNumber)
    }
}
