package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresSweepStore: PartSweepStore {
    package func awaitingParts(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingParts] {
        try await read(
            Statement("select * from sweep_part_uploads($1, $2)", [.uuid(after?.uuid), .int4(Int32(clamping: limit))])
        ) { row throws(DatabaseError) in
            let upload = try AwaitingUpload(row)
            return AwaitingParts(
                upload: upload,
                parts: PartUpload(
                    key: ObjectKey(
                        kind: .staging, tenant: upload.owner.tenant, user: upload.owner.user, object: upload.object), id: try row.text(7),
                    contentType: try row.text(8), size: upload.size, partSize: try row.int(9)))
        }
    }

    package func orphans(among sets: [StoredPartSet]) async throws(WorkError) -> [StoredPartSet] {
        guard !sets.isEmpty else { return [] }
        let places = try await read(
            Statement(
                "select * from sweep_part_orphans($1, $2, $3, $4)",
                [
                    .uuids(sets.map(\.key.tenant.uuid)), .uuids(sets.map(\.key.user.uuid)), .uuids(sets.map(\.key.object)),
                    .texts(sets.map(\.id)),
                ])
        ) { row throws(DatabaseError) in try row.int(0) }
        let orphans = Set(places)
        return zip(Int64(1)..., sets).filter { orphans.contains($0.0) }.map(\.1)
    }
}
