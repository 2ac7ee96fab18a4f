package import FoundationEssentials

/// The purpose of a mailed code. Stable strings.
package enum CodePurpose: String, Sendable, CaseIterable { case verify, login, reset, address, reauthenticate }

/// A mailed code for an account that exists, hashed. (Codes of a sign-up are `NewCode`.)
package struct AccountCode: Sendable {
    package var id: UUID
    package var purpose: CodePurpose
    package var hash: [UInt8]
    /// Keyed hash of the secret that only the requester was given.
    package var requestHash: [UInt8]
    package var lifetimeSeconds: Int
    /// The address it is mailed to, when that must still be the account's: a code mailed to a former address is refused.
    package var addressHash: [UInt8]?
    /// The address that the code proves, when it is a new one.
    package var newAddress: (hash: [UInt8], sealed: [UInt8])?
}

/// A code as a client sends it back.
package struct ShownCode: Sendable {
    package var purpose: CodePurpose
    package var hash: [UInt8]
    package var requestHash: [UInt8]
    package var maxTries: Int
}

/// The requester of a code.
package enum CodeRequester: Sendable {
    /// Its session must not have ended.
    case member(Member)
    /// A keyed hash of a client's network.
    case client([UInt8])

    package var member: Member? { if case .member(let member) = self { member } else { nil } }
    package var hash: [UInt8]? { if case .client(let hash) = self { hash } else { nil } }
}
