/// How large an archive of members becomes that are stored or packed before: by the layout that libzip writes (APPNOTE 4.3.6, 4.5.3).
package struct ZipSize: Sendable {
    private static let small: Int64 = 0xFFFF_FFFF

    private var members = 0
    /// Members with their headers.
    private var bytes: Int64 = 0
    private(set) var directory: Int64 = 0
    private var hasLarge = false

    package init() {}

    /// - Parameter length: of the member before it is packed.
    package mutating func add(path: String, size: Int64, length: Int64) {
        let name = Int64(path.utf8.count)
        let isLarge = size >= Self.small || length >= Self.small
        // Both sizes in the local header; in the directory those that are too large, and the offset where it is.
        var extra: Int64 = (size >= Self.small ? 8 : 0) + (length >= Self.small ? 8 : 0) + (bytes >= Self.small ? 8 : 0)
        if extra > 0 {
            extra += 4
            hasLarge = true
        }
        directory += 46 + name + extra
        bytes += 30 + name + (isLarge ? 20 : 0) + size
        members += 1
    }

    /// Bytes of the whole archive.
    package var total: Int64 {
        let isLarge = hasLarge || members > 0xFFFF || bytes > Self.small
        return bytes + directory + 22 + (isLarge ? 56 + 20 : 0)
    }
}
