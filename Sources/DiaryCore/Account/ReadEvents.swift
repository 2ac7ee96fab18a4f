/// An account's events, newest first, for its owner.
package struct ReadEvents: Sendable {
    let profiles: any ProfileStore

    package func run(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> ListPage<AuditEvent> {
        let events = try await profiles.events(before: position, limit: limit + 1, of: member)
        return ListPage(events, limit: limit) { ListPosition(at: $0.at, id: $0.id) }
    }
}
