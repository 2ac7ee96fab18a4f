import DiaryCrypto
import WireFormats

/// One operation of a batch.
package enum BatchOperation: Sendable {
    case create(EntryDraft)
    case tag(EntryID, add: [String], remove: [String])
    case delete(EntryID)
    case deleteAudio(EntryID)
    /// Its members were not acceptable.
    case refused(DiaryError)

    package static let most = 100

    var wantsParts: Bool { if case .create(let draft) = self { draft.wantsParts } else { false } }

    package var isCreation: Bool { if case .create = self { true } else { false } }

    /// What the hash of the batch is made of.
    func canonical(_ serviceKeys: ServiceKeys) -> [String?] {
        switch self {
        case .create(let draft): ["create", Hex.encode(draft.requestHash(serviceKeys))]
        case .tag(let id, let add, let remove): ["tag", id.description, "\(add.count)"] + add + remove
        case .delete(let id): ["delete", id.description]
        case .deleteAudio(let id): ["delete_audio", id.description]
        case .refused(let error): ["refused", error.code.rawValue] + error.fields.map(\.pointer)
        }
    }

    /// Operations of one kind are done together while they name different entries.
    enum Kind { case create, tag, delete, deleteAudio }

    var kind: Kind? {
        switch self {
        case .create: .create
        case .tag: .tag
        case .delete: .delete
        case .deleteAudio: .deleteAudio
        case .refused: nil
        }
    }
}

/// The result of one operation of a batch, as it would have been by itself; entries are summaries.
package enum BatchResult: Sendable {
    case created(StartedEntry)
    case changed(Entry)
    case deleted
    case refused(DiaryError)

    package var status: Int {
        switch self {
        case .created: 201
        case .changed: 200
        case .deleted: 204
        case .refused(let error): error.code.status
        }
    }

    /// What is stored with the batch's key: a status, or an error's code and, after a space, the entry that it names.
    var stored: String {
        guard case .refused(let error) = self else { return "\(status)" }
        return error.entry.map { "\(error.code.rawValue) \($0)" } ?? error.code.rawValue
    }

    static func refusal(_ stored: String) -> DiaryError {
        let words = stored.split(separator: " ", maxSplits: 1)
        let code = words.first.flatMap { ErrorCode(rawValue: String($0)) } ?? .internalError
        return DiaryError(code, entry: words.count > 1 ? EntryID(words[1]) : nil)
    }
}

package enum BatchDeletion: Sendable {
    case deleted(StoredRecording)
    /// It was deleted before.
    case already
    case missing
}
