/// A page of at most `limit` entries and about 2 MiB of sealed text, whichever is less: a few long diaries must not fill the memory.
package struct EntryPage: Sendable, RandomAccessCollection {
    package var entries: [StoredEntry]
    /// There are more after these.
    package var more: Bool

    package init(_ entries: [StoredEntry], more: Bool) {
        self.entries = entries
        self.more = more
    }

    package var startIndex: Int { entries.startIndex }
    package var endIndex: Int { entries.endIndex }
    package subscript(position: Int) -> StoredEntry { entries[position] }
}
