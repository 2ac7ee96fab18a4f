import DiaryCrypto
import FoundationEssentials

/// Proves an address with its mailed code and opens the first session.
package struct VerifyEmail: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let services: ServiceKeys
    let issuer: SessionIssuer

    package init(accounts: any AccountStore, keys: DataKeys, services: ServiceKeys, issuer: SessionIssuer) {
        self.accounts = accounts
        self.keys = keys
        self.services = services
        self.issuer = issuer
    }

    package func run(
        _ email: MailAddress, code: String, registration: Registration, device: String?, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = services.addressHash(email.normalised, tenant: tenant.id)
        guard let known = try await accounts.emailIdentity(hash, tenant: tenant.id), !known.verified else { throw DiaryError(.codeRefused) }
        let refresh = RefreshToken(firstOf: SessionID(UUIDv7.make(at: issuer.clock.now())), owner: known.owner)
        let session = issuer.newSession(of: refresh, device: try await keys.sealed(device, for: refresh))
        let accepted = try await accounts.verifyEmail(
            hash, owner: known.owner, registrationHash: services.registrationHash(registration, owner: known.owner),
            codeHash: services.codeHash(code, registration: registration, owner: known.owner), maxTries: issuer.limits.codeTries,
            session: session)
        guard accepted else { throw DiaryError(.codeRefused) }
        return try issuer.issue(refresh)
    }
}

/// Sign-in with address and password: one hasher run and one answer for unknown, unverified and wrong (B8).
package struct SignInByPassword: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let services: ServiceKeys
    let issuer: SessionIssuer

    package init(accounts: any AccountStore, keys: DataKeys, hasher: any PasswordHasher, services: ServiceKeys, issuer: SessionIssuer) {
        self.accounts = accounts
        self.keys = keys
        self.hasher = hasher
        self.services = services
        self.issuer = issuer
    }

    package func run(_ email: MailAddress, password: String, device: String?, in tenant: Tenant) async throws(DiaryError) -> SessionTokens {
        let hash = services.addressHash(email.normalised, tenant: tenant.id)
        let known = try await accounts.emailIdentity(hash, tenant: tenant.id)
        let usable = known.flatMap { $0.verified ? $0.passwordPHC : nil }
        let matches: Bool
        do { matches = try await hasher.verify(password, against: usable) } catch {
            throw DiaryError(.overloaded, retryAfter: 2, cause: "password hasher is busy")
        }
        guard matches, let known, let usable else { throw DiaryError(.invalidCredentials) }
        var rehashed: (emailHash: [UInt8], phc: String)?
        if hasher.needsRehash(usable), let phc = try? await hasher.hash(password) { rehashed = (hash, phc) }
        let refresh = RefreshToken(firstOf: SessionID(UUIDv7.make(at: issuer.clock.now())), owner: known.owner)
        let session = issuer.newSession(of: refresh, device: try await keys.sealed(device, for: refresh))
        try await accounts.openSession(session, for: known.owner, rehashed: rehashed)
        return try issuer.issue(refresh)
    }
}

extension DataKeys {
    /// A device's name is somebody's ("… 's iPhone"), so it is sealed.
    func sealed(_ device: String?, for refresh: RefreshToken) async throws(DiaryError) -> [UInt8]? {
        guard let device else { return nil }
        return try await vault(of: refresh.owner).seal(Array(device.utf8), .device, row: refresh.session.uuid)
    }
}
