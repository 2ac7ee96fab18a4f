package import FoundationEssentials

/// The one place a sealed part belongs to. It does not open in another (G3).
package struct PartContext: Sendable, Equatable {
    package let table: String
    package let part: String
    package let tenant: UUID
    package let user: UUID
    package let row: UUID
    /// The part's own content version.
    package let version: Int64

    package init(table: String, part: String, tenant: UUID, user: UUID, row: UUID, version: Int64) {
        self.table = table
        self.part = part
        self.tenant = tenant
        self.user = user
        self.row = row
        self.version = version
    }

    /// Texts carry their length and the rest has a fixed one, so that different contexts never give the same bytes.
    var additional: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        bytes.append(SealedPrefix.version)
        bytes.append(counted: table)
        bytes.append(counted: part)
        bytes.append(tenant)
        bytes.append(user)
        bytes.append(row)
        bytes.append(bigEndian: version)
        return bytes
    }
}
