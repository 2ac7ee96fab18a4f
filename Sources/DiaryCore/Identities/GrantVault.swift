import DiaryCrypto
import FoundationEssentials

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
