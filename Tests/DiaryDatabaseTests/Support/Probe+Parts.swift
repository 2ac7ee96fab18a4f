import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

extension Probe {
    /// The entry that waits has a set of parts.
    private static func begun(_ seedData: SeedData) -> Statement? {
        Statement(
            "update entries set part_upload = 'set', part_bytes = 5 where tenant_id = $1 and user_id = $2 and id = $3",
            seedData.person.owner.parameters + [.uuid(seedData.awaiting.uuid)])
    }

    static let parts: [Probe] = [
        Probe(name: "partUpload") { try await $0.parts.partUpload(of: $1.awaiting, by: $1.person.member) != nil },
        Probe(name: "openPartUpload") {
            // The seed of the probes below has opened a set.
            let opening = PartUploadOpening(id: "new", partSize: 5, replacing: "set", most: 9)
            return try await $0.parts.openPartUpload(opening, of: $1.awaiting, by: $1.person.member)?.id == "new"
        },
        Probe(name: "closePartUpload", seed: begun) {
            try await $0.parts.closePartUpload("set", of: $1.awaiting, by: $1.person.member)
        },
        Probe(name: "partUploadState", seed: begun) {
            let key = ObjectKey(
                kind: .staging, tenant: $1.person.owner.tenant, user: $1.person.owner.user, object: $1.upload.object)
            return try await $0.parts.partUploadState("set", of: key) != .gone
        },
    ]
}
