import FoundationEssentials

/// Ends an import and deletes its report and its zip. The imported entries stay.
package struct DeleteImport: Sendable {
    let imports: any ImportStore
    let objects: any ObjectStore
    let parts: any UploadParts

    package func run(_ id: ImportID, by member: Member) async throws(DiaryError) {
        guard let deleted = try await imports.delete(id, by: member) else { throw .notFound }
        guard let object = deleted.object else { return }
        let keys = [ObjectKey.Kind.staging, .imported].map {
            ObjectKey(kind: $0, owner: member.owner, object: object)
        }
        // The deletion is committed. An object that cannot be deleted now is an orphan, which the sweeper collects.
        _ = try? await objects.delete(keys)
        if deleted.hasParts { try? await parts.discard(keys[0], id: nil) }
    }
}
