package import FoundationEssentials

@testable package import DiaryCore

/// The operations of a batch, for doubles that have those of one entry; and those of clients' words, for doubles that keep none.
extension EntryStore {
    package func openDeviceUpload(_ id: EntryID, _ upload: DeviceUpload, by member: Member) async throws(DiaryError) -> StoredEntry? { nil }
    package func giveTranscript(_ write: TranscriptWrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        .missing
    }
    package func create(_ entries: [NewEntry], by member: Member) async throws(DiaryError) -> [CreateOutcome] {
        var outcomes: [CreateOutcome] = []
        for entry in entries { outcomes.append(try await create(entry, by: member)) }
        return outcomes
    }
    package func entries(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage {
        var found: [StoredEntry] = []
        for id in ids.sorted(by: { $0.description < $1.description }) {
            if let stored = try await entry(id, of: member) { found.append(stored) }
        }
        return EntryPage(found, more: false)
    }
    package func rewritePersonal(
        _ rewrites: [PersonalRewrite], keyID: UUID, by member: Member
    ) async throws(DiaryError) -> [WriteOutcome] {
        var outcomes: [WriteOutcome] = []
        for rewrite in rewrites { outcomes.append(try await rewritePersonal(rewrite, keyID: keyID, by: member)) }
        return outcomes
    }
    package func delete(_ ids: [EntryID], keyID: UUID, by member: Member) async throws(DiaryError) -> [BatchDeletion] {
        var outcomes: [BatchDeletion] = []
        for id in ids {
            switch try await delete(id, expecting: nil, keyID: keyID, by: member) {
            case .written(let stored): outcomes.append(.deleted(stored))
            case .missing, .conflict: outcomes.append(.missing)
            }
        }
        return outcomes
    }
}
