import DiaryCrypto
import FoundationEssentials

/// Given to whoever asks for a code, and must come back with it: 16 random bytes, as of a sign-up. The mail proves the address, this proves that it is
/// the same asker, so that a code which a foreign asked for fits nothing in its reader's app, and the other way round.
package typealias CodeRequest = Registration

/// Makes mailed codes for accounts that exist, and reads those that come back.
struct AccountCodes: Sendable {
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock

    func make(
        _ purpose: CodePurpose, to address: String, _ request: CodeRequest, vault: Vault,
        addressHash: [UInt8]? = nil, newAddress: (hash: [UInt8], sealed: [UInt8])? = nil
    ) throws(DiaryError) -> (AccountCode, QueuedMail) {
        let digits = OneTimeCode.make()
        let code = AccountCode(
            id: UUIDv7.make(at: clock.now()), purpose: purpose,
            hash: serviceKeys.accountCodeHash(digits, purpose, request: request, owner: vault.owner),
            requestHash: serviceKeys.registrationHash(request, owner: vault.owner), lifetimeSeconds: limits.codeSeconds,
            addressHash: addressHash, newAddress: newAddress)
        return (code, try vault.mail(purpose.mail, MailPayload(to: address, code: digits), at: clock.now()))
    }

    func shown(_ digits: String, _ purpose: CodePurpose, _ request: CodeRequest, owner: Owner) -> ShownCode {
        ShownCode(
            purpose: purpose, hash: serviceKeys.accountCodeHash(digits, purpose, request: request, owner: owner),
            requestHash: serviceKeys.registrationHash(request, owner: owner), maxTries: limits.codeTries)
    }
}

extension CodePurpose {
    fileprivate var mail: MailKind {
        switch self {
        case .verify: .verificationCode
        case .login: .signInCode
        case .reset: .resetCode
        case .address: .addressCode
        case .reauthenticate: .reauthenticationCode
        }
    }
}

extension ServiceKeys {
    /// A code fits its purpose, its asker and its account alone.
    func accountCodeHash(_ digits: String, _ purpose: CodePurpose, request: CodeRequest, owner: Owner) -> [UInt8] {
        HMACSHA256.code(
            owner.tenant.uuid.octets + owner.user.uuid.octets + request.bytes + Array("\(purpose.rawValue)/\(digits)".utf8), key: mailedCode
        )
    }
}

extension DataKeys {
    /// At a sign-in: an account whose key was destroyed, and whose rows a restored backup brought back, is answered like none.
    func vault(of owner: Owner, orRefuse code: ErrorCode) async throws(DiaryError) -> Vault {
        do { return try await vault(of: owner) } catch {
            throw error.code == .notFound ? DiaryError(code, cause: "the account's key is gone") : error
        }
    }
}

/// Mails a code to an address that has an account, for signing in or for a new password. The answer and the work are the same for one that
/// has none, waits for its proof, or is disabled (B8).
package struct RequestCode: Sendable {
    let accounts: any AccountStore
    let credentials: any CredentialStore
    let keys: DataKeys
    let jobSignals: any JobSignals
    let codes: AccountCodes

    package init(
        accounts: any AccountStore, credentials: any CredentialStore, keys: DataKeys, serviceKeys: ServiceKeys, jobSignals: any JobSignals,
        limits: Limits, clock: WallClock
    ) {
        self.accounts = accounts
        self.credentials = credentials
        self.keys = keys
        self.jobSignals = jobSignals
        codes = AccountCodes(serviceKeys: serviceKeys, limits: limits, clock: clock)
    }

    /// - Parameter purpose: `login` or `reset`.
    /// - Returns: what must come back with the code.
    package func run(
        _ purpose: CodePurpose, _ email: MailAddress, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> CodeRequest {
        let known = try await accounts.usable(email, in: tenant, codes.serviceKeys)
        let reader = try await keys.recipient(known, asked: email, in: tenant.id, at: codes.clock.now())
        let request = CodeRequest()
        let (code, mail) = try codes.make(
            purpose, to: reader.address, request, vault: reader.vault,
            addressHash: codes.serviceKeys.addressHash(email.normalised, tenant: tenant.id))
        _ = try await credentials.mailCode(
            code, mail: mail, to: reader.owner, asker: .client(codes.serviceKeys.askerHash(origin.client)), limits: codes.limits)
        jobSignals.jobCommitted(.mail)
        return request
    }
}

extension AccountStore {
    /// The account of a proved address, unless it is disabled.
    func usable(_ email: MailAddress, in tenant: Tenant, _ serviceKeys: ServiceKeys) async throws(DiaryError) -> EmailIdentity? {
        let known = try await emailIdentity(serviceKeys.addressHash(email.normalised, tenant: tenant.id), tenant: tenant.id)
        return known.flatMap { $0.verified && !$0.disabled ? $0 : nil }
    }
}
