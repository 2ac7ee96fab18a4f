import FoundationEssentials

@testable package import DiaryCore

extension StubStore: SessionStore, CredentialStore {
    package func sessions(of member: Member) async throws(DiaryError) -> [StoredSession] {
        [
            StoredSession(
                id: member.session, deviceSealed: nil, placeSealed: [1, 2, 3], createdAt: Stub.now, lastUsedAt: Stub.now,
                provedAt: Stub.now)
        ]
    }
    package func end(_ session: SessionID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool {
        session == member.session
    }
    package func endAll(keepingOwn: Bool, by member: Member, requestID: String?) async throws(DiaryError) {}
    package func mailCode(
        _ code: AccountCode, mail: QueuedMail, to owner: Owner, requester: CodeRequester, limits: Limits, claim: KeyClaim?
    ) async throws(DiaryError) -> Bool { false }
    package func signIn(_ code: PresentedCode, of owner: Owner, session: NewSession) async throws(DiaryError) -> Bool { false }
    package func reset(
        _ code: PresentedCode, of owner: Owner, passwordPHC: String, endingTokens: Bool, session: NewSession, mail: QueuedMail
    ) async throws(DiaryError) -> Bool { false }
    package func credentials(of member: Member, freshSeconds: Int) async throws(DiaryError) -> MemberCredentials {
        MemberCredentials(passwordPHC: nil, emailSealed: nil, nameSealed: nil, addressIsProved: false, isFresh: false)
    }
    package func prove(_ member: Member) async throws(DiaryError) {}
    package func prove(_ member: Member, by code: PresentedCode, claim: KeyClaim?) async throws(DiaryError) -> Bool { false }
    package func changePassword(
        _ passwordPHC: String, replacing verified: String?, endingTokens: Bool, by member: Member, session: NewSession, mail: QueuedMail?
    ) async throws(DiaryError) -> Bool { false }
    package func changeAddress(
        _ code: PresentedCode, by member: Member, mail: QueuedMail?, requestID: String?, claim: KeyClaim?
    ) async throws(DiaryError) -> Bool { false }
}
