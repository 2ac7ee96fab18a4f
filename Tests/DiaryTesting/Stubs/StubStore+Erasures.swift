package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: ErasureStore {
    package func passwordHash(of member: Member) async throws(DiaryError) -> String? { nil }
    /// No session is fresh.
    package func request(_ deletion: NewDeletion, proved: Bool, by member: Member, origin: RequestOrigin) async throws(DiaryError) -> Date?
    { nil }
    package func deletion(receiptHash: [UInt8]) async throws(DiaryError) -> Deletion? { nil }
}
