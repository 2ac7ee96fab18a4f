import DiaryCrypto
package import FoundationEssentials

/// Apple grants, by the database role `diary_worker`.
package protocol AppleGrantStore: Sendable {
    /// Claims grants with a code to exchange or a token to revoke, each exclusively for a minute.
    func claim(limit: Int) async throws(WorkError) -> [AppleGrant]
    /// Stores the token that the code was exchanged for. Does nothing when a newer code has arrived meanwhile.
    func keep(_ tokenSealed: [UInt8], for grant: AppleGrant) async throws(WorkError)
    /// Deletes a code that cannot be exchanged, and the grant with it unless it has a token.
    func dropCode(of grant: AppleGrant) async throws(WorkError)
    func postpone(_ grant: AppleGrant, seconds: Double) async throws(WorkError)
    /// Deletes a grant that was revoked, or whose revocation failed permanently.
    func delete(_ grant: AppleGrant) async throws(WorkError)
}

/// A grant that a worker has claimed.
package struct AppleGrant: Sendable {
    package var owner: Owner
    package var identity: IdentityID
    package var clientID: String
    package var subjectHash: [UInt8]
    package var codeSealed: [UInt8]?
    package var codeAt: Date?
    package var tokenSealed: [UInt8]?
    package var revokeRequestedAt: Date?
    /// How many times it was claimed since the last new code or revocation.
    package var attempts: Int

    package init(
        owner: Owner, identity: IdentityID, clientID: String, subjectHash: [UInt8], codeSealed: [UInt8]?, codeAt: Date?,
        tokenSealed: [UInt8]?, revokeRequestedAt: Date?, attempts: Int
    ) {
        self.owner = owner
        self.identity = identity
        self.clientID = clientID
        self.subjectHash = subjectHash
        self.codeSealed = codeSealed
        self.codeAt = codeAt
        self.tokenSealed = tokenSealed
        self.revokeRequestedAt = revokeRequestedAt
        self.attempts = attempts
    }
}

/// An Apple authorization code to be kept for the worker.
package struct NewAppleGrant: Sendable {
    package var clientID: String
    package var codeSealed: [UInt8]
}

/// Seals Apple's codes and refresh tokens under a service key, not the user's: they must still open while the account is being erased
/// (decision D15).
package struct GrantVault: Sendable {
    package enum Part: String, Sendable { case code, token }

    private let key: DataKey

    /// Key id 0 is the service's own key.
    package init(_ serviceKeys: ServiceKeys) {
        key = DataKey(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), secret: serviceKeys.appleGrant)
    }

    package func seal(_ plain: [UInt8], _ part: Part, owner: Owner, identity: IdentityID) throws(DiaryError) -> [UInt8] {
        do {
            return try SealedPart.seal(plain, key: key, context: context(part, owner, identity))
        } catch {
            throw DiaryError(.internalError, cause: "sealing a grant failed")
        }
    }

    package func open(_ sealed: [UInt8], _ part: Part, owner: Owner, identity: IdentityID) throws(DiaryError) -> [UInt8] {
        do {
            return try SealedPart.open(sealed, key: key, context: context(part, owner, identity))
        } catch {
            throw DiaryError(.internalError, cause: "sealed grant does not open")
        }
    }

    private func context(_ part: Part, _ owner: Owner, _ identity: IdentityID) -> PartContext {
        PartContext(
            table: "apple_grants", part: part.rawValue, tenant: owner.tenant.uuid, user: owner.user.uuid, row: identity.uuid, version: 1)
    }
}
