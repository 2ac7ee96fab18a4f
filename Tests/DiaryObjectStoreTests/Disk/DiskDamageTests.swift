import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DiaryObjectStore

private final class Flag: Sendable {
    let isUp = Atomic(false)
}

@Suite("Damage")
struct DiskDamageTests {
    @Test("A16: a truncated, longer, altered, reordered or exchanged file is never read as if it were whole")
    func damaged() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        try await disk.put(key, pattern(600_000))
        let other = disk.key()
        try await disk.put(other, pattern(600_000).reversed())
        let good = try Data(contentsOf: disk.file(key))
        let segment = SealedObjectLayout.sealedSegmentSize
        let header = SealedObjectHeader.count
        var bad: [(String, Data)] = [
            ("empty", Data()), ("header cut", good.prefix(header - 1)), ("header only", good.prefix(header)),
            ("one byte short", good.dropLast()),
            ("a segment short", good.dropLast(600_000 - 9 * 65_536 + 16)), ("one byte more", good + [0]),
            ("all zero", Data(count: good.count)),
            ("another object", try Data(contentsOf: disk.file(other))),
            (
                "reordered",
                good.prefix(header) + good[(header + segment)..<(header + 2 * segment)] + good[header..<(header + segment)]
                    + good.dropFirst(header + 2 * segment)
            ),
        ]
        for index in [0, 1, 20, 50, 60, 70, header, header + segment - 1, header + segment, good.count - 17, good.count - 1] {
            var flipped = good
            flipped[index] ^= 1
            bad.append(("byte \(index)", flipped))
        }

        for (name, bytes) in bad {
            try bytes.write(to: disk.file(key))
            await #expect(throws: ObjectStoreError.damaged, "\(name)") { try await disk.read(key) }
        }
        try good.write(to: disk.file(key))
        #expect(try await disk.read(key) == pattern(600_000))
        #expect(try await disk.closesAll())
    }

    @Test("another data key opens nothing")
    func wrongKey() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        try await disk.put(key, [1, 2, 3])

        await #expect(throws: ObjectStoreError.damaged) { try await disk.store.read(key, range: 0..<3, openedBy: .generate()) }
        let sameID = DataKey(id: disk.dataKey.id, secret: .random(32))
        let stream = try await disk.store.read(key, range: 0..<3, openedBy: sameID)
        await #expect(throws: ObjectStoreError.damaged) { try await stream.next() }
    }

    @Test("P03 P04: a killed writer leaves no object, and the next start removes its file")
    func killedWriter() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        do {
            // Half a body, never abandoned: the state after a kill.
            let half = try IncomingFile(in: disk.bytes.tree, length: 200_000) { _ in }
            try half.append(pattern(100_000))
            #expect(try disk.temporaryNames().count == 1)
            let whileAlive = try DiskByteStore(root: disk.root.path)
            #expect(try await whileAlive.wipeTemporary() == 0)
            _ = consume half
        }
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.facts(key) }

        let restarted = try DiskByteStore(root: disk.root.path)
        #expect(try await restarted.wipeTemporary() == 1)

        #expect(try disk.temporaryNames().isEmpty)
        try await disk.put(key, pattern(10))
        #expect(try await disk.read(key) == pattern(10))
    }

    @Test("P03: processes that start meanwhile wipe no file that is being written")
    func wipedMeanwhile() async throws {
        let disk = try TestDisk()
        let path = disk.root.path
        let done = Flag()
        let failures = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    defer { done.isUp.store(true, ordering: .relaxed) }
                    var failures = 0
                    for _ in 0..<repetitions(full: 1_500, fast: 300) {
                        let key = disk.key()
                        do { try await disk.put(key, [1, 2, 3]) } catch { failures += 1 }
                    }
                    return failures
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    while !done.isUp.load(ordering: .relaxed) { _ = try await DiskByteStore(root: path).wipeTemporary() }
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }

        #expect(failures == 0)
        #expect(try disk.temporaryNames().isEmpty)
    }

    @Test("a store on a read-only disk is not writable", .enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"))
    func readOnly() async throws {
        #expect(await (try TestDisk()).bytes.isWritable())
        let small = try SmallDisk(megabytes: 1)
        let store = try DiskByteStore(root: small.path)
        #expect(await store.isWritable())

        try small.makeReadOnly()

        #expect(await !store.isWritable())
    }

    @Test("what is left on the disk is told in bytes and files", .enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"))
    func space() async throws {
        let small = try SmallDisk(megabytes: 2)
        let store = try DiskByteStore(root: small.path)
        let before = try #require(await store.space())

        try Data(repeating: 1, count: 1 << 20).write(to: URL(filePath: small.path + "/filler"))
        let after = try #require(await store.space())

        #expect(before.bytes <= 2 << 20 && before.bytes - after.bytes >= 1 << 20)
        #expect((before.files ?? 0) - (after.files ?? 0) == 1)
    }

    @Test(
        "A16: a full store says so, keeps what it has and recovers", .enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"))
    func full() async throws {
        let small = try SmallDisk(megabytes: 2)
        let store = SealedObjectStore(bytes: try DiskByteStore(root: small.path))
        let dataKey = DataKey.generate()
        func key() -> ObjectKey { ObjectKey(kind: .staging, tenant: TenantID(UUID()), user: UserID(UUID()), object: UUID()) }
        let kept = key()
        let big = pattern(1_500_000)
        _ = try await store.put(kept, from: ArrayBody(pattern(1_000_000), chunk: 50_000), length: 1_000_000, sha256: nil, sealedBy: dataKey)

        let refused = key()
        await #expect(throws: ObjectStoreError.unavailable(full: true)) {
            try await store.put(refused, from: ArrayBody(big, chunk: 50_000), length: 1_500_000, sha256: nil, sealedBy: dataKey)
        }
        await #expect(throws: ObjectStoreError.missing) { try await store.facts(refused) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: small.path + "/tmp").isEmpty)
        #expect(try await store.facts(kept).size == 1_000_000)

        try await store.delete(kept)
        _ = try await store.put(refused, from: ArrayBody(big, chunk: 50_000), length: 1_500_000, sha256: nil, sealedBy: dataKey)
        try small.makeReadOnly()
        await #expect(throws: ObjectStoreError.unavailable(full: false)) {
            try await store.put(key(), from: ArrayBody([1], chunk: 1), length: 1, sha256: nil, sealedBy: dataKey)
        }
        #expect(try await store.facts(refused).size == 1_500_000)
    }
}
