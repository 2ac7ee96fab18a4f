import DiaryCrypto
import FoundationEssentials

/// Who a mailed code, or a session by one, belongs to: the account of an address, or nobody, with a key that has sealed nothing, so that the
/// same work is done (B8). An account whose key was destroyed, and whose rows a restored backup brought back, is nobody.
struct CodeRecipient: Sendable {
    let owner: Owner
    let vault: Vault
    /// As the account has it; as it was asked for, when there is none.
    let address: String
}

extension DataKeys {
    /// Keys of accounts are mostly at hand, so for nobody none is asked for: looking for one that is not there would take longer.
    func recipient(_ known: EmailIdentity?, asked: MailAddress, in tenant: TenantID, at now: Date) async throws(DiaryError) -> CodeRecipient {
        if let known, let account = try await recipient(known) { return account }
        let owner = Owner.nobody(in: tenant, at: now)
        return CodeRecipient(owner: owner, vault: Vault(key: .generate(), owner: owner), address: asked.text)
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
    /// Somebody who does not exist, for work that must not show it (B8).
    static func nobody(in tenant: TenantID, at now: Date) -> Owner { Owner(tenant: tenant, user: UserID(UUIDv7.make(at: now))) }
}
