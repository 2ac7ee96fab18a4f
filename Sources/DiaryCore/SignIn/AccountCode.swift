package import FoundationEssentials

/// What a mailed code is for. Stable strings.
package enum CodePurpose: String, Sendable, CaseIterable { case verify, login, reset, address, reauthenticate }

/// A mailed code for an account that exists, hashed. (Codes of a sign-up are `NewCode`.)
package struct AccountCode: Sendable {
    package var id: UUID
    package var purpose: CodePurpose
    package var hash: [UInt8]
    /// Keyed hash of what only the asker was given.
    package var requestHash: [UInt8]
    package var lifetimeSeconds: Int
    /// The address it is mailed to, when that must still be the account's: the mailbox of one that was left opens nothing.
    package var addressHash: [UInt8]?
    /// The address it is to prove, when it is a new one.
    package var newAddress: (hash: [UInt8], sealed: [UInt8])?
}

/// A code that came back.
package struct ShownCode: Sendable {
    package var purpose: CodePurpose
    package var hash: [UInt8]
    package var requestHash: [UInt8]
    package var maxTries: Int
}

/// Who asks for a code.
package enum CodeAsker: Sendable {
    /// Whose session must live.
    case member(Member)
    /// A keyed hash of a client's network.
    case client([UInt8])

    package var member: Member? { if case .member(let member) = self { member } else { nil } }
    package var hash: [UInt8]? { if case .client(let hash) = self { hash } else { nil } }
}
