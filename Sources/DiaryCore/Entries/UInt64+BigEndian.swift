extension UInt64 {
    /// Eight bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}
