import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Changing a profile")
struct EditProfileTests {
    @Test("a consent signals the stages that may have waited for it; a withdrawal and a change of another version signal none")
    func signals() async throws {
        var ports = try FeaturePorts.stub()
        let log = SignalLog()
        ports.profiles = OneProfile()
        ports.jobSignals = log
        let edit = AccountFeature(ports).editProfile

        _ = try await edit.run(ProfilePatch(hostedProcessingConsent: false), matching: nil, by: TestTokens.member)
        _ = try await edit.run(ProfilePatch(hostedProcessingConsent: true), matching: [2], by: TestTokens.member)
        #expect(log.kinds.isEmpty)
        _ = try await edit.run(ProfilePatch(hostedProcessingConsent: true), matching: [1], by: TestTokens.member)
        #expect(log.kinds == [.transcribe, .clean])
    }
}

/// Of version 1.
private struct OneProfile: ProfileStore {
    private let stored = StoredProfile(
        emailSealed: nil, emailVerified: false, nameSealed: nil, timeZone: "Europe/Berlin", locale: nil,
        createdAt: Date(timeIntervalSince1970: 1_783_150_200))

    func profile(of member: Member) async throws(DiaryError) -> StoredProfile { stored }

    func change(
        _ patch: StoredProfilePatch, matching versions: [Int64]?, keyID: UUID?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<StoredProfile> {
        if let versions, !versions.contains(stored.version) { return .otherVersion(stored) }
        return .changed(stored)
    }

    func statistics(of member: Member, at now: Date) async throws(DiaryError) -> AccountStatistics {
        throw DiaryError.unavailable(cause: "08006")
    }

    func events(
        _ kind: AuditEvent.Kind?, before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [AuditEvent] { [] }
}
