import WireFormats

/// Strong entity tags of stored bytes, which never change. Entries and schedules have a `VersionTag`.
enum ContentTag {
    static func text(_ digest: [UInt8]) -> String { "\"\(Hex.encode(digest))\"" }
}
