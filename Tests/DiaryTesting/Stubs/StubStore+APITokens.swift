import FoundationEssentials

@testable package import DiaryCore

extension StubStore: APITokenStore {
    package func tokens(of member: Member) async throws(DiaryError) -> [StoredAPIToken] { [Stub.apiToken] }
    package func create(
        _ token: NewAPIToken, most: Int, by member: Member, requestID: String?
    ) async throws(DiaryError) -> StoredAPIToken? { Stub.apiToken }
    package func revoke(_ token: APITokenID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool {
        token == Stub.apiToken.id
    }
    package func noteUse(by member: Member) async throws(DiaryError) {}
}

extension Stub {
    /// Its name does not open.
    package static let apiToken = StoredAPIToken(
        id: APITokenID(UUIDv7.make(at: clock.now())), nameSealed: [1], scopes: [.entriesRead], createdAt: clock.now(),
        expiresAt: clock.now() + 86_400, lastUsedAt: nil)
}
