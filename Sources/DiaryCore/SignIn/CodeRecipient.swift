import DiaryCrypto
import FoundationEssentials

/// The owner of a mailed code, or of a session by one: the account of an address or, so that the same work is done (B8), a placeholder
/// with a key that has sealed nothing. An account whose key was destroyed, and whose rows were restored from a backup, is treated as
/// unknown.
struct CodeRecipient: Sendable {
    let owner: Owner
    let vault: Vault
    /// The account's address; the requested one when there is no account.
    let address: String
}

extension DataKeys {
    /// Keys of accounts are mostly cached, so none is read for a placeholder: looking for a missing key would take longer.
    func recipient(
        _ known: EmailIdentity?, requested: MailAddress, in tenant: TenantID, at now: Date
    ) async throws(DiaryError) -> CodeRecipient {
        if let known, let account = try await recipient(known) { return account }
        let owner = Owner.placeholder(in: tenant, at: now)
        return CodeRecipient(owner: owner, vault: Vault(key: .generate(), owner: owner), address: requested.text)
    }

    /// - Returns: nil when the account's key was destroyed.
    func recipient(_ known: EmailIdentity) async throws(DiaryError) -> CodeRecipient? {
        let vault: Vault
        do { vault = try await self.vault(of: known.owner) } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        let address = try vault.open(known.emailSealed, .email, row: known.owner.user.uuid)
        return CodeRecipient(owner: known.owner, vault: vault, address: String(decoding: address, as: UTF8.self))
    }
}

extension Owner {
    /// An owner who does not exist, for work that must be the same with and without an account (B8).
    static func placeholder(in tenant: TenantID, at now: Date) -> Owner { Owner(tenant: tenant, user: UserID(UUIDv7.make(at: now))) }
}
