import FoundationEssentials
import WireFormats

@testable import DiaryCrypto

/// The fixed inputs of every golden vector in docs/sealed-format.md.
enum Golden {
    static let key = DataKey(id: uuid("0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4051"), secret: SecretBytes(Array(0..<32)))
    static let tenant = uuid("11111111-2222-4333-8444-555555555555")
    static let user = uuid("66666666-7777-4888-9999-aaaaaaaaaaaa")
    static let row = uuid("0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4052")
    static let object = uuid("0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4053")
    static let nonce: [UInt8] = Array(0xa0..<0xac)
    static let salt: [UInt8] = Array(0xc0..<0xe0)
    static let master = SecretBytes(Array(64..<96))
    static let context = PartContext(table: "entries", part: "personal", tenant: tenant, user: user, row: row, version: 7)

    static func ring() throws -> MasterKeyRing { try MasterKeyRing(current: "2026-01", keys: ["2026-01": master]) }
}

func uuid(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID() }

func hex(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }

func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Bytes that no two segments share.
func plain(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

func flipped(_ bytes: [UInt8], at index: Int) -> [UInt8] {
    var bytes = bytes
    bytes[index] ^= 1
    return bytes
}

/// A whole sealed object, fed in pieces of one size.
func sealedObject(
    _ plain: [UInt8], pieces: Int = 10_000, key: DataKey = Golden.key, purpose: SealPurpose = .audio,
    object: UUID = Golden.object, salt: [UInt8] = Golden.salt
) throws -> [UInt8] {
    var sealer = try SegmentSealer(key: key, purpose: purpose, objectID: object, plainLength: Int64(plain.count), salt: salt)
    var sealed = sealer.header
    var rest = plain[...]
    while !rest.isEmpty {
        sealed += try sealer.seal(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
    }
    return sealed + (try sealer.finish())
}

/// Opens a range the way a store does, from the sealed object's bytes.
func openedObject(
    _ sealed: [UInt8], range: Range<Int64>? = nil, key: DataKey = Golden.key, purpose: SealPurpose = .audio, object: UUID? = Golden.object
) throws -> [UInt8] {
    let header = try SealedObjectHeader(parsing: sealed)
    let opener = try SegmentOpener(key: key, purpose: purpose, header: header, objectID: object)
    let cover = SealedObjectLayout.segments(coveringPlain: range ?? 0..<header.plainLength, total: header.plainLength)
    var plain: [UInt8] = []
    for index in cover.segments {
        let place = SealedObjectLayout.sealedRange(ofSegment: index, total: header.plainLength) ?? 0..<0
        let segment = sealed.dropFirst(Int(place.lowerBound)).prefix(place.count)
        plain += try opener.open(segment: index, segment)
    }
    return Array(plain.dropFirst(cover.skip).prefix(Int(cover.count)))
}
