import DiaryCrypto
import FoundationEssentials

/// What waits sealed in a queued mail.
package struct MailPayload: Sendable, Codable, Equatable {
    package var to: String
    package var code: String?

    package init(to: String, code: String?) {
        self.to = to
        self.code = code
    }
}

/// Makes codes and the sealed mails that carry them.
struct AccountMails: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let services: ServiceKeys
    let limits: Limits
    let clock: WallClock

    func code(for vault: Vault, to address: String, of registration: Registration, passwordPHC: String?) throws(DiaryError) -> (NewCode, QueuedMail) {
        let digits = Self.sixDigits()
        let code = NewCode(
            id: UUIDv7.make(at: clock.now()), hash: services.codeHash(digits, registration: registration, owner: vault.owner), lifetimeSeconds: limits.codeSeconds,
            passwordPHC: passwordPHC)
        return (code, try mail(.verificationCode, vault: vault, MailPayload(to: address, code: digits)))
    }

    func mail(_ kind: MailKind, vault: Vault, _ payload: MailPayload) throws(DiaryError) -> QueuedMail {
        let id = MailID(UUIDv7.make(at: clock.now()))
        return QueuedMail(
            id: id, kind: kind, payload: try vault.seal(payload, as: .payload, row: id.uuid), keyID: vault.key.id, subject: nil)
    }

    /// A verified address hears that it has an account; one that waits gets a fresh code.
    func tell(_ known: EmailIdentity, _ registration: Registration, passwordPHC: String?) async throws(DiaryError) {
        let vault = try await keys.vault(of: known.owner)
        let address = String(decoding: try vault.open(known.emailSealed, .email, row: known.owner.user.uuid), as: UTF8.self)
        if known.verified {
            try await accounts.queue(try mail(.addressAlreadyRegistered, vault: vault, MailPayload(to: address, code: nil)), to: known.owner)
        } else {
            let (code, mail) = try code(for: vault, to: address, of: registration, passwordPHC: passwordPHC)
            _ = try await accounts.issueCode(code, mail: mail, to: known.owner, perHour: limits.codesPerHour)
        }
    }

    /// Uniform over 000000 … 999999: 2^32 is rejected above the largest multiple of a million.
    private static func sixDigits() -> String {
        while true {
            let word = SecureRandom.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard word < 4_294_000_000 else { continue }
            let digits = String(word % 1_000_000)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
    }
}

/// Sends a fresh code to an address that waits; silent about every other (B8).
package struct ResendCode: Sendable {
    let mails: AccountMails
    let wakeUps: any WakeUps

    package init(accounts: any AccountStore, keys: DataKeys, services: ServiceKeys, wakeUps: any WakeUps, limits: Limits, clock: WallClock) {
        mails = AccountMails(accounts: accounts, keys: keys, services: services, limits: limits, clock: clock)
        self.wakeUps = wakeUps
    }

    package func run(_ email: MailAddress, in tenant: Tenant) async throws(DiaryError) -> Registration {
        let registration = Registration()
        let hash = mails.services.addressHash(email.normalised, tenant: tenant.id)
        guard let known = try await mails.accounts.emailIdentity(hash, tenant: tenant.id), !known.verified else { return registration }
        try await mails.tell(known, registration, passwordPHC: nil)
        wakeUps.jobCommitted(.mail)
        return registration
    }
}
