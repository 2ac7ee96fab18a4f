import DiaryTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryCore

@Suite("Receiving a part")
struct ReceivePartTests {
    /// The states of one set, before and after its body has arrived.
    private final class States: PartUploadStore {
        private let states: Mutex<[PartSetState]>

        init(_ states: [PartSetState]) { self.states = Mutex(states) }

        func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState {
            states.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .gone }
        }
        func partUpload(of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? { nil }
        func openPartUpload(_ opening: PartUploadOpening, of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? {
            nil
        }
        func closePartUpload(_ upload: String, of id: EntryID, by member: Member) async throws(DiaryError) -> Bool { false }
    }

    /// - Returns: the refusal's code, and what was done with the set.
    private func receive(_ states: PartSetState...) async throws -> (code: ErrorCode?, log: [String]) {
        let parts = MemoryParts([:])
        let key = ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: UUIDv7.make())
        let part = PartKey(key: key, upload: "set", number: 1)
        let receive = ReceivePart(
            uploads: States(states), imports: StubStore(), receiver: StubParts(), parts: parts, keys: try FeaturePorts.stub().memberKeys)
        let grant = UploadGrant(key: key, contentType: "audio/mp4", length: 3, sha256: nil, part: part)
        do {
            _ = try await receive.run(part, grant, body: ArrayBody([1, 2, 3]))
            return (nil, parts.log)
        } catch {
            return (error.code, parts.log)
        }
    }

    @Test("D7: a part that arrives while its entry expires or its account is closed counts, and the parts before it stay")
    func closedMeanwhile() async throws {
        #expect(try await receive(.awaiting, .awaiting) == (nil, []))
        #expect(try await receive(.awaiting, .closed) == (nil, []))
    }

    @Test("a set that no row names any more, or that is joined, is removed with the part that came too late")
    func goneMeanwhile() async throws {
        #expect(try await receive(.awaiting, .gone) == (.uploadRefused, ["discard"]))
        #expect(try await receive(.awaiting, .finished) == (.uploadExists, ["discard"]))
    }

    @Test("a part is refused before its body is read, and its set is left as it is", arguments: [PartSetState.closed, .gone, .finished])
    func refused(_ state: PartSetState) async throws {
        #expect(try await receive(state) == (state == .finished ? .uploadExists : .uploadRefused, []))
    }
}
