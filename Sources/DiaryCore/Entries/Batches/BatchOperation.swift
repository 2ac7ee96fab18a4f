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
