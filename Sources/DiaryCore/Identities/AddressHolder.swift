/// The account whose sign-in address is the one that a token names.
package struct AddressHolder: Sendable, Equatable {
    package var owner: Owner
    package var isVerified: Bool
    package var isClosed: Bool = false

    package init(owner: Owner, isVerified: Bool, isClosed: Bool = false) {
        self.owner = owner
        self.isVerified = isVerified
        self.isClosed = isClosed
    }
}
