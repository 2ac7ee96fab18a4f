import FoundationEssentials

@testable import DiaryCore
@testable import DiaryCrypto

private let fixedID = UUID(uuidString: "00000000-0000-4000-8000-000000000001") ?? UUID()
private let dataKey = DataKey(id: fixedID, secret: SecretBytes(Array(repeating: 3, count: 32)))
private let context = PartContext(table: "entries", part: "personal", tenant: fixedID, user: fixedID, row: fixedID, version: 1)

extension FuzzTarget {
    /// Sealed columns, wrapped keys and sealed objects: nothing altered opens, whatever the pieces were.
    static let sealed = FuzzTarget(name: "sealed") { input in
        switch input.choice(4) {
        case 0:
            let bytes = input.all()
            hold((try? SealedPart.open(bytes, key: dataKey, context: context)) == nil, "a forged part opens")
            _ = SealedPart.keyID(of: bytes)
            if let header = try? SealedObjectHeader(parsing: bytes) {
                hold(header.bytes == Array(bytes.prefix(SealedObjectHeader.count)), "a header with two spellings")
                let last = SealedObjectLayout.segmentCount(ofPlain: header.plainLength) - 1
                hold(
                    SealedObjectLayout.sealedRange(ofSegment: last, total: header.plainLength)?.upperBound
                        == SealedObjectLayout.sealedLength(ofPlain: header.plainLength), "a length that is not that of its segments")
                if let opener = try? SegmentOpener(key: dataKey, purpose: .audio, header: header) {
                    hold((try? opener.open(segment: 0, bytes.dropFirst(SealedObjectHeader.count))) == nil, "a forged segment opens")
                }
            }
        case 1:
            let plain = input.piece()
            guard let sealed = try? SealedPart.seal(plain, key: dataKey, context: context) else {
                return hold(false, "a part does not seal")
            }
            let other = input.edited(sealed)
            let opened = try? SealedPart.open(other, key: dataKey, context: context)
            hold(opened == (other == sealed ? plain : nil), "an altered part opens, or a whole one does not")
        case 2:
            guard let ring = try? MasterKeyRing(current: "m", keys: ["m": SecretBytes(Array(repeating: 5, count: 32))]),
                let wrapped = try? ring.wrap(dataKey, tenant: fixedID, user: fixedID)
            else { return hold(false, "a key does not wrap") }
            let other = input.edited(wrapped.bytes)
            let opened = try? ring.unwrap(
                WrappedKey(keyID: wrapped.keyID, masterID: "m", bytes: other), tenant: fixedID, user: fixedID)
            hold((opened != nil) == (other == wrapped.bytes), "an altered key unwraps, or a whole one does not")
        default: object(&input)
        }
    }

    private static func object(_ input: inout FuzzBytes) {
        // At most two segments and a bit: the ends of segments are what matters.
        let length = input.choice(3) * SealedObjectLayout.segmentSize + Int(input.number(in: 0...40))
        let pattern = input.piece()
        let plain = (0..<length).map { pattern.isEmpty ? 0 : pattern[$0 % pattern.count] &+ UInt8(truncatingIfNeeded: $0 >> 8) }
        guard var sealer = try? SegmentSealer(key: dataKey, purpose: .audio, objectID: fixedID, plainLength: Int64(length)) else {
            return hold(false, "no sealer")
        }
        var sealed = sealer.header
        var rest = plain[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + Int(input.number(in: 0...99_999)))
            rest = rest.dropFirst(piece.count)
            guard let bytes = try? sealer.seal(piece) else { return hold(false, "a piece does not seal") }
            sealed += bytes
        }
        guard let end = try? sealer.finish() else { return hold(false, "an object does not end") }
        sealed += end
        hold(Int64(sealed.count) == SealedObjectLayout.sealedLength(ofPlain: Int64(length)), "another length than the layout says")
        let at = Int(input.number() % UInt64(sealed.count))
        let change = input.byte()
        sealed[at] ^= change
        guard let header = try? SealedObjectHeader(parsing: sealed),
            let opener = try? SegmentOpener(key: dataKey, purpose: .audio, header: header, objectID: fixedID)
        else { return hold(change != 0, "a whole header does not read") }
        var opened: [UInt8] = []
        for index in 0..<SealedObjectLayout.segmentCount(ofPlain: header.plainLength) {
            guard let range = SealedObjectLayout.sealedRange(ofSegment: index, total: header.plainLength), range.upperBound <= sealed.count,
                let segment = try? opener.open(segment: index, sealed[Int(range.lowerBound)..<Int(range.upperBound)])
            else { return hold(change != 0, "a whole object does not open") }
            opened += segment
        }
        hold(change == 0 && opened == plain, "an altered object opens, or as something else")
    }

    /// The plaintext of sealed parts.
    static let parts = FuzzTarget(name: "parts") { input in
        if input.flag() {
            var personal = PersonalPart(
                title: input.flag() ? input.shortText() : nil, edited: input.flag() ? input.shortText() : nil,
                tags: (0..<input.choice(4)).map { _ in input.shortText() }, mood: input.flag() ? input.text() : nil)
            personal.notes = (0..<input.choice(3)).map { place in
                EntryNote(
                    id: NoteID(UUIDv7.make()), text: input.shortText(), at: place == 0 ? nil : Double(place) / 3, createdAt: Date())
            }
            hold(PersonalPart(plain: personal.plainBytes.span) == personal, "a part does not read again")
        } else {
            let bytes = input.all()
            if let part = PersonalPart(plain: bytes.span) {
                let again = PersonalPart(plain: part.plainBytes.span)
                // As below: an unreadable note is dropped.
                hold(again?.plainBytes == part.plainBytes, "a personal part that is written otherwise the second time")
                hold(
                    again?.edited == part.edited && again?.tags == part.tags && again?.notes == part.notes,
                    "a personal part that reads otherwise the second time")
            }
            if let part = MachinePart(plain: bytes.span) {
                // Where a value is unreadable its field is dropped, and a later version's fields behind it move up.
                let again = MachinePart(plain: part.plainBytes.span)
                hold(again?.plainBytes == part.plainBytes, "a machine part that is written otherwise the second time")
                hold(
                    again?.raw == part.raw && again?.clean == part.clean && again?.cleanup == part.cleanup,
                    "a machine part that reads otherwise the second time")
            }
        }
    }
}
