package import FoundationEssentials

/// A part that a worker sealed, its new version and the version it replaces.
package struct SealedResult: Sendable {
    package var sealed: [UInt8]
    package var version: Int64
    package var keyID: UUID

    package init(sealed: [UInt8], version: Int64, keyID: UUID) {
        self.sealed = sealed
        self.version = version
        self.keyID = keyID
    }
}
