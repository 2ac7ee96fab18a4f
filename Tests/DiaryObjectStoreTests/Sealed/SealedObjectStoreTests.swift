import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Synchronization
import Testing

@testable import DiaryObjectStore

@Suite("Sealed objects on disk")
struct SealedObjectStoreTests {
    @Test("an open stream holds no thread: of one thread twenty streams take a piece of 64 KiB each in turn")
    func turns() async throws {
        let disk = try TestDisk(threads: 1)
        let (key, bytes) = (disk.key(), pattern(400_000))
        try await disk.put(key, bytes)
        var streams: [(stream: any ByteStream, read: [UInt8])] = []
        for _ in 0..<20 { streams.append((try await disk.store.read(key, range: 0..<Int64.max, openedBy: disk.dataKey), [])) }

        for _ in 0..<5 {
            for index in streams.indices {
                let piece = try await streams[index].stream.next() ?? []
                #expect(piece.count <= 262_144)
                streams[index].read += piece
            }
        }

        #expect(streams.allSatisfy { $0.read == bytes })
    }

    @Test("what is put comes back, sealed on disk, private, with its facts", arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 300_001])
    func roundTrip(size: Int) async throws {
        let disk = try TestDisk()
        let key = disk.key()
        let bytes = pattern(size)

        let digest = try await disk.put(key, bytes, sha256: SHA256.digest(bytes))

        #expect(digest == SHA256.digest(bytes))
        #expect(try await disk.read(key) == bytes)
        #expect(try await disk.store.facts(key) == ObjectFacts(size: Int64(size)))
        let stored = try Data(contentsOf: disk.file(key))
        #expect(try SealedObjectHeader(parsing: Array(stored)).keyID == disk.dataKey.id)
        #expect(Int64(stored.count) == SealedObjectLayout.sealedLength(ofPlain: Int64(size)))
        if size > 64 { #expect(stored.firstRange(of: Data(bytes.prefix(32))) == nil) }
        let mode = try FileManager.default.attributesOfItem(atPath: disk.file(key).path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try disk.temporaryNames().isEmpty)
    }

    @Test("many are looked up at once: whole ones have a size; missing, truncated and invalid ones have none, each in its place")
    func facts() async throws {
        let disk = try TestDisk()
        let (whole, empty, cut, foreign, missing) = (disk.key(), disk.key(), disk.key(), disk.key(), disk.key())
        try await disk.put(whole, pattern(70_000))
        try await disk.put(empty, [])
        try await disk.put(cut, pattern(70_000))
        try Data(contentsOf: disk.file(cut)).dropLast().write(to: disk.file(cut))
        try await disk.put(foreign, pattern(10))
        try Data("no object".utf8).write(to: disk.file(foreign))
        let unknown = ObjectKey(kind: .staging, tenant: TenantID(UUID()), user: UserID(UUID()), object: UUID())

        let found = try await disk.store.facts(of: [missing, whole, unknown, cut, empty, foreign])

        #expect(
            found.map { $0.map { $0?.size } } == [
                .success(nil), .success(70_000), .success(nil), .success(nil), .success(0), .success(nil),
            ])
        #expect(try await disk.store.facts(of: []).isEmpty)
        #expect(try await disk.closesAll())
    }

    @Test("what begins in the first segment is read by one call of the store, its header included; what begins later by two")
    func calls() async throws {
        let disk = try TestDisk()
        let (key, bytes) = (disk.key(), pattern(300_000))
        let hooked = HookedByteStore(MemoryByteStore())
        let store = SealedObjectStore(bytes: hooked)
        _ = try await store.put(key, from: ArrayBody(bytes, chunk: 10_000), length: 300_000, sha256: nil, sealedBy: disk.dataKey)
        let calls = Mutex<[String]>([])
        hooked.hooks.beforeGet = { _ in calls.withLock { $0.append("get") } }
        hooked.hooks.beforeHead = { _ in calls.withLock { $0.append("head") } }

        let expected: [(Range<Int64>, [String])] = [
            (0..<300_000, ["get"]), (0..<1, ["get"]), (65_535..<200_000, ["get"]), (65_536..<200_000, ["head", "get"]),
            (299_999..<Int64.max, ["head", "get"]), (400_000..<500_000, ["head"]), (5..<5, ["head"]),
        ]
        for (range, called) in expected {
            calls.withLock { $0 = [] }
            let stream = try await store.read(key, range: range, openedBy: disk.dataKey)
            var read: [UInt8] = []
            while let piece = try await stream.next() { read += piece }
            let cut = range.clamped(to: 0..<300_000)
            #expect(read == Array(bytes[Int(cut.lowerBound)..<Int(cut.upperBound)]), "\(range)")
            #expect(calls.withLock { $0 } == called, "\(range)")
        }
    }

    @Test("a range is the same slice of the plaintext")
    func ranges() async throws {
        let disk = try TestDisk()
        var random = SystemRandomNumberGenerator()
        for size in [0, 1, 65_536, 65_537, 262_144, 400_003] {
            let key = disk.key()
            let bytes = pattern(size)
            try await disk.put(key, bytes)
            let edges: [Int64] = [0, 1, 65_535, 65_536, 65_537, 131_072, Int64(size) - 1, Int64(size)].filter {
                (0...Int64(size)).contains($0)
            }
            var ranges = edges.flatMap { low in edges.filter { $0 >= low }.map { low..<$0 } }
            for _ in 0..<40 {
                let low = Int64.random(in: 0...Int64(size), using: &random)
                ranges.append(low..<Int64.random(in: low...Int64(size), using: &random))
            }
            ranges.append(0..<Int64.max)
            ranges.append(Int64(size)..<Int64(size) + 10)
            for range in ranges {
                let slice = range.clamped(to: 0..<Int64(size))
                #expect(try await disk.read(key, range) == Array(bytes[Int(slice.lowerBound)..<Int(slice.upperBound)]), "\(size) \(range)")
            }
        }
    }

    @Test("D3: a body of another length or digest leaves nothing behind", arguments: [0, 1, 70_000])
    func lying(size: Int) async throws {
        let disk = try TestDisk()
        let key = disk.key()
        let bytes = pattern(size)

        await #expect(throws: ObjectStoreError.lengthMismatch) { try await disk.put(key, bytes, length: Int64(size) + 1) }
        await #expect(throws: ObjectStoreError.lengthMismatch) { try await disk.put(key, bytes + [1], length: Int64(size)) }
        await #expect(throws: ObjectStoreError.lengthMismatch) { try await disk.put(key, bytes, length: -1) }
        await #expect(throws: ObjectStoreError.checksumMismatch) { try await disk.put(key, bytes, sha256: SHA256.digest(bytes + [1])) }

        await #expect(throws: ObjectStoreError.missing) { try await disk.store.facts(key) }
        #expect(try disk.temporaryNames().isEmpty)
        #expect(try await disk.closesAll())
        #expect(!FileManager.default.fileExists(atPath: disk.file(key).path))
    }

    @Test("D2: of 20 puts at once exactly one wins and its bytes stay")
    func overwrite() async throws {
        let disk = try TestDisk()
        let key = disk.key()

        let winners = await withTaskGroup(of: UInt8?.self) { group in
            for number in UInt8(0)..<20 {
                group.addTask {
                    do {
                        try await disk.put(key, [UInt8](repeating: number, count: 100_000), chunk: 7_000)
                        return number
                    } catch {
                        #expect(error as? ObjectStoreError == .alreadyExists)
                        return nil
                    }
                }
            }
            return await group.reduce(into: [UInt8]()) { if let number = $1 { $0.append(number) } }
        }

        #expect(winners.count == 1)
        #expect(try await disk.read(key) == [UInt8](repeating: winners.first ?? 255, count: 100_000))
        await #expect(throws: ObjectStoreError.alreadyExists) { try await disk.put(key, [1]) }
        #expect(try disk.temporaryNames().isEmpty)
    }

    @Test("a body that fails or is cancelled leaves nothing behind", arguments: [true, false])
    func broken(isCancelled: Bool) async throws {
        let disk = try TestDisk()
        let key = disk.key()
        let (waiting, arrived) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let body = ClosureBody {
            if count.withLock({
                $0 += 1; return $0
            }) <= 3 {
                return pattern(70_000)
            }
            guard isCancelled else { throw CocoaError(.fileReadUnknown) }
            arrived.yield()
            try await Task.sleep(for: .seconds(60))
            return nil
        }

        let put = Task {
            defer { arrived.finish() }
            return try await disk.store.put(key, from: body, length: 1_000_000, sha256: nil, sealedBy: disk.dataKey)
        }
        if isCancelled {
            for await _ in waiting { break }
            put.cancel()
        }
        let result = await put.result

        #expect(throws: (any Error).self) { try result.get() }
        #expect(try disk.temporaryNames().isEmpty)
        #expect(try await disk.closesAll())
        await #expect(throws: ObjectStoreError.missing) { try await disk.store.facts(key) }
    }

    @Test("a reader's file closes at the end, on cancellation, and when the reader is dropped")
    func closing() async throws {
        let disk = try TestDisk()
        let key = disk.key()
        try await disk.put(key, pattern(500_000))
        #expect(try await disk.closesAll())

        _ = try await disk.read(key)
        #expect(try await disk.closesAll())

        var dropped: (any ByteStream)? = try await disk.store.read(key, range: 0..<500_000, openedBy: disk.dataKey)
        _ = try await dropped?.next()
        #expect(try disk.openFiles() == 1)
        dropped = nil
        #expect(try await disk.closesAll())

        let cancelled = try await disk.store.read(key, range: 0..<500_000, openedBy: disk.dataKey)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await cancelled.next()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await disk.closesAll())
    }
}
