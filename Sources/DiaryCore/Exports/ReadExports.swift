/// A member's exports, newest first.
package struct ReadExports: Sendable {
    let exports: any ExportStore

    package func list(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> ListPage<Export> {
        let found = try await exports.exports(before: position, limit: limit + 1, of: member)
        return ListPage(found, limit: limit) { ListPosition(at: $0.createdAt, id: $0.id.uuid) }
    }

    package func one(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export {
        guard let export = try await exports.export(id, of: member) else { throw .notFound }
        return export
    }
}
