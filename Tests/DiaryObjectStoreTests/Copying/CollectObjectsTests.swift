import DiaryCore
import DiaryCrypto
import Foundation
import TestSupport
import Testing

@testable import DiaryObjectStore

/// What an export takes from a store.
private final class Collected: ObjectSink {
    private(set) var objects: [ObjectKey: [UInt8]] = [:]
    private(set) var discarded = 0
    private var open: (key: ObjectKey, bytes: [UInt8])?

    func begin(_ key: ObjectKey) throws { open = (key, []) }
    func write(_ bytes: [UInt8]) throws { open?.bytes += bytes }
    func end() throws {
        if let open { objects[open.key] = open.bytes }
        open = nil
    }
    func discard() throws {
        discarded += 1
        open = nil
    }
    func has(_ key: ObjectKey) -> Bool { objects[key] != nil }
}

/// Rows that name these objects, in the order of their owners.
private struct Rows: ObjectCheckStore {
    var named: [(kind: ObjectKey.Kind, object: NamedObject)] = []

    init(_ keys: [ObjectKey] = []) {
        named = keys.sorted { $0.description < $1.description }.map { key in
            let owner = Owner(tenant: key.tenant, user: key.user)
            return (kind: key.kind, object: NamedObject(owner: owner, id: UUID(), object: key.object))
        }
    }

    private func page(_ kinds: [ObjectKey.Kind], _ after: NamedObject?, _ limit: Int) -> [NamedObject] {
        let all = named.filter { kinds.contains($0.kind) }.map(\.object)
        let start = after.flatMap { after in all.firstIndex { $0.id == after.id } }.map { $0 + 1 } ?? 0
        return Array(all.dropFirst(start).prefix(limit))
    }

    func recordings(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] { page([.audio, .staging], after, limit) }
    func copies(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] { [] }
    func zips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] { page([.export], after, limit) }
    func importedZips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] { page([.imported], after, limit) }
    func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey] {
        keys.filter { key in !named.contains { $0.object.object == key.object } }
    }
    func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] { [] }
    func digest(of recording: NamedObject) async throws(DiaryError) -> [UInt8]? { nil }
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? { nil }
}

@Suite("The objects of one app") struct CollectObjectsTests {
    private struct Outcome {
        var total: CollectObjects.Counts
        var counts: CollectObjects.Counts
        var gaps: [ObjectGap]
    }

    private func collect(
        _ store: any ByteStore, of tenant: TenantID, rows: Rows = Rows(), stagingIsPlain: Bool = false, into sink: Collected
    ) async throws -> Outcome {
        let collect = CollectObjects(
            of: tenant, in: store, rows: rows, stagingIsPlain: stagingIsPlain, pageSize: 2, retryPause: .milliseconds(1), settle: .zero)
        let total = try await collect.total()
        var gaps: [ObjectGap] = []
        let counts = try await collect.run(total, into: sink, progress: { _ in }, report: { gaps.append($0) })
        return Outcome(total: total, counts: counts, gaps: gaps)
    }

    /// Objects of two users of the app, and one each of the apps beside it.
    private func fill(
        _ fixture: ByteStoreFixture, _ kinds: [ObjectKey.Kind] = ObjectKey.Kind.allCases
    ) async throws -> [ObjectKey: [UInt8]] {
        var objects: [ObjectKey: [UInt8]] = [:]
        for owner in [fixture.owner, Owner(tenant: fixture.owner.tenant, user: UserID(UUID()))] {
            for kind in kinds {
                for size in [0, 5_000, 300_001] {
                    let key = fixture.key(kind, owner)
                    objects[key] = pattern(size)
                    try await fixture.put(key, pattern(size))
                }
            }
        }
        for _ in 0..<6 {
            let other = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
            for kind in kinds { try await fixture.put(fixture.key(kind, other), [1, 2, 3]) }
        }
        return objects
    }

    @Test("they come as they are stored and without another app's, from every store", arguments: TestedByteStore.all)
    func collected(from kind: TestedByteStore) async throws {
        let fixture = try await kind.make()
        let objects = try await fill(fixture)
        let (sealed, plain) = (Collected(), Collected())

        let all = try await collect(fixture.store, of: fixture.owner.tenant, rows: Rows(Array(objects.keys)), into: sealed)
        let withoutStaging = try await collect(
            fixture.store, of: fixture.owner.tenant, rows: Rows(Array(objects.keys)), stagingIsPlain: true, into: plain)

        #expect(sealed.objects == objects && all.gaps.isEmpty && all.total.waiting == 0)
        #expect(all.counts.collected == objects.count && all.total.objects == objects.count && all.counts.collectedBytes == all.total.bytes)
        #expect(plain.objects == objects.filter { $0.key.kind != .staging } && withoutStaging.gaps.isEmpty)
        #expect(withoutStaging.total.waiting == 6 && withoutStaging.total.objects == objects.count - 6)
    }

    @Test("what a row names and the store lacks or does not return whole is a gap, and not in the way of the others")
    func gaps() async throws {
        let fixture = try await TestedByteStore.memory.make()
        var objects = try await fill(fixture, [.audio])
        let keys = objects.keys.sorted { $0.description < $1.description }
        let (lost, silent) = (fixture.key(.audio), keys[1])
        let short = try #require(keys.last { $0 != silent && objects[$0]?.isEmpty == false })
        let store = HookedByteStore(fixture.store)
        store.hooks.beforeGet = { key in if key == silent { throw ObjectStoreError.unavailable(full: false) } }
        store.hooks.altering = { key, bytes in key == short ? Array(bytes.dropLast()) : bytes }
        let sink = Collected()

        let outcome = try await collect(store, of: fixture.owner.tenant, rows: Rows(keys + [lost]), into: sink)

        for key in [silent, short] { objects[key] = nil }
        let expected: [(ObjectGap.Kind, ObjectKey)] = [(.unanswered, silent), (.unreadable, short), (.missing, lost)]
        #expect(sink.objects == objects && outcome.counts.collected == objects.count)
        #expect(Set(outcome.gaps.map(\.key)) == Set(expected.map(\.1)) && outcome.gaps.count == expected.count)
        for (kind, key) in expected { #expect(outcome.gaps.contains(ObjectGap(kind: kind, key: key))) }
    }

    @Test("an object that fails for a moment is read anew from its beginning")
    func again() async throws {
        let fixture = try await TestedByteStore.memory.make()
        let objects = try await fill(fixture, [.audio])
        let store = HookedByteStore(fixture.store)
        let gets = Counter()
        store.hooks.beforeGet = { _ in if gets.next() == 1 { throw ObjectStoreError.unavailable(full: false) } }
        let sink = Collected()

        let outcome = try await collect(store, of: fixture.owner.tenant, into: sink)

        #expect(sink.objects == objects && sink.discarded == 1 && outcome.gaps.isEmpty)
    }

    @Test("what is put behind the listing is found by its row; what is deleted meanwhile, or waits in plain staging, is no gap")
    func meanwhile() async throws {
        let fixture = try await TestedByteStore.memory.make()
        var objects = try await fill(fixture, [.audio, .export])
        let (late, waiting) = (fixture.key(.audio), fixture.key(.staging))
        try await fixture.put(waiting, [7])
        let first = try #require(objects.keys.filter { $0.kind == .export }.min { $0.description < $1.description })
        let store = HookedByteStore(fixture.store)
        store.hooks.beforeGet = { [fixture] key in
            guard key == first else { return }
            try await fixture.put(late, [8, 9])
            try await fixture.store.delete(first)
        }
        let sink = Collected()
        // A deletion takes its row along.
        let rows = Rows(objects.keys.filter { $0 != first } + [late, waiting])

        let outcome = try await collect(store, of: fixture.owner.tenant, rows: rows, stagingIsPlain: true, into: sink)

        objects[first] = nil
        objects[late] = [8, 9]
        #expect(sink.objects == objects && outcome.gaps.isEmpty && outcome.total.waiting == 1)
    }

    @Test("a store that goes on failing ends the run")
    func away() async throws {
        let fixture = try await TestedByteStore.memory.make()
        _ = try await fill(fixture, [.audio])
        let store = HookedByteStore(fixture.store)
        store.hooks.beforeGet = { _ in throw ObjectStoreError.unavailable(full: false) }

        await #expect(throws: ObjectStoreError.unavailable(full: false)) {
            try await collect(store, of: fixture.owner.tenant, into: Collected())
        }
    }
}
