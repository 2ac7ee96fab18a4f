import FoundationEssentials
import WireFormats

/// Reads entries: one, the feed of changes, or the listing by date. One round trip each.
package struct ReadEntries: Sendable {
    package struct Feed: Sendable {
        package var entries: [Entry]
        /// The cursor of the next page; stays valid when nothing has changed.
        package var next: String
        package var hasMore: Bool
    }

    package struct Listing: Sendable {
        package var entries: [Entry]
        /// nil at the end.
        package var next: String?
    }

    let entries: any EntryStore
    let keys: DataKeys

    package func one(_ id: EntryID, for member: Member) async throws(DiaryError) -> Entry {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        return try await keys.vault(of: member).open(stored)
    }

    /// Segments with their times.
    package func segments(_ id: EntryID, for member: Member) async throws(DiaryError) -> [SpeechSegment]? {
        guard let sealed = try await entries.segments(id, of: member) else { return nil }
        return try await keys.vault(of: member).open(
            [SpeechSegment].self, sealed.bytes, as: .segments, row: id.uuid, version: sealed.version)
    }

    package func changes(from start: FeedStart, limit: Int, for member: Member) async throws(DiaryError) -> Feed {
        switch try await entries.changes(from: start, limit: limit, of: member) {
        case .expired: throw DiaryError(.syncCursorExpired)
        case .page(let page, let latest, let purged, let epoch):
            let vault = try await keys.vault(of: member)
            // Change numbers commit in order (they are taken under the user's lock), so no smaller number becomes visible later.
            let last = page.entries.last?.facts.changeNumber ?? 0
            var basis = purged
            if case .after(_, let began, _) = start, page.more || began > purged { basis = began }
            return Feed(
                entries: try vault.open(page.entries),
                next: SyncCursor(changeNumber: page.more ? last : max(last, latest), purgedThrough: basis, epoch: epoch).text,
                hasMore: page.more)
        }
    }

    package func list(_ query: DateQuery, for member: Member) async throws(DiaryError) -> Listing {
        let page = try await entries.list(query, of: member)
        let vault = try await keys.vault(of: member)
        let next =
            page.more
            ? page.entries.last.map { DateCursor(position: DatePosition(recordedAt: $0.facts.recordedAt, id: $0.facts.id)).text } : nil
        return Listing(entries: try vault.open(page.entries), next: next)
    }
}
