/// Lists the entries in a member's trash, newest deletion first.
package struct ReadTrash: Sendable {
    package struct Listing: Sendable {
        package var entries: [Entry]
        /// nil at the end.
        package var next: ListPosition?
    }

    let trash: any TrashStore
    let keys: DataKeys

    package func run(
        before position: ListPosition?, limit: Int, view: EntryView, of member: Member
    ) async throws(DiaryError) -> Listing {
        let page = try await trash.trash(before: position, limit: limit, view: view, of: member)
        let entries = try await keys.vault(of: member).open(page.entries)
        guard page.more, let last = entries.last, let deletedAt = last.facts.deletedAt else { return Listing(entries: entries) }
        return Listing(entries: entries, next: ListPosition(at: deletedAt, id: last.facts.id.uuid))
    }
}
