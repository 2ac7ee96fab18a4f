@testable package import DiaryCore

extension StubStore: SearchStore {
    package func words(_ query: DateQuery, bytes: Int, of member: Member) async throws(DiaryError) -> SearchBatch {
        SearchBatch([], more: false)
    }
    package func found(_ ids: [EntryID], bytes: Int, of member: Member) async throws(DiaryError) -> [StoredTranscript] { [] }
    package func profiles(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile] { [] }
}
