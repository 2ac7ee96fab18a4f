// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension PackedFacts {
    package init(size: Int64, crc32: UInt32, length: Int64, _: Void = ()) {
        self.size = size
        self.crc32 = crc32
        self.length = length
    }
}

extension ZipReadLimits {
    package init(
        members: Int = 250_000, directoryBytes: Int64 = 64 << 20, totalBytes: Int64 = 20 << 30, ratio: Int64 = 500,
        ratioFrom: Int64 = 16 << 20, _: Void = ()
    ) {
        self.members = members
        self.directoryBytes = directoryBytes
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.ratioFrom = ratioFrom
    }
}
