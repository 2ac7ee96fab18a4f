import Foundation

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of the trash and of the removal of recordings.
extension Probe {
    static let retention: [Probe] = [
        Probe(name: "moveToTrash") {
            try await $0.entries.moveToTrash($1.text, expecting: nil, days: 3, keyID: $1.person.keyID, by: $1.person.member).name
                == "written"
        },
        Probe(name: "moveToTrash in a batch") {
            guard
                case .deleted? = try await $0.entries.moveToTrash([$1.text], days: 3, keyID: $1.person.keyID, by: $1.person.member).first
            else { return false }
            return true
        },
        Probe(name: "trash") { try await !$0.entries.trash(before: nil, limit: 9, of: $1.person.member).isEmpty },
        Probe(name: "restore") {
            guard
                case .restored = try await $0.entries.restore($1.trashed, keyID: $1.person.keyID, job: JobID(UUID()), by: $1.person.member)
            else { return false }
            return true
        },
        Probe(name: "endTrash") {
            try await $0.entries.endTrash($1.trashed, expecting: nil, keyID: $1.person.keyID, by: $1.person.member).name != "missing"
        },
        Probe(name: "removeAudio") {
            try await $0.entries.removeAudio($1.finished, expecting: nil, keyID: $1.person.keyID, by: $1.person.member).name == "written"
        },
        Probe(name: "forgetAudio") {
            try await $0.entries.forgetAudio($1.removed, of: $1.person.owner)
            return false
        },
        Probe(name: "sweep endTrash") { try await $0.sweep.endTrash($1.ended, of: $1.person.owner) != nil },
        Probe(name: "sweep arrivedInTrash") {
            try await $0.sweep.arrivedInTrash(
                AwaitingUpload(
                    owner: $1.person.owner, entry: $1.trashed, object: $1.trashedObject, size: 5, createdAt: .now, expiresAt: .now))
            return true
        },
        Probe(name: "sweep removeAudio") { try await $0.sweep.removeAudio($1.finished, of: $1.person.owner) },
        Probe(name: "sweep forgetAudio") {
            try await $0.sweep.forget($1.swept($1.removed.uuid), of: .removedAudio)
            return false
        },
    ]
}

extension SeedData {
    /// What the sweeper has read of a row whose object it has deleted.
    func swept(_ id: UUID, object: UUID = UUID()) -> EndedObject {
        EndedObject(owner: person.owner, id: id, object: object, keys: [])
    }
}
