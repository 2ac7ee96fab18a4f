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
