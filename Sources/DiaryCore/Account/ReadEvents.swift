/// An account's events, newest first, for its owner.
package struct ReadEvents: Sendable {
    package struct Page: Sendable {
        package var events: [AuditEvent]
        /// nil at the end.
        package var next: EventPosition?
    }

    let profiles: any ProfileStore

    package func run(before position: EventPosition?, limit: Int, of member: Member) async throws(DiaryError) -> Page {
        // Reads one more than the page holds, to know whether there is a next page.
        var events = try await profiles.events(before: position, limit: limit + 1, of: member)
        let more = events.count > limit
        if more { events.removeLast(events.count - limit) }
        return Page(events: events, next: more ? events.last.map { EventPosition(at: $0.at, id: $0.id) } : nil)
    }
}

extension EventPosition {
    package init?(parsing text: String) {
        guard let cursor = DateCursor(parsing: text) else { return nil }
        self.init(at: cursor.position.recordedAt, id: cursor.position.id.uuid)
    }
}
