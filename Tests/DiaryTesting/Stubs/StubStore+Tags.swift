package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: TagStore {
    package func labelUses(
        _ kind: EntryLabel.Kind, hash: Int64?, most: Int, of member: Member
    ) async throws(DiaryError) -> (uses: [LabelUse], colored: [StoredTag]) { ([], []) }
    package func samples(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    package func labelled(_ hash: Int64, after id: EntryID?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage {
        EntryPage([], more: false)
    }
    package func relabel(_ rewrites: [PersonalRewrite], keyID: UUID, by member: Member) async throws(DiaryError) -> Int { rewrites.count }
    package func writeTag(
        _ tag: StoredTag?, replacing hashes: [Int64], most: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> Bool { true }
}
