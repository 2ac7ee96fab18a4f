import FoundationEssentials

@testable package import DiaryCore

extension StubStore: APITokenStore {
    package func tokens(of member: Member) async throws(DiaryError) -> [StoredAPIToken] { [Stub.token] }
    package func create(
        _ token: NewAPIToken, most: Int, by member: Member, requestID: String?
    ) async throws(DiaryError) -> StoredAPIToken? { Stub.token }
    package func revoke(_ token: APITokenID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool {
        token == Stub.token.id
    }
    package func noteUse(by member: Member) async throws(DiaryError) {}
}

extension Stub {
    /// Its name does not open.
    package static let token = StoredAPIToken(
        id: APITokenID(UUIDv7.make(at: clock.now())), nameSealed: [1], scopes: [.entriesRead], createdAt: clock.now(),
        expiresAt: clock.now() + 86_400, lastUsedAt: nil)
}
