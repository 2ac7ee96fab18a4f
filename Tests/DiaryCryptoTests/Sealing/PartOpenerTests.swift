import FoundationEssentials
import Testing

@testable import DiaryCrypto

@Suite("Parts of a page")
struct PartOpenerTests {
    private func context(_ row: UUID, _ version: Int64) -> PartContext {
        PartContext(table: "entries", part: "personal", tenant: Golden.tenant, user: Golden.user, row: row, version: version)
    }

    private func opened(_ sealed: SealedBytes, _ row: UUID, _ version: Int64, _ opener: inout PartOpener) throws(CryptoError) -> [UInt8] {
        var place = PartLocation(context(Golden.row, -1))
        place.move(to: row, version: version)
        return try opener.open(sealed, at: place) { plain in
            [UInt8](capacity: plain.count) { out in for index in plain.indices { out.append(plain[index]) } }
        }
    }

    @Test("G3: one opener opens every row's part in its own row and version, and in no other")
    func page() throws {
        var opener = try PartOpener(key: Golden.key)
        for count in [0, 1, 4095, 4096, 4097, 100_000, 3, 0, 70_000] {
            let (row, version, bytes) = (UUID.random(), Int64(count + 1), plain(count))
            let sealed = try SealedPart.seal(bytes, key: Golden.key, context: context(row, version))

            #expect(try opened(SealedBytes(sealed), row, version, &opener) == bytes)
            #expect(throws: CryptoError.refused) { try opened(SealedBytes(sealed), row, version + 1, &opener) }
            #expect(throws: CryptoError.refused) { try opened(SealedBytes(sealed), UUID.random(), version, &opener) }
            // And what came before the refusals opens after them.
            #expect(try opened(SealedBytes(sealed), row, version, &opener) == bytes)
        }
    }

    @Test("altered and cut parts and those of another key have different errors, and the next one opens")
    func damage() throws {
        var opener = try PartOpener(key: Golden.key)
        let (row, bytes) = (UUID.random(), plain(500))
        let sealed = try SealedPart.seal(bytes, key: Golden.key, context: context(row, 1))
        for place in [29, 100, sealed.count - 1] {
            var altered = sealed
            altered[place] ^= 1
            #expect(throws: CryptoError.refused) { try opened(SealedBytes(altered), row, 1, &opener) }
        }
        let otherKeys = try SealedPart.seal(bytes, key: DataKey.generate(), context: context(row, 1))
        #expect(throws: CryptoError.wrongKey) { try opened(SealedBytes(otherKeys), row, 1, &opener) }
        for count in 0..<45 {
            #expect(throws: CryptoError.malformed) { try opened(SealedBytes(Array(sealed.prefix(count))), row, 1, &opener) }
        }
        #expect(try opened(SealedBytes(sealed), row, 1, &opener) == bytes)
    }

    @Test("bytes lent by their owner are the same as an array's")
    func lent() throws {
        final class Owner: Sendable {
            nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 600, alignment: 1)
            deinit { memory.deallocate() }
        }
        var opener = try PartOpener(key: Golden.key)
        let (row, bytes) = (UUID.random(), plain(500))
        let sealed = try SealedPart.seal(bytes, key: Golden.key, context: context(row, 1))
        func lend() -> SealedBytes {
            let owner = Owner()
            owner.memory.copyBytes(from: sealed)
            return SealedBytes(lent: UnsafeRawBufferPointer(rebasing: owner.memory[..<sealed.count]), by: owner)
        }
        let lent = lend()

        #expect(lent == SealedBytes(sealed) && lent.array == sealed)
        #expect(try opened(lent, row, 1, &opener) == bytes)
    }
}
