/// A member's exports, newest first.
package struct ReadExports: Sendable {
    let exports: any ExportStore
    let keys: DataKeys

    package func list(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> ListPage<Export> {
        let found = try await exports.exports(before: position, limit: limit + 1, of: member)
        var opened: [Export] = []
        opened.reserveCapacity(found.count)
        for export in found { opened.append(try await export.opened(for: member, keys)) }
        return ListPage(opened, limit: limit) { ListPosition(at: $0.createdAt, id: $0.id.uuid) }
    }

    package func one(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export {
        guard let export = try await exports.export(id, of: member) else { throw .notFound }
        return try await export.opened(for: member, keys)
    }
}
