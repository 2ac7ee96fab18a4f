import FoundationEssentials

extension UUID {
    /// The 16 bytes in the order of RFC 9562.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var value = UUID().uuid
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
        self.init(uuid: value)
    }
}
