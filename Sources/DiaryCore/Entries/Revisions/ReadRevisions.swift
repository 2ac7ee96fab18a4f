/// The earlier texts of a layer, the newest first.
package struct ReadRevisions: Sendable {
    let entries: any EntryStore
    let keys: DataKeys

    package struct Listing: Sendable {
        package var revisions: [Revision]
        /// nil at the end.
        package var next: RevisionCursor?
    }

    /// - Parameter cursor: of an earlier page; nil begins with the newest.
    package func run(
        _ id: EntryID, _ layer: TextLayer, after cursor: RevisionCursor?, limit: Int, for member: Member
    ) async throws(DiaryError) -> Listing {
        guard let page = try await entries.revisions(of: id, layer, before: cursor?.number, limit: limit, of: member) else {
            throw .notFound
        }
        let vault = try await keys.vault(of: member)
        return Listing(
            revisions: page.revisions.map { vault.open($0, layer, of: id) },
            next: page.more ? page.revisions.last.map { RevisionCursor(number: $0.sealed.version) } : nil)
    }
}
