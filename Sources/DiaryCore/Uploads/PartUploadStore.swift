/// An entry's recording and its set of parts, as the database has them.
package struct PartUploadState: Sendable, Equatable {
    /// It waits for its recording, or has expired.
    package var isOpen: Bool
    package var key: ObjectKey
    package var contentType: String
    package var size: Int64
    /// The open set's name and the length of its parts; nil without one.
    package var id: String?
    package var partSize: Int64?
    /// How many other entries of the account have a set and wait.
    package var others: Int = 0

    package init(isOpen: Bool, key: ObjectKey, contentType: String, size: Int64, id: String?, partSize: Int64?, others: Int = 0) {
        self.isOpen = isOpen
        self.key = key
        self.contentType = contentType
        self.size = size
        self.id = id
        self.partSize = partSize
        self.others = others
    }

    var upload: PartUpload? {
        guard let id, let partSize else { return nil }
        return PartUpload(key: key, id: id, contentType: contentType, size: size, partSize: partSize)
    }
}

/// A set that an entry is to have.
package struct PartUploadOpening: Sendable {
    package var id: String
    package var partSize: Int64
    /// The set that it replaces; nil: it has none.
    package var replacing: String?
    /// How many other entries of the account may have one and wait.
    package var most: Int
}

/// The state of a set of parts, for the holder of a part's URL.
package enum PartSetState: Sendable, Equatable {
    /// Its entry waits for it, perhaps in the trash.
    case awaiting
    /// Its entry has its recording.
    case finished
    /// Its entry has expired, or its account is closed: no part begins to arrive, but those that are there are kept.
    case closed
    /// No row names it: cancelled, or its entry or account is gone.
    case gone
}

/// Sets of parts, by the database role `diary_api`: every call is one round trip; those with a member begin with the session check.
package protocol PartUploadStore: Sendable {
    /// Nil for a missing entry, and for a text.
    func partUpload(of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState?
    /// Gives the entry a set. Of several calls at once one stores its set, and all get that one.
    /// - Returns: the state afterwards, without a set when the account has too many; nil for an entry that does not wait.
    func openPartUpload(
        _ opening: PartUploadOpening, of id: EntryID, by member: Member
    ) async throws(DiaryError) -> PartUploadState?
    /// - Returns: false when the entry has another set or none, or has its recording.
    func closePartUpload(_ upload: String, of id: EntryID, by member: Member) async throws(DiaryError) -> Bool
    /// Without a session: the part URL's signature has authenticated the caller.
    func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState
}

extension PartUploadStore {
    /// - Throws: `notFound`, `notAVoiceEntry`, and `uploadFinished` for an entry that neither waits nor has expired.
    func openState(
        of id: EntryID, by member: Member, _ entries: any EntryStore
    ) async throws(DiaryError) -> PartUploadState {
        guard let state = try await partUpload(of: id, by: member) else {
            guard try await entries.entry(id, of: member) != nil else { throw .notFound }
            throw DiaryError(.notAVoiceEntry)
        }
        guard state.isOpen else { throw DiaryError(.uploadFinished) }
        return state
    }
}
