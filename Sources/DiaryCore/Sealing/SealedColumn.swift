package import DiaryCrypto

/// A sealed part and the content version that its additional data names.
package struct SealedColumn: Sendable, Equatable {
    package var sealed: SealedBytes
    package var version: Int64

    package init(_ sealed: SealedBytes, version: Int64) {
        self.sealed = sealed
        self.version = version
    }

    package init(bytes: [UInt8], version: Int64) { self.init(SealedBytes(bytes), version: version) }

    package var bytes: [UInt8] { sealed.array }
}
