import FoundationEssentials

extension UUID {
    /// The 16 bytes in the order of RFC 9562.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

extension [UInt8] {
    mutating func append(_ id: UUID) { Swift.withUnsafeBytes(of: id.uuid) { append(contentsOf: $0) } }
}
