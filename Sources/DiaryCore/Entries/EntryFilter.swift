/// Which entries a listing shows: those that fit every value given.
package struct EntryFilter: Sendable, Equatable {
    package var kind: EntryKind?
    package var status: EntryStatus?
    package var isFavorite: Bool?
    /// Tags and moods that an entry must have. They are sealed, so the store finds candidates by `hashes`.
    package var labels: Set<EntryLabel>
    /// Hashes of `labels`, with the member's own key.
    package internal(set) var hashes: [Int64] = []

    package init(kind: EntryKind? = nil, status: EntryStatus? = nil, isFavorite: Bool? = nil, labels: Set<EntryLabel> = []) {
        self.kind = kind
        self.status = status
        self.isFavorite = isFavorite
        self.labels = labels
    }

    package var isEmpty: Bool { kind == nil && status == nil && isFavorite == nil && labels.isEmpty }

    /// Whether a candidate has the labels. A damaged part has none that can be read.
    func confirms(_ entry: Entry) -> Bool { labels.isEmpty || labels.isSubset(of: entry.personal.labels) }
}
