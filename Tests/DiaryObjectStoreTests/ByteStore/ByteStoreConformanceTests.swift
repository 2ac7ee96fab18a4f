import DiaryCore
import Foundation
import Synchronization
import Testing

@testable import DiaryObjectStore

/// What every store of bytes must do, whatever holds the bytes.
@Suite("Byte stores")
struct ByteStoreConformanceTests {
    @Test(
        "what is put comes back, whole and by ranges that are cut to its end", arguments: TestedByteStore.all, [0, 1, 4_096, 100_001])
    func ranges(store: TestedByteStore, size: Int) async throws {
        let fixture = try await store.make()
        let key = fixture.key()
        let bytes = pattern(size)

        try await fixture.put(key, bytes)

        #expect(try await fixture.get(key) == bytes)
        let length = Int64(size)
        for range in [
            0..<0, 0..<1, 0..<length, length / 2..<length, length / 3..<length / 2 + 1, length..<length + 9, length + 5..<Int64.max,
        ] {
            let cut = range.clamped(to: 0..<length)
            #expect(try await fixture.get(key, range) == Array(bytes[Int(cut.lowerBound)..<Int(cut.upperBound)]), "\(range)")
        }
    }

    @Test("a range is read in pieces of any length", arguments: TestedByteStore.all, [40_000, 131_200, 600_001])
    func pieces(store: TestedByteStore, size: Int) async throws {
        let fixture = try await store.make()
        let key = fixture.key()
        let bytes = pattern(size)
        try await fixture.put(key, bytes)

        for lengths in [[1, 68, 65_552, 7], [68, 262_208], [131_172, 1], [size], [size + 1]] {
            for start in [0, 1_000] {
                let reader = try await fixture.store.get(key, range: Int64(start)..<Int64.max)
                #expect(reader.objectSize == Int64(size))
                var read: [UInt8] = []
                var asked = lengths[...]
                while let piece = try await reader.next(asked.popFirst() ?? 50_000, through: { $0 }) { read += piece }
                #expect(read == Array(bytes[start...]), "\(lengths) from \(start)")
            }
        }
    }

    @Test(
        "many keys are looked for at once, each result in its place, with as many first bytes as were requested",
        arguments: TestedByteStore.all)
    func head(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let (first, missing, second) = (fixture.key(.staging), fixture.key(), fixture.key(.export))
        let before = Date.now
        try await fixture.put(first, pattern(500))
        try await fixture.put(second, [7])

        let found = try await fixture.store.head([first, missing, second], leading: 73).map { try $0.get() }

        #expect(found.map { $0?.key } == [first, nil, second])
        #expect(found.map { $0?.size } == [500, nil, 1])
        #expect(found.map { $0?.leading } == [Array(pattern(500).prefix(73)), nil, [7]])
        // A file system's clock may be a tick behind.
        for object in found.compactMap(\.self) { #expect(abs(object.storedAt.timeIntervalSince(before)) < 60) }
        #expect(try await fixture.store.head(first)?.leading == [])
        #expect(try await fixture.store.head([], leading: 73).isEmpty)
    }

    @Test("of 20 puts at once exactly one wins; nothing is overwritten", arguments: TestedByteStore.guarding)
    func overwrite(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let key = fixture.key()

        let winners = await withTaskGroup(of: UInt8?.self) { group in
            for number in UInt8(0)..<20 {
                group.addTask {
                    do {
                        try await fixture.put(key, [UInt8](repeating: number, count: 50_000))
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
        #expect(try await fixture.get(key) == [UInt8](repeating: winners.first ?? 255, count: 50_000))
        let untouched = ClosureSource {
            Issue.record("the source of a refused put was asked")
            return nil
        }
        await #expect(throws: ObjectStoreError.alreadyExists) { try await fixture.store.put(key, length: 0, from: untouched) }
    }

    @Test("an object is not visible before its put has ended", arguments: TestedByteStore.all)
    func visibility(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let key = fixture.key()
        let asked = Mutex(0)
        let source = ClosureSource {
            let found = try await fixture.store.head(key)
            let listed = try await fixture.store.list(ObjectPrefix(.audio), after: nil, olderThan: .distantFuture, limit: 9)
            #expect(found == nil && listed.objects.isEmpty)
            let count = asked.withLock {
                $0 += 1
                return $0
            }
            return count <= 3 ? DeferredBytes { [UInt8](repeating: 1, count: 1_000) } : nil
        }

        try await fixture.store.put(key, length: 3_000, from: source)

        #expect(try await fixture.store.head(key)?.size == 3_000)
        #expect(asked.withLock { $0 } == 4)
    }

    @Test("a put of another length, of a failing source or of failing bytes leaves nothing", arguments: TestedByteStore.all)
    func failures(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let key = fixture.key()

        for length in [Int64(0), 99, 101] {
            await #expect(throws: ObjectStoreError.lengthMismatch) {
                try await fixture.store.put(key, length: length, from: ArraySource(pattern(100), chunk: 40))
            }
        }
        await #expect(throws: CocoaError.self) {
            try await fixture.store.put(key, length: 100, from: ClosureSource { throw CocoaError(.fileReadUnknown) })
        }
        await #expect(throws: ObjectStoreError.checksumMismatch) {
            try await fixture.store.put(
                key, length: 100,
                from: ClosureSource { DeferredBytes { () throws(ObjectStoreError) in throw .checksumMismatch } })
        }

        #expect(try await fixture.store.head(key) == nil)
        if let disk = fixture.holder { #expect(try disk.temporaryNames().isEmpty) }
        try await fixture.put(key, [1])
        #expect(try await fixture.get(key) == [1])
    }

    @Test("a cancelled put leaves nothing", arguments: TestedByteStore.all)
    func cancellation(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let key = fixture.key()
        let asked = Mutex(0)
        let source = ClosureSource {
            let count = asked.withLock {
                $0 += 1
                return $0
            }
            if count == 1 { return DeferredBytes { [1, 2, 3] } }
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }

        let put = Task { try await fixture.store.put(key, length: 3, from: source) }

        await #expect(throws: CancellationError.self) { try await put.value }
        #expect(try await fixture.store.head(key) == nil)
    }

    @Test("a missing object cannot be read or confirmed; a stored one can", arguments: TestedByteStore.all)
    func missing(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let key = fixture.key()
        await #expect(throws: ObjectStoreError.missing) { try await fixture.store.get(key, range: 0..<1) }
        await #expect(throws: ObjectStoreError.missing) { try await fixture.store.confirmDurable(key) }

        try await fixture.put(key, [1])

        try await fixture.store.confirmDurable(key)
        #expect(try await fixture.get(key) == [1])
    }

    @Test("a closed reader gives nothing more, and a failing transform is the reader's failure", arguments: TestedByteStore.all)
    func reader(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let key = fixture.key()
        try await fixture.put(key, pattern(1_000))
        let reader = try await fixture.store.get(key, range: 100..<900)

        #expect(reader.objectSize == 1_000)
        #expect(try await fixture.store.get(key, range: 0..<0).objectSize == 1_000)
        #expect(try await reader.next(300) { $0.reversed() } == pattern(1_000)[100..<400].reversed())
        await #expect(throws: ObjectStoreError.damaged) {
            try await reader.next(300) { _ throws(ObjectStoreError) in throw .damaged }
        }
        reader.close()
        #expect(try await reader.next(300) { $0 } == nil)
    }

    @Test("a listing gives every old object of its prefix once, in order of the keys, in pages", arguments: TestedByteStore.all)
    func listing(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let neighbour = Owner(tenant: fixture.owner.tenant, user: UserID(UUID()))
        let foreigner = Owner(tenant: TenantID(UUID()), user: fixture.owner.user)
        let owners = [fixture.owner, neighbour, foreigner]
        let keys = (0..<21).map { fixture.key(.audio, owners[$0 % 3]) }
        for key in keys + [fixture.key(.staging)] { try await fixture.put(key, [1, 2]) }

        #expect(try await pages(fixture.store, ObjectPrefix(.audio), limit: 5) == keys.map(\.description).sorted())
        #expect(try await pages(fixture.store, ObjectPrefix(.audio), limit: 1_000) == keys.map(\.description).sorted())
        let own = keys.filter(ObjectPrefix(.audio, of: fixture.owner).contains).map(\.description).sorted()
        #expect(own.count == 7)
        #expect(try await pages(fixture.store, ObjectPrefix(.audio, of: fixture.owner), limit: 3) == own)
        #expect(try await pages(fixture.store, ObjectPrefix(.export), limit: 3) == [])

        let young = try await fixture.store.list(ObjectPrefix(.audio), after: nil, olderThan: Date(timeIntervalSinceNow: -60), limit: 5)
        #expect(young.objects.isEmpty && young.next != nil)
        let all = try await fixture.store.list(ObjectPrefix(.audio), after: nil, olderThan: .distantFuture, limit: 100)
        #expect(all.objects.allSatisfy { $0.size == 2 && $0.leading.isEmpty })
    }

    private func pages(_ store: any ByteStore, _ prefix: ObjectPrefix, limit: Int) async throws -> [String] {
        var listed: [String] = []
        var after: ObjectKey?
        for _ in 0..<30 {
            let page = try await store.list(prefix, after: after, olderThan: .distantFuture, limit: limit)
            #expect(page.objects.count <= limit)
            listed += page.objects.map(\.key.description)
            after = page.next
            if after == nil { return listed }
        }
        Issue.record("the listing does not end")
        return listed
    }

    @Test("several objects are deleted together, a missing one among them; others stay", arguments: TestedByteStore.all)
    func deleteSeveral(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let (first, second, missing, kept) = (fixture.key(), fixture.key(.staging), fixture.key(), fixture.key())
        for key in [first, second, kept] { try await fixture.put(key, [1]) }

        for _ in 0..<2 { #expect(try await fixture.store.delete([first, missing, second, first]).isEmpty) }

        #expect(try await fixture.store.head([first, second, kept], leading: 0).map { try $0.get()?.key } == [nil, nil, kept])
        #expect(try await fixture.store.delete([]).isEmpty)
        #expect(try await fixture.store.delete([kept]).isEmpty)
        #expect(try await fixture.store.head(kept) == nil)
    }

    @Test("deletion may be repeated; a user's objects of a kind go up to a limit, and no others", arguments: TestedByteStore.all)
    func deletion(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let single = fixture.key(.staging)
        let mine = (0..<5).map { _ in fixture.key() }
        let others = [
            fixture.key(.export), fixture.key(.audio, Owner(tenant: fixture.owner.tenant, user: UserID(UUID()))),
            fixture.key(.audio, Owner(tenant: TenantID(UUID()), user: fixture.owner.user)),
        ]
        for key in [single] + mine + others { try await fixture.put(key, [1]) }

        for _ in 0..<2 { try await fixture.store.delete(single) }
        #expect(try await fixture.store.head(single) == nil)

        #expect(try await fixture.store.deleteAll(.audio, of: fixture.owner, most: 0) == 0)
        #expect(try await fixture.store.deleteAll(.audio, of: fixture.owner, most: 3) == 3)
        #expect(try await fixture.store.deleteAll(.audio, of: fixture.owner, most: .max) == 2)
        #expect(try await fixture.store.deleteAll(.audio, of: fixture.owner, most: 3) == 0)
        for key in mine { #expect(try await fixture.store.head(key) == nil) }
        for key in others { #expect(try await fixture.get(key) == [1]) }
    }

    @Test("a move may be repeated, replaces nothing and invents nothing", arguments: TestedByteStore.all)
    func move(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let (source, target, taken) = (fixture.key(.staging), fixture.key(), fixture.key())
        await #expect(throws: ObjectStoreError.missing) { try await fixture.store.move(source, to: target) }
        try await fixture.put(source, pattern(10_000))
        try await fixture.put(taken, [1])

        await #expect(throws: ObjectStoreError.alreadyExists) { try await fixture.store.move(source, to: taken) }
        try await fixture.store.move(source, to: source)
        #expect(try await fixture.get(source) == pattern(10_000))
        #expect(try await fixture.get(taken) == [1])

        for _ in 0..<3 { try await fixture.store.move(source, to: target) }
        #expect(try await fixture.get(target) == pattern(10_000))
        #expect(try await fixture.store.head(source) == nil)
        try await fixture.put(source, [2])
        await #expect(throws: ObjectStoreError.alreadyExists) { try await fixture.store.move(source, to: target) }
    }

    @Test("an object counts as stored when it was moved", arguments: TestedByteStore.all)
    func moved(store: TestedByteStore) async throws {
        let fixture = try await store.make()
        let (source, target) = (fixture.key(.staging), fixture.key())
        try await fixture.put(source, [1])
        let stored = try #require(try await fixture.store.head(source)).storedAt
        var mark = Date.now
        // Until the store's clock, which counts in ticks, has moved on.
        while mark <= stored.addingTimeInterval(fixture.tick) {
            try await Task.sleep(for: .milliseconds(5))
            mark = .now
        }

        try await fixture.store.move(source, to: target)

        let moved = try #require(try await fixture.store.head(target)).storedAt
        #expect(moved > stored)
    }
}
