import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryObjectStore

@Suite("An object's life")
struct DiskLifeTests {
    @Test("D2: promotion moves the object, may be repeated, and its staging key accepts no further object")
    func promote() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        try await disk.put(key, pattern(100_000))

        for _ in 0..<3 { try await disk.store.promote(key, to: key.promoted, sealedBy: disk.dataKey) }

        #expect(try await disk.read(key.promoted) == pattern(100_000))
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.facts(key) }
        await #expect(throws: ObjectStoreError.alreadyExists) { try await disk.put(key, [1]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.root.path + "/staging").isEmpty)
    }

    @Test("A20: the number of the last sweep is beside the objects, for every process, and one that is damaged is not taken for none")
    func sweepMark() async throws {
        let disk = try TestDisk()
        #expect(try await disk.bytes.number() == 0)

        try await disk.bytes.write(41)
        try await disk.bytes.write(9_007_199_254_740_993)

        #expect(try await DiskByteStore(root: disk.root.path).number() == 9_007_199_254_740_993)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.root.path + "/tmp").isEmpty)
        try Data("12".utf8).write(to: disk.root.appending(path: "sweep-mark"))
        await #expect(throws: ObjectStoreError.damaged) { try await disk.bytes.number() }
    }

    @Test("an object that another put made visible is made durable; a missing one is missing")
    func durable() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.confirmDurable(key) }
        try await disk.put(key, [1, 2])

        try await disk.store.confirmDurable(key)
        #expect(try await disk.store.facts(key).size == 2)

        try await disk.store.promote(key, to: key.promoted, sealedBy: disk.dataKey)
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.confirmDurable(key) }
        try await disk.store.confirmDurable(key.promoted)
    }

    @Test("a deletion of several ends when its caller waits no longer, and says what is left")
    func deletionEnds() async throws {
        let disk = try TestDisk()
        let keys = (0..<5).map { _ in disk.key() }
        for key in keys { try await disk.put(key, [1]) }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await disk.bytes.delete(keys)
        }

        task.cancel()

        #expect(try await task.value == keys)
        for key in keys { #expect(try await disk.store.facts(key).size == 1) }
        #expect(try await disk.bytes.delete(keys).isEmpty)
    }

    @Test("a promotion cut between link and unlink is completed by the next")
    func promoteAfterCrash() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        try await disk.put(key, [1, 2, 3])
        try disk.bytes.tree.publish(key.objectName, from: disk.bytes.tree.folder(key), as: key.promoted)

        try await disk.store.promote(key, to: key.promoted, sealedBy: disk.dataKey)

        #expect(try await disk.read(key.promoted) == [1, 2, 3])
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.facts(key) }
    }

    @Test("a promotion replaces nothing, invents nothing and renames nothing")
    func promoteRefused() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.promote(key, to: key.promoted, sealedBy: disk.dataKey) }
        await #expect(throws: ObjectStoreError.damaged) { try await disk.store.promote(key, to: disk.key(.audio), sealedBy: disk.dataKey) }
        try await disk.put(key, [1])
        try await disk.put(key.promoted, [2])

        await #expect(throws: ObjectStoreError.alreadyExists) {
            try await disk.store.promote(key, to: key.promoted, sealedBy: disk.dataKey)
        }

        #expect(try await disk.read(key) == [1])
        #expect(try await disk.read(key.promoted) == [2])
    }

    @Test("deletion may be repeated and leaves no empty folders")
    func delete() async throws {
        let disk = try TestDisk()
        let keys = [disk.key(), disk.key()]
        for key in keys { try await disk.put(key, [1]) }

        try await disk.store.delete(keys[0])
        #expect(try await disk.read(keys[1]) == [1])
        for _ in 0..<2 { try await disk.store.delete(keys[1]) }

        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.root.path + "/staging").isEmpty)
    }

    @Test("puts and deletions of one user at once never lose a folder under a put")
    func raceOfFolders() async throws {
        let disk = try TestDisk()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        let key = disk.key()
                        try await disk.put(key, [1, 2, 3])
                        try await disk.store.delete(key)
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.root.path + "/staging").isEmpty)
    }

    @Test("everything of a user goes, nothing of another's")
    func deleteAll() async throws {
        let disk = try TestDisk()
        let other = ObjectKey(kind: .audio, tenant: disk.tenant, user: UserID(UUID()), object: UUID())
        let mine = [disk.key(), disk.key(.audio), disk.key(.audio), disk.key(.export)]
        for key in mine + [other] { try await disk.put(key, [1]) }

        #expect(try await disk.store.count(of: Owner(tenant: disk.tenant, user: disk.user)) == mine.count)
        for _ in 0..<2 { _ = try await disk.store.removeAll(of: Owner(tenant: disk.tenant, user: disk.user), most: .max) }

        for key in mine { await #expect(throws: ObjectStoreError.missing) { try await disk.store.facts(key) } }
        #expect(try await disk.read(other) == [1])
    }

    @Test("erasure also removes files of the user's folder that are no objects")
    func deleteForeign() async throws {
        let disk = try TestDisk()
        let owner = Owner(tenant: disk.tenant, user: disk.user)
        let key = disk.key(.audio)
        try await disk.put(key, [1])
        try Data([1]).write(to: disk.file(key).deletingLastPathComponent().appending(path: ".partial"))

        #expect(try await disk.store.count(of: owner) == 1)
        #expect(try await disk.store.removeAll(of: owner, most: .max) == 2)

        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.root.path + "/audio").isEmpty)
    }

    @Test("D7: the sweeper's listing gives every old object once, in pages, and no young one")
    func listing() async throws {
        let disk = try TestDisk()
        var keys: Set<ObjectKey> = []
        for number in 0..<30 {
            let key = ObjectKey(
                kind: .staging, tenant: number % 2 == 0 ? disk.tenant : TenantID(UUID()),
                user: number % 3 == 0 ? disk.user : UserID(UUID()),
                object: UUID())
            try await disk.put(key, [1])
            keys.insert(key)
        }
        try await disk.put(disk.key(.audio), [1])
        try Data().write(to: disk.root.appending(path: "staging/README"))

        var listed: [ObjectKey] = []
        var after: ObjectKey?
        var pages = 0
        repeat {
            let page = try await disk.store.list(.staging, olderThan: .distantFuture, after: after, limit: 7)
            listed += page.keys
            after = page.next
            pages += 1
        } while after != nil && pages < 20

        #expect(Set(listed) == keys && listed.count == 30 && pages == 5)
        #expect(try await disk.store.list(.staging, olderThan: Date(timeIntervalSinceNow: -60), after: nil, limit: 1_000).keys.isEmpty)
    }

    @Test("a put of 100 MiB and more holds a few segments, not the body", .timeLimit(.minutes(3)))
    func flatMemory() async throws {
        let disk = try TestDisk()
        let length = repetitions(full: 300, fast: 100) << 20
        let chunk = pattern(64 << 10)
        let meter = Meter()
        let body = ClosureBody {
            let sent = meter.count()
            return sent * chunk.count < length ? chunk : nil
        }

        let key = disk.key()
        _ = try await disk.store.put(key, from: body, length: Int64(length), sha256: nil, sealedBy: disk.dataKey)
        let stream = try await disk.store.read(key, range: 0..<Int64(length), openedBy: disk.dataKey)
        var read = 0
        while let piece = try await stream.next() {
            read += piece.count
            _ = meter.count()
        }

        #expect(read == length)
        #expect(meter.growth < 32 << 20, "\(meter.growth >> 20) MiB")
    }
}
