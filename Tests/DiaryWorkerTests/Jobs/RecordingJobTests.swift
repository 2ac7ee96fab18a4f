import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Testing

@testable import DiaryWorker

@Suite("Jobs on a recording", .timeLimit(.minutes(1)))
struct RecordingJobTests {
    let person: Person
    let store = ScriptedJobStore()
    let objects: MemoryObjects
    let object = UUID()
    let audio = SecureRandom.bytes(200_000)

    init() async throws {
        person = try await Person()
        objects = MemoryObjects(sealedBy: person.vault.key)
    }

    func entry(size: Int64? = 200_000, sha256: [UInt8]? = nil, machine: MachinePart? = nil) throws -> EntryFacts {
        let facts = EntryFacts.make(status: .uploaded, size: size, sha256: sha256, object: object)
        store.put(try person.vault.entry(facts, PersonalPart(), machine))
        return facts
    }

    private func tenant(_ configuration: TenantConfiguration) -> Tenant {
        Tenant(
            id: person.owner.tenant, slug: "diary", name: "Diary", mailFromName: "Diary", mailFromAddress: "diary@diary.example",
            createdAt: .now, suspendedAt: nil, configuration: configuration)
    }

    @discardableResult
    func verify(
        _ facts: EntryFacts, seconds: Double = 12.5, renderer: FixedRenderer = FixedRenderer(),
        _ configuration: TenantConfiguration = TenantConfiguration(), in other: (any ObjectStore)? = nil, errors: Int = 0,
        cost: Double = JobCost.small
    ) async throws -> JobKind? {
        let scratch = try Scratch()
        defer { #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch.folders.root))?.isEmpty == true) }
        return try await VerifyRecording(
            store: store, objects: other ?? objects.store, keys: person.keys, probe: FixedProbe(seconds: seconds),
            renderer: renderer, folders: scratch.folders, tenants: StubTenants([tenant(configuration)]), limits: Limits()
        ).run(.make(.verify, owner: person.owner, subject: facts.id.uuid, errors: errors, cost: cost))
    }

    @Test("a recording that is what was announced moves to its final key with its true facts")
    func verified() async throws {
        objects[person.key(.staging, object)] = audio

        let next = try await verify(try entry(sha256: SHA256.digest(audio)))

        #expect(objects.keys == [person.key(.audio, object)])
        #expect(store.verified?.size == 200_000)
        #expect(store.verified?.sha256 == SHA256.digest(audio))
        #expect(store.verified?.facts.durationSeconds == 12.5)
        #expect(next == .transcribe)
    }

    @Test("the waveform is sealed for this recording, and the length that decoding found counts, for the limit too")
    func measured() async throws {
        objects[person.key(.staging, object)] = audio
        try await verify(try entry(), renderer: FixedRenderer(seconds: 11.75))

        let waveform = try #require(store.verified?.rendition.waveform)
        #expect(store.verified?.facts.durationSeconds == 11.75 && store.verified?.rendition.copy == nil)
        #expect(try person.vault.open(Waveform.self, waveform.sealed, as: .waveform, row: object) == FixedRenderer.waveform)
        #expect(throws: DiaryError.self) { try person.vault.open(Waveform.self, waveform.sealed, as: .waveform, row: UUID()) }

        await #expect(throws: JobStop.discard(.mediaTooLong)) {
            try await verify(try entry(), renderer: FixedRenderer(seconds: 4 * 3_600 + 1, copy: [1]))
        }
        await #expect(throws: JobStop.discard(.mediaUnreadable)) { try await verify(try entry(), renderer: FixedRenderer(seconds: .nan)) }
        #expect(objects.keys == [person.key(.audio, object)])
    }

    @Test("C6: a recording of few bytes and many hours is checked as a long job, once its length is known")
    func underestimated() async throws {
        objects[person.key(.staging, object)] = audio

        let stop = await #expect(throws: JobStop.self) { try await verify(try entry(), seconds: 4 * 3_600) }

        guard case .underestimated(let cost)? = stop?.outcome else {
            Issue.record("\(String(describing: stop))")
            return
        }
        #expect((30...600).contains(cost) && objects.keys == [person.key(.staging, object)])
        #expect(try await verify(try entry(), seconds: 4 * 3_600, renderer: FixedRenderer(seconds: 4 * 3_600), cost: cost) == .transcribe)
    }

    @Test("a crash after the move goes on with the final key")
    func moved() async throws {
        objects[person.key(.audio, object)] = audio

        try await verify(try entry())

        #expect(store.verified?.size == 200_000)
    }

    @Test("an upload that was seen and is missing now is tried again (A8)")
    func away() async throws {
        let stop = await #expect(throws: JobStop.self) { try await verify(try entry()) }

        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
    }

    @Test("D3: another size, another hash, too long: discarded with its code")
    func refused() async throws {
        objects[person.key(.staging, object)] = audio
        await #expect(throws: JobStop.discard(.uploadSizeMismatch)) { try await verify(try entry(size: 199_999)) }
        await #expect(throws: JobStop.discard(.uploadHashMismatch)) { try await verify(try entry(sha256: SHA256.digest([1]))) }
        await #expect(throws: JobStop.discard(.mediaTooLong)) { try await verify(try entry(), seconds: 4 * 3_600 + 1) }
        await #expect(throws: JobStop.discard(.mediaUnreadable)) { try await verify(try entry(), seconds: .nan) }
        #expect(objects.keys == [person.key(.staging, object)])
        #expect(store.written.isEmpty)
    }

    @Test("A8: bytes of a plain upload that are read wrongly once do not refuse it, and are not what is kept")
    func misread() async throws {
        let staging = person.key(.staging, object)
        objects.bytes[staging] = audio
        for sha256 in [SHA256.digest(audio), nil] {
            objects.bytes.hooks.misread = { $0.map { $0 ^ 1 } }
            let stop = await #expect(throws: JobStop.self) { try await verify(try entry(sha256: sha256), in: objects.plainlyStaged) }
            #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
            #expect(objects.keys == [staging] && store.written.isEmpty)
        }

        #expect(try await verify(try entry(sha256: SHA256.digest(audio)), in: objects.plainlyStaged) == .transcribe)

        #expect(objects[person.key(.audio, object)] == audio && objects.keys.count == 1)
    }

    @Test("a deleted entry is not changed, and an erased owner's job is discarded")
    func gone() async throws {
        await #expect(throws: JobStop.abandoned) { try await verify(.make()) }
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        try await person.keys.destroy(of: person.owner)
        await #expect(throws: JobStop.discard(.gone)) { try await verify(facts) }
    }
}
