import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("A new speaker")
struct CreateSpeakerTests {
    /// Each key was used for the one request, and what it made is gone.
    private struct UsedKeys: IdempotencyKeyStore {
        let requestHash: [UInt8]

        func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey? {
            KnownKey(requestHash: requestHash, subject: UUID())
        }
        func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError) {}
        func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError) {}
    }

    @Test("a repetition by its key after the speaker was deleted is answered as one by its id")
    func repeatedAfterDeletion() async throws {
        var ports = try FeaturePorts.stub()
        var canon = CanonicalBytes()
        for text in [nil, "Anna"] as [String?] { canon.add(text) }
        ports.idempotencyKeys = UsedKeys(requestHash: HMACSHA256.code(canon.bytes, key: ports.serviceKeys.requestHash))
        let create = SpeakerFeature(ports).create

        let refused = await #expect(throws: DiaryError.self) {
            _ = try await create.run(nil, name: "Anna", key: RequestKey("k"), by: TestTokens.member)
        }

        #expect(refused?.code == .speakerIDTaken)
    }
}
