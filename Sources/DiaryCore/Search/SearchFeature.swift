/// Search over the words of a diary (decision D21): texts are opened and compared, and nothing is kept for it.
package struct SearchFeature: Sendable {
    package let entries: SearchEntries

    init(_ ports: FeaturePorts) {
        entries = SearchEntries(store: ports.searches, keys: ports.memberKeys, turns: AccountTurns(of: "searches", most: 2))
    }
}

extension DiaryFeatures {
    package var search: SearchFeature { SearchFeature(ports) }
}

/// What a search reads, by the database role `diary_api`: every call is one round trip and begins with the session check.
package protocol SearchStore: Sendable {
    /// The sealed words of entries, newest first, behind `query.after`: `query.limit` entries at most, and about `bytes` of sealed words, but
    /// at least one entry. Those that the filter's hashes find, as in a listing.
    func words(_ query: DateQuery, bytes: Int, of member: Member) async throws(DiaryError) -> SearchBatch
    /// Those of the entries that exist, newest first, with their segments; up to about `bytes`, but at least one.
    func found(_ ids: [EntryID], bytes: Int, of member: Member) async throws(DiaryError) -> [StoredTranscript]
    /// The account's speakers, deleted ones among them: recordings keep their names.
    func profiles(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile]
}

package struct SearchBatch: Sendable {
    package var entries: [SealedWords]
    /// There may be more behind these.
    package var more: Bool

    package init(_ entries: [SealedWords], more: Bool) {
        self.entries = entries
        self.more = more
    }
}

/// What is searched of an entry.
package struct SealedWords: Sendable {
    package var position: DatePosition
    package var personal: SealedColumn?
    package var machine: SealedColumn?
    /// Of the present segments.
    package var corrections: SealedColumn?

    package init(position: DatePosition, personal: SealedColumn?, machine: SealedColumn?, corrections: SealedColumn?) {
        self.position = position
        self.personal = personal
        self.machine = machine
        self.corrections = corrections
    }
}

package struct SearchPage: Sendable {
    package struct Found: Sendable {
        package var entry: Entry
        package var snippets: [SearchSnippet]
    }

    package var items: [Found]
    /// Where the next page begins; nil when all entries have been searched.
    package var next: ListPosition?
}
