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

    package func orphans(among uploads: [StoredPartUpload]) async throws(WorkError) -> [StoredPartUpload] {
        guard !uploads.isEmpty else { return [] }
        let places = try await read(
            Statement(
                "select * from sweep_part_orphans($1, $2, $3, $4)",
                [
                    .uuids(uploads.map(\.key.tenant.uuid)), .uuids(uploads.map(\.key.user.uuid)), .uuids(uploads.map(\.key.object)),
                    .texts(uploads.map(\.id)),
                ])
        ) { row throws(DatabaseError) in try row.int(0) }
        let orphans = Set(places)
        return zip(Int64(1)..., uploads).filter { orphans.contains($0.0) }.map(\.1)
    }
}
