import DiaryCore
import DiaryCrypto
import DiaryObjectStore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Unchecked recordings in the trash")
struct TrashedUploadsTests {
    let person: Person
    let rows = ScriptedSweepStore()
    /// A store whose staging is plain, as in a bucket.
    let bytes = MemoryByteStore()

    init() async throws { person = try await Person() }

    private var store: SealedObjectStore { SealedObjectStore(bytes: bytes, staging: .plain) }
    private var sweeps: DiarySweeps {
        get throws { try .of(rows, store, keys: person.keys) }
    }

    private func upload(of owner: Owner? = nil, arrived: [UInt8]?) -> AwaitingUpload {
        let upload = AwaitingUpload(
            owner: owner ?? person.owner, entry: EntryID(UUID()), object: UUID(), size: 3, createdAt: .now, expiresAt: .now)
        if let arrived { bytes[ObjectKey(kind: .staging, owner: upload.owner, object: upload.object)] = arrived }
        rows.unchecked.change { $0.append(upload) }
        return upload
    }

    private func seal() async throws {
        let sweeps = try sweeps
        try await wholeWalk { try await sweeps.sealTrashedUploads(&$0) }
    }

    @Test("a recording that waits in the trash is sealed at its final key, and its row says that it has arrived; other lengths stay")
    func sealed() async throws {
        let (whole, short, none) = (upload(arrived: [1, 2, 3]), upload(arrived: [1, 2]), upload(arrived: nil))

        try await seal()

        let (staging, final) = (person.key(.staging, whole.object), person.key(.audio, whole.object))
        #expect(Set(bytes.keys) == [final, person.key(.staging, short.object)])
        #expect(bytes[staging] == nil && bytes[final] != [1, 2, 3])
        let body = try await store.read(final, range: 0..<3, openedBy: person.vault.key)
        #expect(try await body.next() == [1, 2, 3])
        #expect(rows.arrived.now == [whole.entry] && !rows.arrived.now.contains(none.entry))
    }

    @Test("more recordings than a round seals are sealed by the next ones, and an account that is gone does not stop the others")
    func rounds() async throws {
        _ = upload(of: .someone, arrived: [4, 5, 6])
        for _ in 0...DiarySweeps.sealed { _ = upload(arrived: [1, 2, 3]) }
        var walk = SweepWalk<EntryID>()
        walk.begin()

        let sweeps = try sweeps
        try await sweeps.sealTrashedUploads(&walk)
        #expect(walk.isUnderWay && rows.arrived.now.count <= DiarySweeps.sealed)
        while walk.isUnderWay { try await sweeps.sealTrashedUploads(&walk) }

        #expect(rows.arrived.now.count == DiarySweeps.sealed + 1)
        #expect(bytes.keys.filter { $0.kind == .staging }.count == 1)
    }

    @Test("A8: a store that serves none of several recordings is away, which ends the step; one that lacks a few seals the others")
    func silent() async throws {
        let broken = (1..<DiarySweeps.failures).map { _ in upload(arrived: [1, 2, 3]) }
        bytes.hooks.unreadable = Set(broken.map { person.key(.staging, $0.object) })
        let first = upload(arrived: [4, 5, 6])
        try await seal()
        #expect(rows.arrived.now == [first.entry])

        let another = upload(arrived: [1, 2, 3])
        bytes.hooks.unreadable.formUnion([first, another].map { person.key(.staging, $0.object) })
        await #expect(throws: ObjectStoreError.unavailable(full: false)) { try await seal() }
    }

    @Test("what was sent once more after its check leaves staging, in one request; what is checked yet, or is in staging alone, stays")
    func repeated() async throws {
        let (again, copied, alone, unchecked) = (UUID(), UUID(), UUID(), UUID())
        for object in [again, copied, alone, unchecked] { bytes[person.key(.staging, object)] = [1, 2, 3] }
        for (object, source) in [(again, again), (unchecked, unchecked), (PlayableCopy.object(of: copied), copied)] {
            let staging = person.key(.staging, object)
            bytes[staging] = [1, 2, 3]
            try await store.promote(staging, to: person.key(.audio, object), sealedBy: person.vault.key)
            bytes[person.key(.staging, source)] = [1, 2, 3]
        }
        rows.checked.set([again, copied, alone])
        let requests = Shared<[[ObjectKey]]>([])
        bytes.hooks.deleting = { keys async throws(ObjectStoreError) in requests.change { $0.append(keys) } }
        let sweeps = try sweeps

        try await wholeWalk { try await sweeps.deleteRepeatedUploads(&$0) }

        #expect(Set(bytes.keys.filter { $0.kind == .staging }.map(\.object)) == [alone, unchecked])
        #expect(requests.now.map { Set($0.map(\.object)) } == [[again, copied]])
        #expect(bytes[person.key(.audio, again)] != nil && bytes[person.key(.audio, PlayableCopy.object(of: copied))] != nil)
    }

    @Test("A8: bytes that are read wrongly once are not sealed in place of the recording")
    func misread() async throws {
        let waiting = upload(arrived: [1, 2, 3])
        let (staging, final) = (person.key(.staging, waiting.object), person.key(.audio, waiting.object))
        bytes.hooks.misread = { $0.map { $0 ^ 1 } }

        try await seal()
        #expect(Set(bytes.keys) == [staging])

        try await seal()
        #expect(Set(bytes.keys) == [final])
        #expect(try await store.read(final, range: 0..<3, openedBy: person.vault.key).next() == [1, 2, 3])
    }
}
