// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import FoundationEssentials

extension PartContext {
    package init(table: String, part: String, tenant: UUID, user: UUID, row: UUID, version: Int64, _: Void = ()) {
        self.table = table
        self.part = part
        self.tenant = tenant
        self.user = user
        self.row = row
        self.version = version
    }
}

extension SegmentCover {
    package init(segments: Range<Int64>, sealedRange: Range<Int64>, skip: Int, count: Int64, _: Void = ()) {
        self.segments = segments
        self.sealedRange = sealedRange
        self.skip = skip
        self.count = count
    }
}

extension WrappedKey {
    package init(keyID: UUID, masterID: String, bytes: [UInt8], _: Void = ()) {
        self.keyID = keyID
        self.masterID = masterID
        self.bytes = bytes
    }
}
