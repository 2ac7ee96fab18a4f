import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryCore

@Suite("Fresh upload URLs")
struct ReissueUploadTests {
    private static func make(_ state: ChangingStore.State) async throws -> (ChangingStore, ReissueUpload) {
        var tenant = Stub.tenant("diary")
        try tenant.configuration.set("limits.upload_window_seconds", to: "7200")
        var ports = try FeaturePorts.stub(tenants: [tenant])
        let store = try ChangingStore([state], id: EntryID(UUIDv7.make()), key: try await ports.memberKeys.key(of: Stub.owner))
        ports.entries = store
        return (store, UploadFeature(ports).reissue)
    }

    /// - Returns: the entry, how often it was reopened, and how often the limits were charged.
    private func renew(_ state: ChangingStore.State) async throws -> (entry: Entry, windows: [Int], charges: Int) {
        let (store, reissue) = try await Self.make(state)
        let charges = Counter()
        let renewed = try await reissue.run(store.id, by: TestTokens.member) { () async throws(DiaryError) in charges.add() }
        #expect(renewed.upload.expiresAt == Stub.now + 900)
        return (renewed.entry, store.reopenings.withLock { $0.map(\.windowSeconds) }, charges.count)
    }

    @Test("an entry that waits longer than the URL lives stays as it is")
    func waits() async throws {
        let renewed = try await renew(ChangingStore.State(status: .awaitingUpload, expiresAt: Stub.now + 901))

        #expect(renewed.windows.isEmpty && renewed.charges == 0 && renewed.entry.facts.uploadExpiresAt == Stub.now + 901)
    }

    @Test("an entry whose window ends before the URL gets a new one, as long as its app has set, and counts as no new entry")
    func ends() async throws {
        let renewed = try await renew(ChangingStore.State(status: .awaitingUpload, expiresAt: Stub.now + 900))

        #expect(renewed.windows == [7_200] && renewed.charges == 0 && renewed.entry.facts.uploadExpiresAt == Stub.now + 7_200)
    }

    @Test(
        "an expired entry and one whose recording was refused are opened again and count as new entries",
        arguments: [
            ProcessingCode.uploadExpired, .uploadHashMismatch, .uploadSizeMismatch, .uploadMissing, .storageUnavailable, .mediaUnreadable,
        ])
    func reopened(code: ProcessingCode) async throws {
        let renewed = try await renew(ChangingStore.State(status: .failed, code: code))

        #expect(renewed.windows == [7_200] && renewed.charges == 1 && renewed.entry.facts.status == .awaitingUpload)
    }

    @Test("over the limits nothing is opened again")
    func limited() async throws {
        let (store, reissue) = try await Self.make(ChangingStore.State(status: .failed, code: .uploadExpired))

        await #expect(throws: DiaryError(.rateLimited)) {
            _ = try await reissue.run(store.id, by: TestTokens.member) { () async throws(DiaryError) in throw DiaryError(.rateLimited) }
        }

        #expect(store.reopenings.withLock { $0.isEmpty })
    }

    @Test(
        "a recording that arrived as announced is not uploaded again, and nothing is charged",
        arguments: [
            ChangingStore.State(status: .transcribed), .init(status: .uploaded), .init(status: .failed, code: .mediaTooLong),
            .init(status: .failed, code: .mediaUnreadable, sha256: [1]),
        ])
    func finished(state: ChangingStore.State) async throws {
        await #expect(throws: DiaryError(.uploadFinished)) { _ = try await renew(state) }
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
