import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Repeated creations")
struct RepeatedCreationTests {
    /// Of the answer to a repeated request, when the entry stops waiting for its recording after so many seconds.
    private func upload(_ secondsLeft: Double) async throws -> UploadTarget? {
        let ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let id = EntryID(UUIDv7.make())
        let facts = EntryFacts(
            id: id, kind: .voice, status: .awaitingUpload, processing: nil, recordedAt: Stub.now, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil,
            durationSeconds: nil, sizeBytes: 10, contentType: "audio/mp4", sha256: nil, language: nil, object: UUID(), changeNumber: 1,
            uploadExpiresAt: Stub.now + secondsLeft)
        let personal = try vault.seal(PersonalPart(title: "Walk"), as: .personal, row: id.uuid, version: 1)
        let stored = StoredEntry(facts: facts, personal: SealedColumn(bytes: personal, version: 1), machine: nil)
        let draft = EntryDraft(
            id: nil, idempotencyKey: nil, recordedAt: nil, facts: GivenFacts(kind: .voice, sizeBytes: 10, contentType: "audio/mp4"),
            personal: PersonalPart(title: "Walk"))

        let started = try EntryFeature(ports).create.started(
            .replayed(stored), draft, vault, of: TestTokens.member, in: TenantConfiguration(), at: Stub.now)

        #expect(started.replayed && started.entry.facts.id == id)
        return started.upload
    }

    @Test("a URL does not outlive the window of the entry; without a second left the client asks for a fresh one")
    func lifetimes() async throws {
        for (left, lives) in [(7_200.0, 900.0), (900, 900), (899.9, 899), (1, 1)] {
            #expect(try await upload(left)?.expiresAt == Stub.now + lives, "\(left) s left")
        }
        for left in [0.9, 0, -1, -90_000] { #expect(try await upload(left) == nil, "\(left) s left") }
    }

    @Test("so does the URL for a zip to be imported")
    func imports() async throws {
        for (left, lives) in [(7_200.0, Double?.some(900)), (100.5, 100), (0.5, nil), (-1, nil)] {
            var ports = try FeaturePorts.stub()
            ports.imports = OneImport(.awaitingUpload, expiresAt: Stub.now + left)
            let form = CreateImport.Form(sizeBytes: 10, sha256: nil, wantsParts: false, idempotencyKey: "k")

            let started = try await ImportFeature(ports).create.run(form, by: TestTokens.member)

            #expect(started.replayed && started.upload?.expiresAt == lives.map { Stub.now + $0 }, "\(left) s left")
        }
    }
}
