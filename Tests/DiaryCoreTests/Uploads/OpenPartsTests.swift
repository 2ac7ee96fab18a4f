import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Parts of an upload")
struct OpenPartsTests {
    private func open(
        _ parts: MemoryParts, from: Int = 1, limit: Int = 200, status: EntryStatus = .awaitingUpload, others: Int = 0, staged: Int? = nil
    ) async throws -> OpenParts.Offer {
        let (feature, id) = try await self.feature(parts, status: status, others: others, staged: staged)
        return try await feature.openParts.run(id, from: from, limit: limit, by: TestTokens.member) { () async throws(DiaryError) in }
    }

    /// - Parameter staged: bytes in staging; nil when nothing is there.
    private func feature(
        _ parts: MemoryParts, status: EntryStatus = .awaitingUpload, others: Int = 0, staged: Int? = nil
    ) async throws -> (UploadFeature, EntryID) {
        var ports = try FeaturePorts.stub()
        let state = ChangingStore.State(status: status, expiresAt: Stub.now + 10_000)
        let store = try ChangingStore([state], id: EntryID(UUIDv7.make()), key: try await ports.memberKeys.key(of: Stub.owner))
        ports.entries = store
        ports.parts = parts
        let key = ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: store.object)
        let objects = MemoryObjects()
        if let staged { objects[key] = [UInt8](repeating: 1, count: staged) }
        ports.objects = objects.store
        var uploads = OnePartUpload(key, isOpen: parts.isBegun)
        uploads.state.others = others
        ports.partUploads = uploads
        return (UploadFeature(ports), store.id)
    }

    @Test("the parts that are missing are offered, in order, from a number on, and where to go on")
    func missing() async throws {
        let some = MemoryParts([2: 4])
        let first = try await open(some, limit: 1)
        #expect(first.targets.map(\.number) == [1] && first.next == 3 && first.received == 1)
        #expect(first.plan == PartPlan(partSize: 4, count: 3))
        let rest = try await open(some, from: 2)
        #expect(rest.targets.map(\.number) == [3] && rest.targets.map(\.size) == [2] && rest.next == nil)
        #expect(try await open(some, from: 4).targets.isEmpty)
        #expect(try await open(MemoryParts([1: 4, 2: 4, 3: 2])).targets.isEmpty)
        #expect(some.log.isEmpty, "an open set is not opened again")
    }

    @Test("the first request opens a set, of parts as large as the recording's size makes them")
    func begins() async throws {
        let parts = MemoryParts()
        let offer = try await open(parts)
        #expect(parts.log == ["begin"])
        #expect(offer.plan == PartPlan(partSize: 1_048_576, count: 1) && offer.targets.map(\.size) == [10])
        #expect(offer.targets.first?.target.url.contains("partNumber=1&uploadId=set") == true)
    }

    @Test("a set that was joined, which the database does not have yet, has nothing to send; one that the store has lost is opened anew")
    func joined() async throws {
        let ended = MemoryParts([:], isEnded: true)
        let offer = try await open(ended, staged: 10)
        #expect(offer.received == 3 && offer.targets.isEmpty && offer.next == nil && offer.plan == PartPlan(partSize: 4, count: 3))
        let (feature, id) = try await self.feature(ended, staged: 10)
        #expect(try await feature.listParts.run(id, by: TestTokens.member).arrived.map(\.size) == [4, 4, 2])
        #expect(ended.log.isEmpty)

        for staged in [nil, 9] {
            let lost = MemoryParts([:], isEnded: true)
            let (feature, id) = try await self.feature(lost, staged: staged)
            #expect(try await feature.listParts.run(id, by: TestTokens.member).arrived.isEmpty)
            #expect(try await open(lost, staged: staged).received == 0)
            #expect(lost.log == ["begin"])
        }
    }

    @Test("an account that has as many sets as it may have is refused before the store opens another one; one that is open goes on")
    func bounded() async throws {
        let parts = MemoryParts()
        await #expect(throws: DiaryError(.tooManyUploads)) { _ = try await open(parts, others: PartPlan.openMost) }
        #expect(parts.log.isEmpty)
        #expect(try await open(MemoryParts([:]), others: PartPlan.openMost).targets.count == 3)
    }

    @Test("an entry that has its recording gets no parts")
    func finished() async throws {
        let parts = MemoryParts([:])
        await #expect(throws: DiaryError(.uploadFinished)) { _ = try await open(parts, status: .transcribing) }
        #expect(parts.log.isEmpty)
    }

    @Test("where clients send parts to the store itself, a part that comes to the API is refused before its body is read")
    func elsewhere() async throws {
        let parts = MemoryParts([:])
        let key = ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: UUIDv7.make())
        let part = PartKey(key: key, upload: "set", number: 1)
        let receive = ReceivePart(
            uploads: StubParts(), imports: StubStore(), receiver: nil, parts: parts, keys: try FeaturePorts.stub().memberKeys)

        let refusal = await #expect(throws: DiaryError.self) {
            try await receive.run(
                part, UploadGrant(key: key, contentType: "audio/mp4", length: 10, sha256: nil, part: part), body: UnreadBody())
        }

        #expect(refusal?.code == .uploadRefused && parts.log.isEmpty)
    }

    @Test(
        "the parts of a recording are even, at most 200, of whole MiB, and as large as the store wants",
        arguments: [1, 1_048_576, 5_242_880])
    func plans(smallest: Int64) {
        let sizes: [Int64] = [
            1, 2, 1_048_575, 1_048_576, 1_048_577, 40 * 1_048_576, 200 * 1_048_576, 200 * 1_048_576 + 1, 500 * 1_048_576, 1 << 40,
        ]
        for size in sizes {
            let plan = PartPlan(of: size, smallest: smallest)
            let upload = PartUpload(
                key: ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: UUID()), id: "a",
                contentType: "audio/mp4", size: size, partSize: plan.partSize)
            #expect(plan == upload.plan)
            #expect((1...200).contains(plan.count) && plan.partSize % 1_048_576 == 0 && plan.partSize >= smallest)
            let lengths = (1...plan.count).compactMap { upload.length(of: $0) }
            #expect(lengths.count == plan.count && lengths.reduce(0, +) == size && lengths.allSatisfy { $0 > 0 })
            #expect(upload.length(of: 0) == nil && upload.length(of: plan.count + 1) == nil)
        }
    }
}

private final class UnreadBody: ByteStream {
    func next() async throws -> [UInt8]? {
        Issue.record("a part that is refused was read")
        return nil
    }
}
