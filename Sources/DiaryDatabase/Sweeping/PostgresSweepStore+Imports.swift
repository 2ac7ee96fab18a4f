package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresSweepStore {
    package func endedImports(limit: Int) async throws(WorkError) -> [(owner: Owner, import: ImportID, object: UUID)] {
        try await read(Statement("select * from sweep_imports($1)", [.int4(Int32(clamping: limit))])) { row throws(DatabaseError) in
            (owner: try Owner(row), import: ImportID(try row.uuid(2)), object: try row.uuid(3))
        }
    }

    package func forgetZip(of import: ImportID, _ owner: Owner) async throws(WorkError) {
        try await write(
            owner,
            Statement(
                """
                update imports set object_id = null, part_upload = null, part_bytes = null
                where tenant_id = $1 and user_id = $2 and id = $3 and status in ('finished', 'failed')
                """, owner.parameters + [.uuid(`import`.uuid)]))
    }
}
