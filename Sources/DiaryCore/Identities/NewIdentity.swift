/// An Apple authorization code to be kept for the worker.
package struct NewAppleGrant: Sendable {
    package var clientID: String
    package var codeSealed: [UInt8]

    package init(clientID: String, codeSealed: [UInt8]) {
        self.clientID = clientID
        self.codeSealed = codeSealed
    }
}

/// An identity about to be somebody's.
package struct NewIdentity: Sendable {
    package var id: IdentityID
    package var subjectSealed: [UInt8]
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool

    package init(id: IdentityID, subjectSealed: [UInt8], addressSealed: [UInt8]?, provesAddress: Bool) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
    }
}

/// What a known identity's provider says differently from last time.
package struct IdentityNews: Sendable, Equatable {
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
    /// The account's address follows the provider; nil leaves it.
    package var accountAddressSealed: [UInt8]?
    /// The account's address that this was read against; once it is another one, nothing of this is written.
    package var readAgainst: [UInt8]?

    package init(addressSealed: [UInt8]?, provesAddress: Bool, accountAddressSealed: [UInt8]?, readAgainst: [UInt8]?) {
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
        self.accountAddressSealed = accountAddressSealed
        self.readAgainst = readAgainst
    }
}
