package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: SignInStore, ProfileStore {
    package func register(_ account: NewAccount, code: NewCode, mail: QueuedMail) async throws(DiaryError) -> Bool { true }
    package func emailIdentity(_ hash: [UInt8], tenant: TenantID) async throws(DiaryError) -> EmailIdentity? { nil }
    package func issueCode(
        _ code: NewCode, _ signUp: SignUp, mail: QueuedMail, to owner: Owner, limits: Limits
    ) async throws(DiaryError) -> Bool { true }
    package func reissueCode(_ code: NewCode, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool { true }
    package func queue(_ mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError) {}
    package func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool { false }
    package func openSession(
        _ session: NewSession, for owner: Owner, by verified: String, rehashed: (emailHash: [UInt8], phc: String)?
    ) async throws(DiaryError) -> Bool { false }
    package func rotate(_ session: SessionID, of owner: Owner, _ rotation: Rotation) async throws(DiaryError) -> RotationOutcome {
        .refused
    }
    package func endReused(_ session: SessionID, of owner: Owner, requestID: String?) async throws(DiaryError) {}
    package func check(timeZone: String) async throws(DiaryError) {}
    package func profile(of member: Member) async throws(DiaryError) -> StoredProfile { throw DiaryError.unavailable(cause: "08006") }
    package func change(
        _ patch: StoredProfilePatch, matching versions: [Int64]?, keyID: UUID?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<StoredProfile> { throw DiaryError.unavailable(cause: "08006") }
    package func statistics(of member: Member, at now: Date) async throws(DiaryError) -> AccountStatistics {
        AccountStatistics(
            months: [
                .init(year: 2026, month: 7, counts: .init(recordings: 1, texts: 1, durationSeconds: 12.5, sizeBytes: 4_000)),
                .init(year: 2025, month: 12, counts: .init(texts: 1)),
            ],
            usage: AccountUsage(
                day: CalendarDay(Stub.localTime),
                today: UsageAmount(audioMilliseconds: 1_500, inputTokens: 7, outputTokens: 8, cost: 9), storedBytes: 4_000),
            streak: AccountStatistics.Streak(current: 2, longest: 9))
    }
    package func events(
        _ kind: AuditEvent.Kind?, before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [AuditEvent] {
        Array(
            repeating: AuditEvent(id: UUID(), at: Stub.now, kind: kind ?? .signedIn, actor: .member, session: nil, requestID: "r"),
            count: min(limit, 3))
    }
}
