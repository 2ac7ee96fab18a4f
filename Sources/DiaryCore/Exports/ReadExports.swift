/// A member's exports, newest first.
package struct ReadExports: Sendable {
    let exports: any ExportStore

    /// The newest hundred.
    package func all(of member: Member) async throws(DiaryError) -> [Export] { try await exports.exports(limit: 100, of: member) }

    package func one(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export {
        guard let export = try await exports.export(id, of: member) else { throw .notFound }
        return export
    }
}
