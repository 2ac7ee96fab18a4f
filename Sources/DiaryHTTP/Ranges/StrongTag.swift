import WireFormats

/// Strong entity tags of bytes that never change.
enum StrongTag {
    static func text(_ digest: [UInt8]) -> String { "\"\(Hex.encode(digest))\"" }
}
