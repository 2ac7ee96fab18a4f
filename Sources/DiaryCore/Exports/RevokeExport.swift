/// Ends an export: its link stops working at once, and the sweeper deletes the zip.
package struct RevokeExport: Sendable {
    let exports: any ExportStore

    package func run(_ id: ExportID, by member: Member) async throws(DiaryError) {
        guard try await exports.revoke(id, by: member) else { throw .notFound }
    }
}
