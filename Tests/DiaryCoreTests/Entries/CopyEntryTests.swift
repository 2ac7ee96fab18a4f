import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Copies of entries", .timeLimit(.minutes(1))) struct CopyEntryTests {
    /// Has one entry; what is made of it is made when it is opened.
    private struct HeldStore: WholeEntryStore {
        let entry: WholeEntry
        let begun = Shared(0)
        let isOpen = Shared(true)

        func whole(_ id: EntryID, of member: Member) async throws(DiaryError) -> WholeEntry? { entry }
        func copy(_ copy: NewEntryCopy, by member: Member) async throws(DiaryError) -> StoredEntry? {
            begun.change { $0 += 1 }
            while !isOpen.now { await Task.yield() }
            return entry.stored.entry
        }
    }

    private struct Scene {
        let store: HeldStore
        let objects: MemoryObjects
        let copy: CopyEntry
        let id = Stub.recording.facts.id

        /// A recording of ten bytes, which are all that the account stores.
        init(most: Int) async throws {
            let facts = Stub.recording.facts
            var tenant = Stub.tenant("diary")
            try tenant.configuration.set("limits.storage_bytes", to: "\(most)")
            var ports = try FeaturePorts.stub(tenants: [tenant])
            let vault = try await ports.memberKeys.vault(of: TestTokens.member)
            let personal = try vault.seal(PersonalPart(title: "Walk"), as: .personal, row: facts.id.uuid, version: 1)
            let entry = StoredEntry(facts: facts, personal: SealedColumn(bytes: personal, version: 1), machine: nil)
            store = HeldStore(entry: WholeEntry(stored: StoredExportEntry(entry: entry), timeZone: "UTC", locale: nil, storedBytes: 10))
            objects = MemoryObjects(sealedBy: vault.key)
            objects[ObjectKey(kind: .audio, owner: Stub.owner, object: try #require(facts.object))] = Array("0123456789".utf8)
            ports.wholeEntries = store
            ports.objects = objects.store
            copy = DiaryFeatures(ports).entries.copy
        }

        func refusal() async -> DiaryError? {
            do throws(DiaryError) {
                _ = try await copy.run(id, by: TestTokens.member)
                return nil
            } catch { return error }
        }
    }

    @Test("a recording that does not fit beside what is stored is not written")
    func storage() async throws {
        let (full, fits) = (try await Scene(most: 19), try await Scene(most: 20))

        let refusal = await full.refusal()

        #expect(refusal?.code == .storageExceeded && refusal?.storage == DiaryError.Storage(bytes: 10, maxBytes: 19))
        #expect(full.store.begun.now == 0 && full.objects.keys.count == 1)
        #expect(await fits.refusal() == nil)
        #expect(fits.objects.keys.count == 2)
    }

    @Test("an account has one copy made at a time")
    func turns() async throws {
        let scene = try await Scene(most: 1_000)
        scene.store.isOpen.set(false)

        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 { group.addTask { await scene.refusal() == nil } }
            #expect(await eventually { scene.store.begun.now == 1 && scene.copy.turns.waiting == 1 })
            #expect(scene.objects.keys.count == 2)
            scene.store.isOpen.set(true)
            for await isMade in group { #expect(isMade) }
        }
        #expect(scene.store.begun.now == 2 && scene.objects.keys.count == 3)
    }
}
