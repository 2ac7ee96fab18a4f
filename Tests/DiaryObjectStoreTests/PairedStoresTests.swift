import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryObjectStore

/// A folder and a bucket while objects move between them; in memory the bucket's staging is plain all the same.
@Suite("Two stores during a move")
struct PairedStoresTests {
    /// Which of the two is named first: before the switch and after it.
    enum Order: CaseIterable, Sendable { case folderFirst, bucketFirst }

    private struct Scene: Sendable {
        let folder: ByteStoreFixture
        let bucket: ByteStoreFixture
        let (hookedFolder, hookedBucket): (HookedByteStore, HookedByteStore)
        let stores: (folder: SealedObjectStore, bucket: SealedObjectStore)
        let paired: PairedObjectStore
        let dataKey = DataKey.generate()

        init(_ order: Order, _ tested: TestedByteStore = .memory) async throws {
            folder = try await TestedByteStore.disk.make()
            bucket = try await tested.make()
            (hookedFolder, hookedBucket) = (HookedByteStore(folder.store), HookedByteStore(bucket.store))
            stores = (SealedObjectStore(bytes: hookedFolder), SealedObjectStore(bytes: hookedBucket, staging: .plain))
            paired =
                order == .folderFirst
                ? PairedObjectStore(first: stores.folder, other: stores.bucket)
                : PairedObjectStore(first: stores.bucket, other: stores.folder)
        }

        var both: [any ObjectStore] { [stores.folder, stores.bucket] }

        @discardableResult
        func put(_ key: ObjectKey, _ bytes: [UInt8], in store: any ObjectStore) async throws -> [UInt8] {
            try await store.put(
                key, from: ArrayBody(bytes, chunk: 10_000), length: Int64(bytes.count), sha256: nil, sealedBy: dataKey)
        }

        func read(_ key: ObjectKey, in store: (any ObjectStore)? = nil) async throws -> [UInt8] {
            let stream = try await (store ?? paired).read(key, range: 0..<Int64.max, openedBy: dataKey)
            var all: [UInt8] = []
            while let piece = try await stream.next() { all += piece }
            return all
        }

        func isAt(_ key: ObjectKey, _ store: any ObjectStore) async throws -> Bool {
            try await store.facts(of: [key]).first?.get() != nil
        }

        /// From the folder to the bucket, or back.
        func copy(_ order: Order) async throws {
            let (source, target) = order == .folderFirst ? (hookedFolder, hookedBucket) : (hookedBucket, hookedFolder)
            _ = try await CopyObjects(from: source, to: target, copiesStaging: false).run(progress: { _ in }, report: { _ in })
        }
    }

    @Test(
        "what either store has is found and read, what neither has is missing, and what is made goes to the first",
        arguments: Order.allCases)
    func reading(order: Order) async throws {
        let scene = try await Scene(order)
        let keys = (folder: scene.folder.key(), bucket: scene.folder.key(.export), none: scene.folder.key(), new: scene.folder.key())
        try await scene.put(keys.folder, pattern(100_000), in: scene.stores.folder)
        try await scene.put(keys.bucket, pattern(5), in: scene.stores.bucket)
        try await scene.put(keys.new, pattern(7), in: scene.paired)

        #expect(try await scene.read(keys.folder) == pattern(100_000))
        #expect(try await scene.read(keys.bucket) == pattern(5))
        let found = try await scene.paired.facts(of: [keys.folder, keys.none, keys.bucket, keys.new]).map { try $0.get()?.size }
        #expect(found == [100_000, nil, 5, 7])
        #expect(try await scene.paired.facts(keys.folder).size == 100_000)
        for key in [keys.folder, keys.bucket] { try await scene.paired.confirmDurable(key) }
        await #expect(throws: ObjectStoreError.missing) { try await scene.paired.facts(keys.none) }
        await #expect(throws: ObjectStoreError.missing) { try await scene.paired.confirmDurable(keys.none) }
        await #expect(throws: ObjectStoreError.missing) { try await scene.read(keys.none) }
        #expect(try await scene.isAt(keys.new, scene.stores.folder) == (order == .folderFirst))
        #expect(try await scene.isAt(keys.new, scene.stores.bucket) == (order == .bucketFirst))
    }

    @Test(
        "a recording in staging is verified and promoted in the store where it arrived, by that store's rule of what is sealed there",
        arguments: Order.allCases)
    func promotion(order: Order) async throws {
        let scene = try await Scene(order)
        for store in scene.both {
            let (key, bytes) = (scene.folder.key(.staging), pattern(70_001))
            let digest = try await scene.put(key, bytes, in: store)
            #expect(try await scene.read(key) == bytes)

            for _ in 0..<2 { try await scene.paired.promote(key, to: key.promoted, sealedBy: scene.dataKey, sha256: digest) }

            #expect(try await scene.read(key.promoted, in: store) == bytes)
            for store in scene.both { #expect(try await !scene.isAt(key, store)) }
        }
        let absent = scene.folder.key(.staging)
        await #expect(throws: ObjectStoreError.missing) {
            try await scene.paired.promote(absent, to: absent.promoted, sealedBy: scene.dataKey, sha256: nil)
        }
        // Sent before the switch and once more after it.
        let twice = scene.folder.key(.staging)
        for store in scene.both { try await scene.put(twice, pattern(10), in: store) }
        try await scene.paired.promote(twice, to: twice.promoted, sealedBy: scene.dataKey, sha256: SHA256.digest(pattern(10)))
        for store in scene.both { #expect(try await !scene.isAt(twice, store)) }
        #expect(try await scene.read(twice.promoted) == pattern(10))
    }

    @Test(
        "a recording that was promoted in one store and is sent once more to the other has one final object, and a copy finds nothing that differs",
        arguments: Order.allCases, Order.allCases)
    func sentLate(order: Order, promotedBy: Order) async throws {
        let scene = try await Scene(order)
        let (early, late) =
            promotedBy == .folderFirst ? (scene.stores.folder, scene.stores.bucket) : (scene.stores.bucket, scene.stores.folder)
        let (key, bytes) = (scene.folder.key(.staging), pattern(1_000))
        let digest = try await scene.put(key, bytes, in: early)
        try await scene.paired.promote(key, to: key.promoted, sealedBy: scene.dataKey, sha256: digest)
        try await scene.put(key, bytes, in: late)

        try await scene.paired.promote(key, to: key.promoted, sealedBy: scene.dataKey, sha256: digest)

        #expect(try await scene.isAt(key.promoted, early))
        #expect(try await !scene.isAt(key.promoted, late))
        for store in scene.both { #expect(try await !scene.isAt(key, store)) }
        #expect(try await scene.read(key.promoted) == bytes)
        let findings = CopyScene.Findings()
        let (source, target) =
            promotedBy == .folderFirst ? (scene.hookedFolder, scene.hookedBucket) : (scene.hookedBucket, scene.hookedFolder)
        let counts = try await CopyObjects(from: source, to: target, copiesStaging: false, comparesAll: true).run(
            progress: { _ in }, report: { findings.add($0) })
        #expect(counts.copied == 1 && findings.all.isEmpty)
    }

    @Test("a store that does not answer is not taken for one without the object", arguments: Order.allCases)
    func unavailable(order: Order) async throws {
        let scene = try await Scene(order)
        let key = scene.folder.key()
        try await scene.put(key, pattern(10), in: order == .folderFirst ? scene.stores.bucket : scene.stores.folder)
        let hooked = order == .folderFirst ? scene.hookedBucket : scene.hookedFolder
        hooked.hooks.beforeGet = { _ in throw ObjectStoreError.unavailable(full: false) }

        await #expect(throws: ObjectStoreError.unavailable(full: false)) { try await scene.read(key) }
    }

    @Test(
        "a listing has both stores' objects in order, each once and with its earlier time, at any size of page", arguments: Order.allCases)
    func listing(order: Order) async throws {
        let scene = try await Scene(order)
        let keys = (0..<20).map { _ in scene.folder.key() }.sorted { $0.description < $1.description }
        for (index, key) in keys.enumerated() where index % 4 != 1 { try await scene.put(key, [1], in: scene.stores.folder) }
        // As a copy: later.
        for (index, key) in keys.enumerated() where index % 4 < 2 || index > 16 { try await scene.put(key, [1], in: scene.stores.bucket) }
        for limit in [1, 3, 7, 20, 1_000] {
            var (listed, after): ([ObjectPage.Object], ObjectKey?) = ([], nil)
            repeat {
                let page = try await scene.paired.list(.audio, olderThan: .distantFuture, after: after, limit: limit)
                listed += page.objects
                after = page.next
            } while after != nil
            #expect(listed.map(\.key) == keys, "\(limit)")
            let early = try await scene.stores.folder.list(.audio, olderThan: .distantFuture, after: nil, limit: 1_000)
            for object in early.objects { #expect(listed.contains(object)) }
        }
    }

    @Test("an account's objects are removed from both stores", arguments: Order.allCases)
    func erasure(order: Order) async throws {
        let scene = try await Scene(order)
        let foreign = scene.folder.key(.audio, Owner(tenant: scene.folder.owner.tenant, user: UserID(UUID())))
        for store in scene.both {
            for kind in ObjectKey.Kind.allCases { try await scene.put(scene.folder.key(kind), [1], in: store) }
            try await scene.put(foreign, [1], in: store)
        }
        let owner = scene.folder.owner

        #expect(try await scene.paired.count(of: owner) == 8)
        #expect(try await scene.paired.removeAll(of: owner, most: 4) == 4)
        #expect(try await scene.paired.removeAll(of: owner, most: 4) == 4)
        #expect(try await scene.paired.removeAll(of: owner, most: 4) == 0)

        #expect(try await scene.paired.count(of: owner) == 0)
        for store in scene.both { #expect(try await scene.isAt(foreign, store)) }
    }

    @Test(
        "an object that is deleted at any step of its copy, or copied at any step of its deletion, is in neither store afterwards",
        arguments: Order.allCases, Order.allCases)
    func deletion(order: Order, direction: Order) async throws {
        // Deleted as a whole, between two steps of the copy.
        for step in 0..<2 {
            let scene = try await Scene(order)
            let key = scene.folder.key()
            let (source, target) =
                direction == .folderFirst ? (scene.hookedFolder, scene.hookedBucket) : (scene.hookedBucket, scene.hookedFolder)
            try await scene.put(key, pattern(1_000), in: direction == .folderFirst ? scene.stores.folder : scene.stores.bucket)
            let delete: @Sendable (ObjectKey) async throws -> Void = { try await scene.paired.delete($0) }
            if step == 0 { source.hooks.beforeGet = delete } else { target.hooks.afterPut = delete }
            try await scene.copy(direction)
            for store in scene.both { #expect(try await !scene.isAt(key, store), "step \(step)") }
        }
        // Copied as a whole, between two steps of the deletion.
        for step in 1...2 {
            let scene = try await Scene(order)
            let key = scene.folder.key()
            try await scene.put(key, pattern(1_000), in: direction == .folderFirst ? scene.stores.folder : scene.stores.bucket)
            let deletions = Counter()
            let between: @Sendable (ObjectKey) async throws -> Void = { _ in if deletions.next() == step { try await scene.copy(direction) }
            }
            (scene.hookedFolder.hooks.afterDelete, scene.hookedBucket.hooks.afterDelete) = (between, between)
            try await scene.paired.delete(key)
            for store in scene.both { #expect(try await !scene.isAt(key, store), "step \(step)") }
        }
    }

    @Test("parts that have all arrived in the other store are joined there; of a set that lacks some, the first store knows nothing")
    func parts() async throws {
        let (first, other) = (try TestDisk(), try TestDisk())
        let stores = [first, other].map { SealedUploadParts(bytes: $0.bytes, objects: $0.store) }
        let paired = PairedUploadParts(first: stores[0], other: stores[1])
        let dataKey = DataKey.generate()
        func upload() async throws -> PartUpload {
            let key = first.key()
            return PartUpload(
                key: key, id: try await paired.begin(key, contentType: "audio/mp4"), contentType: "audio/mp4", size: 1_500, partSize: 1_000)
        }
        func send(_ number: Int, of upload: PartUpload, to store: SealedUploadParts) async throws {
            let bytes = [UInt8](repeating: UInt8(number), count: number == 1 ? 1_000 : 500)
            _ = try await store.receive(
                PartKey(key: upload.key, upload: upload.id, number: number), from: ArrayBody(bytes, chunk: 400), length: Int64(bytes.count),
                sealedBy: dataKey)
        }
        let (whole, some, new) = (try await upload(), try await upload(), try await upload())
        for number in 1...2 { try await send(number, of: whole, to: stores[1]) }
        try await send(1, of: some, to: stores[1])
        try await send(2, of: new, to: stores[0])

        #expect(try await paired.arrived(whole).map(\.number) == [1, 2])
        #expect(try await paired.arrived(some).isEmpty)
        #expect(try await paired.arrived(new).map(\.number) == [2])
        try await paired.join(whole, of: try await paired.arrived(whole), sealedBy: dataKey)
        #expect(try await other.store.facts(whole.key).size == 1_500)
        try await paired.discard(some.key, id: nil)
        #expect(try await stores[1].arrived(some).isEmpty)
        // A set of a bucket, which a folder never names so.
        let foreign = PartUpload(key: some.key, id: "2~abc", contentType: "audio/mp4", size: 1_500, partSize: 1_000)
        await #expect(throws: ObjectStoreError.missing) { try await paired.arrived(foreign) }
    }
}
