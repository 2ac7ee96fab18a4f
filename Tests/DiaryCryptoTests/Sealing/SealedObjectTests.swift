import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryCrypto

@Suite("Sealed objects")
struct SealedObjectTests {
    private static let header =
        "010198a1b2c3d47e5f8a9b0c1d2e3f4051c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf0198a1b2c3d47e5f8a9b0c1d2e3f4053"

    @Test("the golden objects come out: empty, short, and three segments fed in any pieces")
    func goldenVectors() throws {
        #expect(Hex.encode(try sealedObject([])) == Self.header + "0000000000000000" + "71940b61624ed7e3f195c147acb5f8a5")
        #expect(Hex.encode(try sealedObject(ascii("abc"))) == Self.header + "0000000000000003" + "248bffc445d2fd4c7f0afb6ff89a324c4b6225")
        for pieces in [1000, 65_535, 65_536, 65_537, 1_000_000] {
            let sealed = try sealedObject(plain(131_077), pieces: pieces)
            #expect(sealed.count == 131_198)
            #expect(Hex.encode(SHA256.digest(sealed)) == "8c4f28f00a12a0b4ae2e9b780bf9385be1d5b7d88785c0d4f44f7ff19d2cc142")
        }
    }

    @Test(
        "objects of every edge length come back and have the predicted length",
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 300_000])
    func lengths(count: Int) throws {
        let sealed = try sealedObject(plain(count), pieces: 40_000)

        #expect(Int64(sealed.count) == SealedObjectLayout.sealedLength(ofPlain: Int64(count)))
        #expect(try openedObject(sealed) == plain(count))
    }

    @Test(
        "any range opens to the same bytes as the plaintext's",
        arguments: [
            0..<1, 0..<65_536, 65_535..<65_537, 65_536..<65_536, 70_000..<70_001, 131_072..<150_000, 149_999..<150_000, 1..<149_999,
            140_000..<900_000,
        ] as [Range<Int64>])
    func ranges(range: Range<Int64>) throws {
        let bytes = plain(150_000)
        let expected = range.clamped(to: 0..<150_000)

        let opened = try openedObject(try sealedObject(bytes), range: range)

        #expect(opened == Array(bytes[Int(expected.lowerBound)..<Int(expected.upperBound)]))
    }

    @Test("G3: an object opens with no other key, for no other purpose, and as no other object")
    func binding() throws {
        let sealed = try sealedObject(plain(70_000))
        let other = try sealedObject(plain(70_000), object: Golden.row)
        var renamed = sealed
        renamed.replaceSubrange(49..<65, with: Golden.row.bytes)

        #expect(throws: CryptoError.refused) { try openedObject(sealed, purpose: .export) }
        #expect(throws: CryptoError.wrongKey) { try openedObject(sealed, key: .generate()) }
        #expect(throws: CryptoError.refused) { try openedObject(sealed, key: DataKey(id: Golden.key.id, secret: .random(32))) }
        #expect(throws: CryptoError.wrongKey) { try openedObject(other) }
        #expect(throws: CryptoError.refused) { try openedObject(renamed, object: Golden.row) }
    }

    @Test("every flipped header byte is refused")
    func headerFlips() throws {
        let sealed = try sealedObject(plain(100))

        for index in 0..<SealedObjectHeader.count {
            #expect(throws: CryptoError.self) { try openedObject(flipped(sealed, at: index)) }
            #expect(throws: CryptoError.self) { try openedObject(flipped(sealed, at: index), object: nil) }
        }
        for index in [73, 100, 172, 173, 188] {
            #expect(throws: CryptoError.refused) { try openedObject(flipped(sealed, at: index)) }
        }
    }

    @Test("reordered and repeated segments and those of another object are refused")
    func reordering() throws {
        let sealed = try sealedObject(plain(196_608))
        let other = try sealedObject(plain(196_608), salt: SecureRandom.bytes(32))
        let opener = try SegmentOpener(key: Golden.key, purpose: .audio, header: SealedObjectHeader(parsing: sealed))
        func segment(_ index: Int, of object: [UInt8]) -> [UInt8] {
            Array(object[(73 + index * 65_552)..<(73 + (index + 1) * 65_552)])
        }

        for place in 0..<3 {
            for index in 0..<3 where index != place {
                #expect(throws: CryptoError.refused) { try opener.open(segment: Int64(place), segment(index, of: sealed)[...]) }
            }
            #expect(throws: CryptoError.refused) { try opener.open(segment: Int64(place), segment(place, of: other)[...]) }
            #expect(try opener.open(segment: Int64(place), segment(place, of: sealed)[...]).count == 65_536)
        }
        for index in [-1, 3, Int64.min, .max] {
            #expect(throws: CryptoError.malformed) { try opener.open(segment: index, segment(0, of: sealed)[...]) }
        }
    }

    @Test("truncation shows: at a byte, at a segment, and with the header's length made to fit")
    func truncation() throws {
        let sealed = try sealedObject(plain(131_072))
        var shortened = Array(sealed.prefix(73 + 65_552))
        shortened.replaceSubrange(65..<73, with: [0, 0, 0, 0, 0, 1, 0, 0])

        #expect(throws: CryptoError.malformed) { try openedObject(Array(sealed.dropLast())) }
        #expect(throws: CryptoError.malformed) { try openedObject(Array(sealed.prefix(73 + 65_552))) }
        #expect(throws: CryptoError.refused) { try openedObject(shortened) }
        for count in [0, 1, 72] { #expect(throws: CryptoError.malformed) { try SealedObjectHeader(parsing: Array(sealed.prefix(count))) } }
    }

    @Test("the last flag alone separates a last segment from an inner one")
    func lastFlag() throws {
        // Given one object's cipher with the last flag forced off, by sealing as a longer object and patching the length.
        let header = try SealedObjectHeader(keyID: Golden.key.id, salt: Golden.salt, objectID: Golden.object, plainLength: 65_536)
        let cipher = SegmentCipher(key: Golden.key, purpose: .audio, header: header)
        let objectKey = HKDFSHA256.derive(
            Golden.key.subkey(.audio), salt: Golden.salt, info: Array("diary/v1/object".utf8) + Golden.object.bytes)
        func segment(last: UInt8) throws -> [UInt8] {
            let additional = [1] + Golden.object.bytes + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 1, 0, 0] + [last]
            return try AES256GCM.seal(plain(65_536), key: objectKey, nonce: Array(repeating: 0, count: 12), additional: additional)
        }

        let inner = try segment(last: 0)
        let last = try segment(last: 1)

        #expect(throws: CryptoError.refused) { try cipher.open(0, inner[...]) }
        #expect(try cipher.open(0, last[...]) == plain(65_536))
        #expect(Hex.encode(objectKey.bytes()) == "2cf3fbee466916b569978c184e42586a5d3980a7a3061f8e02f90a607e9a5cf4")
    }

    @Test("the same object sealed twice has another salt, and so other bytes throughout")
    func freshSalt() throws {
        func sealed() throws -> [UInt8] {
            var sealer = try SegmentSealer(key: Golden.key, purpose: .audio, objectID: Golden.object, plainLength: 3)
            let none = try sealer.seal([1, 2, 3])
            return sealer.header + none + (try sealer.finish())
        }

        let first = try sealed()
        let second = try sealed()

        #expect(first[17..<49] != second[17..<49])
        #expect(first[73...] != second[73...])
    }

    @Test("more or fewer bytes than announced end the sealer with an error, and an ended one seals nothing")
    func announcedLength() throws {
        func thrown(_ body: () throws -> Void) -> CryptoError? {
            do { try body() } catch { return error as? CryptoError }
            return nil
        }
        var tooMany = try SegmentSealer(key: Golden.key, purpose: .audio, objectID: Golden.object, plainLength: 3)
        var tooFew = try SegmentSealer(key: Golden.key, purpose: .audio, objectID: Golden.object, plainLength: 3)

        var errors: [CryptoError?] = []
        errors.append(thrown { _ = try tooMany.seal([1, 2, 3, 4]) })
        errors.append(thrown { _ = try tooMany.finish() })
        errors.append(thrown { _ = try tooFew.seal([1, 2]) })
        errors.append(thrown { _ = try tooFew.finish() })
        errors.append(thrown { _ = try tooFew.seal([3]) })

        #expect(errors == [.lengthMismatch, .finished, nil, .lengthMismatch, .finished])
    }

    @Test("lengths no object can have are refused")
    func absurdLengths() throws {
        for length in [-1, Int64.min, Int64.max, SealedObjectLayout.maximumPlainLength + 1] {
            #expect(throws: CryptoError.invalidLength) {
                _ = try SegmentSealer(key: Golden.key, purpose: .audio, objectID: Golden.object, plainLength: length)
            }
        }
        for lengthBytes in [[0x80, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0xff, count: 8), [0, 0, 0x40, 0, 0, 0, 0, 1]] {
            #expect(throws: CryptoError.malformed) { try SealedObjectHeader(parsing: hex(Self.header) + lengthBytes) }
        }
    }
}
