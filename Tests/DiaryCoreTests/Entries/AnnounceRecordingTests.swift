import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Recordings that stayed on their devices, announced")
struct AnnounceRecordingTests {
    /// The store has announced ten bytes of `audio/mp4`, and opens no upload.
    /// - Returns: the error, and how often the limits were charged.
    private func announce(_ state: ChangingStore.State, _ size: Int64, _ type: String = "audio/mp4") async throws -> (ErrorCode?, Int) {
        let ports = try FeaturePorts.stub()
        let store = try ChangingStore([state], id: EntryID(UUIDv7.make()), key: try await ports.memberKeys.key(of: Stub.owner))
        let announcing = AnnounceRecording(create: ports.createEntry, entries: store, keys: ports.memberKeys)
        let charges = Counter()
        let error = await #expect(throws: DiaryError.self) {
            _ = try await announcing.run(
                store.id, AnnouncedRecording(sizeBytes: size, contentType: type), by: TestTokens.member
            ) { () async throws(DiaryError) in charges.add() }
        }
        return (error?.code, charges.count)
    }

    @Test("the same recording again is free, another one counts as a new entry, as does one after a refusal; none comes after the check")
    func charged() async throws {
        let waiting = ChangingStore.State(status: .awaitingUpload)
        let refused = ChangingStore.State(status: .failed, code: .mediaUnreadable)

        #expect(try await announce(waiting, 10) == (.uploadFinished, 0))
        #expect(try await announce(waiting, 11) == (.uploadFinished, 1))
        #expect(try await announce(waiting, 10, "audio/wav") == (.uploadFinished, 1))
        #expect(try await announce(refused, 10) == (.uploadFinished, 1))
        #expect(try await announce(ChangingStore.State(status: .transcribed), 11) == (.uploadFinished, 0))
    }
}
