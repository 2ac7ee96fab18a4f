import FoundationEssentials
import WireFormats

/// Reads entries: one, the feed of changes, the listing by date, or the days that have some. One round trip each.
package struct ReadEntries: Sendable {
    package struct Feed: Sendable {
        package var entries: [Entry]
        package var profiles: [SpeakerProfile]
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

    /// - Parameter timed: with the segments, which may be long.
    /// - Throws: `entryDamaged` when a part of the words cannot be read.
    package func transcript(_ id: EntryID, timed: Bool, for member: Member) async throws(DiaryError) -> Transcript {
        guard let stored = try await entries.transcript(id, timed: timed, of: member) else { throw .notFound }
        return try Self.open(stored, try await keys.vault(of: member))
    }

    static func open(_ stored: StoredTranscript, _ vault: Vault) throws(DiaryError) -> Transcript {
        let entry = try vault.open(stored.entry)
        guard !entry.isDamaged else { throw DiaryError(.entryDamaged) }
        let language = WrittenLanguage.of(account: stored.locale, app: nil)
        guard let sealed = stored.segments else {
            return Transcript(entry: entry, segments: nil, locale: stored.locale, language: language)
        }
        do throws(DiaryError) {
            let segments = try vault.open(segments: sealed, of: entry.facts.id)
            let corrections = try vault.open(corrections: stored.corrections, of: sealed, entry.facts.id)
                .resolved(by: stored.profiles.map { vault.open($0) })
            return Transcript(
                entry: entry, segments: corrections.applied(to: segments), corrections: corrections, locale: stored.locale,
                language: language)
        } catch {
            // The key is the right one: it has opened the entry.
            throw DiaryError(.entryDamaged, cause: error.cause)
        }
    }

    package func changes(from start: FeedStart, limit: Int, for member: Member) async throws(DiaryError) -> Feed {
        switch try await entries.changes(from: start, limit: limit, of: member) {
        case .expired: throw DiaryError(.syncCursorExpired, detail: Self.afterExpiry)
        case .page(let page, let profiles, let latest, let purged, let epoch):
            let vault = try await keys.vault(of: member)
            // Change numbers commit in order (they are taken under the user's lock), so no smaller number becomes visible later.
            let last = max(page.entries.last?.facts.changeNumber ?? 0, profiles.last?.changeNumber ?? 0)
            let end = Self.end(of: page, profiles, limit: limit)
            let through = end ?? max(last, latest)
            var basis = purged
            if case .after(_, let began, _) = start, end != nil || began > purged { basis = began }
            return Feed(
                entries: try vault.open(end == nil ? page.entries : page.entries.filter { $0.facts.changeNumber <= through }),
                profiles: profiles.filter { $0.changeNumber <= through }.map { vault.open($0) },
                next: SyncCursor(changeNumber: through, purgedThrough: basis, epoch: epoch).text, hasMore: end != nil)
        }
    }

    /// Where a page of the feed ends that is not the last one: of its two lists where the first one ends.
    /// - Parameter profiles: one more than `limit` where there are more.
    static func end(of page: EntryPage, _ profiles: [StoredSpeakerProfile], limit: Int) -> Int64? {
        let ends: [Int64?] = [
            page.more ? page.entries.last?.facts.changeNumber : nil,
            profiles.count > limit ? profiles.prefix(limit).last?.changeNumber : nil,
        ]
        return ends.compactMap(\.self).min()
    }

    static let afterExpiry = """
        Read GET /v1/changes from the beginning, without since, up to its end. Then remove the entries that it did not contain, except those with \
        changes that were not sent. Send these: new entries as before; a change that gets 404 is of an entry that was deleted, and can be sent as a \
        new one.
        """

    /// - Returns: a page; entries that the store found by hashes and whose words do not have the labels are left out of it.
    package func list(_ query: DateQuery, for member: Member) async throws(DiaryError) -> Listing {
        var query = query
        if !query.filter.labels.isEmpty { query.filter.hashes = try await keys.vault(of: member).hashes(of: query.filter.labels) }
        let page = try await entries.list(query, of: member)
        return Listing(
            entries: try await keys.vault(of: member).open(page.entries).filter(query.filter.confirms),
            next: page.more ? page.entries.last.map { EntryPosition(of: $0.facts, in: query.sort).text } : nil)
    }

    package func days(from: CalendarDay, to: CalendarDay, for member: Member) async throws(DiaryError) -> [DayCount] {
        try await entries.days(from: from, to: to, of: member)
    }
}
