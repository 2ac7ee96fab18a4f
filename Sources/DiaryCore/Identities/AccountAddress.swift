/// The address of an account, sealed, and whether an identity other than the requested one proves it.
package struct AccountAddress: Sendable, Equatable {
    package var sealed: [UInt8]?
    package var isProvedOtherwise: Bool

    package init(sealed: [UInt8]?, isProvedOtherwise: Bool) {
        self.sealed = sealed
        self.isProvedOtherwise = isProvedOtherwise
    }
}
