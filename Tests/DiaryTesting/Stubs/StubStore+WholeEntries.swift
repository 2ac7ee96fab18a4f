@testable package import DiaryCore

extension StubStore: WholeEntryStore {
    package func whole(_ id: EntryID, of member: Member) async throws(DiaryError) -> WholeEntry? {
        try await entry(id, of: member).map { WholeEntry(stored: StoredExportEntry(entry: $0), timeZone: "UTC", locale: nil) }
    }
    package func copy(_ copy: NewEntryCopy, by member: Member) async throws(DiaryError) -> StoredEntry? {
        try await entry(copy.source, of: member)
    }
}

/// A bundle of three bytes.
struct StubBundler: EntryBundler {
    func bundle(_ entry: WholeEntry, in tenant: Tenant?, with vault: Vault) async throws(DiaryError) -> EntryBundle {
        EntryBundle(filename: "\(entry.stored.entry.facts.stem).zip", sizeBytes: 3, body: ArrayBody([1, 2, 3]))
    }
}
