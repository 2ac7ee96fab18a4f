import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

/// Uploads that a sweeper or a worker moves on while the client's `complete` runs.
@Suite("Completing an upload beside others")
struct CompleteUploadTests {
    /// - Parameters:
    ///   - arrived: bytes in staging; nil when nothing is there.
    ///   - copy: bytes of a copy.
    ///   - parts: of the recording's ten bytes, by fours.
    private func complete(
        _ states: ChangingStore.State?..., arrived: Int? = nil, copy: Int? = nil, isFinalUnreadable: Bool = false,
        parts: MemoryParts = MemoryParts()
    ) async throws(any Error) -> Entry {
        let ring = try #require(Stub.keyRing)
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let id = EntryID(UUIDv7.make())
        let store = try ChangingStore(states, id: id, key: try await keys.key(of: Stub.owner), hasParts: parts.isBegun)
        let objects = MemoryObjects()
        if let arrived {
            objects[ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: store.object)] = [UInt8](
                repeating: 1, count: arrived)
        }
        if let copy {
            objects[
                ObjectKey(
                    kind: .audio, tenant: Stub.owner.tenant, user: Stub.owner.user, object: PlayableCopy.object(of: store.object))] =
                [UInt8](repeating: 1, count: copy)
        }
        if isFinalUnreadable {
            objects.bytes.hooks.unreadable = [
                ObjectKey(kind: .audio, tenant: Stub.owner.tenant, user: Stub.owner.user, object: store.object)
            ]
        }
        let uploads = OnePartUpload(
            ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: store.object), isOpen: parts.isBegun)
        let use = CompleteUpload(
            entries: store, objects: objects.store, uploads: uploads, parts: parts, keys: keys, jobSignals: NoJobSignals())
        return try await use.run(id, by: TestTokens.member)
    }

    private static let waiting = ChangingStore.State(status: .awaitingUpload)
    private static let expired = ChangingStore.State(status: .failed, code: .uploadExpired)

    @Test("G5: an entry that a sweeper has completed and a worker moved on since it was read is answered in its present state")
    func completedMeanwhile() async throws {
        let entry = try await complete(Self.waiting, ChangingStore.State(status: .transcribing))

        #expect(entry.facts.status == .transcribing)
        #expect(entry.personal.title == "Walk")
    }

    @Test("G5: an entry that was deleted since it was read is missing")
    func endedMeanwhile() async throws {
        await #expect(throws: DiaryError.notFound) { _ = try await complete(Self.waiting, nil) }
    }

    @Test("a recording that never came is incomplete")
    func neverCame() async throws {
        await #expect(throws: DiaryError(.uploadIncomplete)) { _ = try await complete(Self.waiting) }
    }

    @Test(
        "D7: a recording that is there counts although its entry has expired, also when it expires meanwhile; without one the entry stays failed"
    )
    func expired() async throws {
        #expect(try await complete(Self.expired, arrived: 10).facts.status == .uploaded)
        #expect(try await complete(Self.waiting, Self.expired, arrived: 10).facts.status == .uploaded)
        #expect(try await complete(Self.expired).facts.isExpired)
        #expect(try await complete(Self.waiting, Self.expired).facts.isExpired)
        await #expect(throws: DiaryError(.uploadSizeMismatch)) { _ = try await complete(Self.expired, arrived: 9) }
    }

    @Test("a recording that was found before its entry was opened again for another one completes nothing")
    func openedAgain() async throws {
        let again = ChangingStore.State(status: .awaitingUpload, isReopened: true)
        await #expect(throws: DiaryError(.uploadIncomplete)) { _ = try await complete(Self.waiting, again, arrived: 10) }
    }

    @Test("parts that are all there are joined, once, also of an expired entry, and are removed afterwards")
    func joins() async throws {
        for state in [Self.waiting, Self.expired] {
            let parts = MemoryParts([1: 4, 2: 4, 3: 2])
            #expect(try await complete(state, parts: parts).facts.status == .uploaded)
            #expect(parts.log == ["join", "discard"])
        }
    }

    @Test("the parts of a recording that is there already are removed too; a failure to do so does not matter")
    func discardsParts() async throws {
        let parts = MemoryParts([1: 4, 2: 4, 3: 2])
        #expect(try await complete(Self.waiting, arrived: 10, parts: parts).facts.status == .uploaded)
        #expect(parts.log == ["discard"])
        parts.fail(.unavailable(full: false))
        #expect(try await complete(Self.waiting, arrived: 10, parts: parts).facts.status == .uploaded)
        let none = MemoryParts()
        _ = try await complete(Self.waiting, arrived: 10, parts: none)
        #expect(none.log.isEmpty)
    }

    @Test("A20: where only a copy is kept it stands for its recording when the database was restored from before the upload")
    func copyAlone() async throws {
        let entry = try await complete(Self.waiting, copy: 3)
        #expect(entry.facts.status == .uploaded)
    }

    @Test("a store that does not answer for the final key is unavailable, and does not make the upload incomplete", arguments: [nil, 3])
    func finalKeyUnanswered(copy: Int?) async throws {
        let refusal = await #expect(throws: DiaryError.self) {
            _ = try await complete(Self.waiting, copy: copy, isFinalUnreadable: true)
        }
        #expect(refusal?.code == .unavailable && refusal?.retryAfter != nil)
    }

    @Test("parts that another call has joined already complete the entry")
    func joinedMeanwhile() async throws {
        let parts = MemoryParts([1: 4, 2: 4, 3: 2])
        parts.fail(.alreadyExists)
        #expect(try await complete(Self.waiting, parts: parts).facts.status == .uploaded)
        // Removed by the other call, which has told the database.
        let removed = MemoryParts([:])
        let entry = try await complete(Self.waiting, Self.waiting, ChangingStore.State(status: .transcribing), parts: removed)
        #expect(entry.facts.status == .transcribing)
    }

    @Test("without every part, or with one of another length, nothing is joined", arguments: [[1: 4, 2: 4], [1: 4, 2: 4, 3: 1], [:]])
    func lacksParts(sizes: [Int: Int64]) async throws {
        let parts = MemoryParts(sizes)
        let refusal = await #expect(throws: DiaryError.self) { _ = try await complete(Self.waiting, parts: parts) }
        #expect(refusal?.code == .uploadIncomplete && refusal?.detail != nil)
        #expect(try await complete(Self.expired, parts: parts).facts.isExpired)
        #expect(parts.log.isEmpty)
    }
}
