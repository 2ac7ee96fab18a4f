/// A member as the central directory states it.
package struct ZipEntry: Sendable, Equatable {
    package enum Kind: Sendable, Equatable { case file, folder, special }

    /// In the order of the directory.
    package let index: Int
    /// Safe: relative, below the archive's root (`ZipPath`).
    package let path: String
    /// Bytes of the name in the archive, which `path` was read from.
    let nameLength: Int
    package let kind: Kind
    package let isEncrypted: Bool
    /// 0 stored, 8 deflated.
    package let method: UInt16
    package let compressedSize: Int64
    /// Uncompressed.
    package let size: Int64
    /// Place of the local header in the file.
    let offset: Int64

    /// What keeps it from being read.
    package var fault: ZipReadError? {
        if kind == .special { return .specialFile }
        if isEncrypted { return .encrypted }
        if method != 0, method != 8 { return .unsupportedMethod }
        if method == 0, compressedSize != size { return .damagedMember }
        return nil
    }
}
