import FoundationEssentials

extension UUID {
    /// The 16 bytes in the order of RFC 9562.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    /// RFC 9562 version 4. `UUID()` opens /dev/urandom for each call and, when the process has no descriptor left,
    /// returns the same id each time.
    static func random() -> UUID {
        let r = SecureRandom.bytes(16)
        return UUID(
            uuid: (
                r[0], r[1], r[2], r[3], r[4], r[5], 0x40 | (r[6] & 0x0F), r[7], 0x80 | (r[8] & 0x3F), r[9], r[10], r[11], r[12], r[13],
                r[14],
                r[15]
            ))
    }

    init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

extension [UInt8] {
    mutating func append(_ id: UUID) { Swift.withUnsafeBytes(of: id.uuid) { append(contentsOf: $0) } }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// A 32-bit length and the text's UTF-8 bytes, so that no two lists of texts give the same bytes.
    mutating func append(counted text: String) {
        append(bigEndian: UInt32(clamping: text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
