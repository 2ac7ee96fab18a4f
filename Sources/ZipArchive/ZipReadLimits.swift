/// Bounds of what is read of an archive that another program made.
package struct ZipReadLimits: Sendable, Equatable {
    /// libzip holds about 250 bytes of memory for each.
    package var members = 250_000
    /// Size of the central directory, in bytes.
    package var directoryBytes: Int64 = 64 << 20
    /// Size of all members together, uncompressed, as the directory states.
    package var totalBytes: Int64 = 20 << 30
    /// Uncompressed to compressed, of members above `ratioFrom`. Deflate reaches 1,032; text seldom passes 50.
    package var ratio: Int64 = 500
    package var ratioFrom: Int64 = 16 << 20

    package init(
        members: Int = 250_000, directoryBytes: Int64 = 64 << 20, totalBytes: Int64 = 20 << 30, ratio: Int64 = 500,
        ratioFrom: Int64 = 16 << 20
    ) {
        self.members = members
        self.directoryBytes = directoryBytes
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.ratioFrom = ratioFrom
    }
}
