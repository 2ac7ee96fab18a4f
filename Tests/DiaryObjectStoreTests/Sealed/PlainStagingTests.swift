import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Testing

@testable import DiaryObjectStore

/// Staging that clients send to: plain, and sealed when it is promoted.
@Suite("Plain staging")
struct PlainStagingTests {
    let dataKey = DataKey.generate()

    private func store(_ fixture: ByteStoreFixture) -> SealedObjectStore { SealedObjectStore(bytes: fixture.store, staging: .plain) }

    private func read(_ store: SealedObjectStore, _ key: ObjectKey, _ range: Range<Int64> = 0..<Int64.max) async throws -> [UInt8] {
        let stream = try await store.read(key, range: range, openedBy: dataKey)
        var all: [UInt8] = []
        while let piece = try await stream.next() {
            #expect((1...262_144).contains(piece.count))
            all += piece
        }
        return all
    }

    @Test(
        "a recording lies in staging as it was sent; promoted it is sealed, readable by ranges, and gone from staging",
        arguments: TestedByteStore.all, [0, 1, 65_536, 300_001])
    func promotion(tested: TestedByteStore, size: Int) async throws {
        let fixture = try await tested.make()
        let store = store(fixture)
        let (key, bytes) = (fixture.key(.staging), pattern(size))
        let digest = try await store.put(
            key, from: ArrayBody(bytes, chunk: 10_000), length: Int64(size), sha256: SHA256.digest(bytes), sealedBy: dataKey)
        #expect(digest == SHA256.digest(bytes))
        #expect(try await fixture.get(key) == bytes)
        #expect(try await store.facts(key) == ObjectFacts(size: Int64(size)))
        #expect(try await store.facts(of: [key, key.promoted]).map { try $0.get()?.size } == [Int64(size), nil])
        #expect(try await read(store, key) == bytes)

        for _ in 0..<2 { try await store.promote(key, to: key.promoted, sealedBy: dataKey, sha256: digest) }

        #expect(try await fixture.store.head(key) == nil)
        let sealed = try await fixture.get(key.promoted)
        #expect(Int64(sealed.count) == SealedObjectLayout.sealedLength(ofPlain: Int64(size)))
        #expect(try SealedObjectHeader(parsing: sealed).keyID == dataKey.id)
        #expect(try await store.facts(key.promoted) == ObjectFacts(size: Int64(size)))
        #expect(try await read(store, key.promoted) == bytes)
        if size > 70_000 { #expect(try await read(store, key.promoted, 65_000..<70_000) == Array(bytes[65_000..<70_000])) }
    }

    @Test("other bytes than were verified are not promoted, and stay to be verified again", arguments: TestedByteStore.all)
    func replaced(tested: TestedByteStore) async throws {
        let fixture = try await tested.make()
        let store = store(fixture)
        let key = fixture.key(.staging)
        try await fixture.put(key, pattern(100_000))

        await #expect(throws: ObjectStoreError.checksumMismatch) {
            try await store.promote(key, to: key.promoted, sealedBy: dataKey, sha256: SHA256.digest(pattern(99_999)))
        }

        #expect(try await fixture.store.head(key.promoted) == nil)
        #expect(try await fixture.get(key) == pattern(100_000))
    }

    @Test("a promotion that was interrupted before it deleted is completed; another object at the final key stays")
    func interrupted() async throws {
        let fixture = try await TestedByteStore.memory.make()
        let store = store(fixture)
        let key = fixture.key(.staging)
        try await fixture.put(key, pattern(1_000))
        try await store.promote(key, to: key.promoted, sealedBy: dataKey)
        let made = try await fixture.get(key.promoted)

        try await fixture.put(key, pattern(1_000))
        try await store.promote(key, to: key.promoted, sealedBy: dataKey)
        #expect(try await fixture.store.head(key) == nil)
        #expect(try await fixture.get(key.promoted) == made)

        try await fixture.put(key, pattern(999))
        await #expect(throws: ObjectStoreError.alreadyExists) { try await store.promote(key, to: key.promoted, sealedBy: dataKey) }
        #expect(try await fixture.get(key.promoted) == made)
        await #expect(throws: ObjectStoreError.missing) {
            let other = fixture.key(.staging)
            try await store.promote(other, to: other.promoted, sealedBy: dataKey)
        }
    }
}
