import DiaryCrypto
import FoundationEssentials

/// Sign-in, and sign-up, by an ID token of Apple or Google.
package struct SignInWithProvider: Sendable {
    package struct Form: Sendable {
        package var answer: ProviderAnswer
        package var device: String?
        /// For a new account. Apple gives the name to the app, once; it is not in the token.
        package var name: String?
        package var timeZone: String?
        package var locale: String?

        package init(answer: ProviderAnswer, device: String?, name: String?, timeZone: String?, locale: String?) {
            self.answer = answer
            self.device = device
            self.name = name
            self.timeZone = timeZone
            self.locale = locale
        }
    }

    let identities: any IdentityStore
    let proofs: ProviderProofs
    let keys: DataKeys
    let issuer: SessionIssuer

    package func run(_ form: Form, origin: RequestOrigin, in tenant: Tenant) async throws(DiaryError) -> SessionTokens {
        let proof = try await proofs.prove(form.answer, in: tenant)
        // Repeated when a concurrent request wrote first: a user may sign in for the first time on two devices at once.
        for _ in 0..<3 {
            let lookup = try await identities.find(
                proof.subject, addressHash: proof.addressHash, challengeHash: proof.challengeHash)
            guard lookup.challengeLives else { throw DiaryError(.tokenRefused) }
            let decision = SignInDecision(proof.claims, lookup)
            let opened: (refresh: RefreshToken, vault: Vault)?
            switch decision {
            case .known(let known): opened = try await enter(known, proof, form, origin)
            case .joins(let owner): opened = try await join(owner, proof, form, origin)
            case .new: opened = try await register(proof, form, origin)
            case .clashes: throw DiaryError(.accountExists)
            case .closed: throw DiaryError(.tokenRefused, cause: "the account is closed")
            }
            if let opened {
                return try await issuer.issue(opened.refresh, in: tenant.slug, vault: opened.vault, isNew: decision == .new)
            }
        }
        throw DiaryError(.concurrentChange)
    }

    private func enter(
        _ known: KnownIdentity, _ proof: ProviderProof, _ form: Form, _ origin: RequestOrigin
    ) async throws(DiaryError) -> (refresh: RefreshToken, vault: Vault)? {
        let vault = try await keys.vault(of: known.owner, orRefuse: .tokenRefused)
        let (signIn, refresh) = try signIn(known.id, vault, proof, form, origin)
        return try await identities.signIn(signIn, update: try update(of: known, proof.claims, vault)) ? (refresh, vault) : nil
    }

    private func join(
        _ owner: Owner, _ proof: ProviderProof, _ form: Form, _ origin: RequestOrigin
    ) async throws(DiaryError) -> (refresh: RefreshToken, vault: Vault)? {
        let vault = try await keys.vault(of: owner, orRefuse: .tokenRefused)
        let identity = try vault.newIdentity(proof.claims, provesAddress: true, at: issuer.clock.now())
        let (signIn, refresh) = try signIn(identity.id, vault, proof, form, origin)
        guard let addressHash = proof.addressHash else { return nil }
        return try await identities.join(signIn, identity, addressHash: addressHash) ? (refresh, vault) : nil
    }

    private func register(
        _ proof: ProviderProof, _ form: Form, _ origin: RequestOrigin
    ) async throws(DiaryError) -> (refresh: RefreshToken, vault: Vault)? {
        let owner = Owner(tenant: proof.subject.tenant, user: UserID(UUIDv7.make(at: issuer.clock.now())))
        // The key is made before the user row: a crash between the two leaves a key that opens nothing.
        let vault = Vault(key: try await keys.make(for: owner), owner: owner)
        let identity = try vault.newIdentity(proof.claims, provesAddress: proof.claims.ownsAddress, at: issuer.clock.now())
        let (signIn, refresh) = try signIn(identity.id, vault, proof, form, origin)
        let account = NewProviderAccount(
            keyID: vault.key.id, emailSealed: try vault.seal(proof.claims.address?.text, .email, row: owner.user.uuid),
            nameSealed: try vault.seal(form.name, .name, row: owner.user.uuid), timeZone: form.timeZone ?? "UTC", locale: form.locale)
        do throws(DiaryError) {
            if try await identities.register(signIn, identity, account) { return (refresh, vault) }
        } catch {
            // The store refused, so nothing was written and the key belongs to no account; when the outcome is unknown the key stays.
            if [.tokenRefused, .invalidFields, .appUnknown].contains(error.code) { try await keys.destroy(of: owner) }
            throw error
        }
        try await keys.destroy(of: owner)
        return nil
    }

    private func signIn(
        _ identity: IdentityID, _ vault: Vault, _ proof: ProviderProof, _ form: Form, _ origin: RequestOrigin
    ) throws(DiaryError) -> (ProviderSignIn, RefreshToken) {
        let (refresh, session) = try issuer.prepare(vault.owner, device: form.device, from: origin, vault: vault)
        let signIn = ProviderSignIn(
            owner: vault.owner, subject: proof.subject, identity: identity, challengeHash: proof.challengeHash, session: session,
            grant: try proofs.grant(form.answer, proof.claims, owner: vault.owner, identity: identity), origin: origin)
        return (signIn, refresh)
    }

    /// nil when the provider states the same as last time. A token without an address changes nothing.
    private func update(of known: KnownIdentity, _ claims: ProviderClaims, _ vault: Vault) throws(DiaryError) -> IdentityUpdate? {
        guard let address = claims.address else { return nil }
        let proof = AddressProof(
            claims, accountAddress: try vault.text(known.account.sealed, .email, row: known.owner.user.uuid),
            isProvedOtherwise: known.account.isProvedOtherwise)
        let isStored = try vault.text(known.addressSealed, .address, row: known.id.uuid) == address.text
        guard !isStored || proof.proves != known.provesAddress || proof.replaces else { return nil }
        return IdentityUpdate(
            addressSealed: try vault.seal(address.text, .address, row: known.id.uuid), provesAddress: proof.proves,
            accountAddressSealed: proof.replaces ? try vault.seal(address.text, .email, row: known.owner.user.uuid) : nil,
            readAgainst: known.account.sealed)
    }
}

extension Vault {
    func newIdentity(_ claims: ProviderClaims, provesAddress: Bool, at now: Date) throws(DiaryError) -> NewIdentity {
        let id = IdentityID(UUIDv7.make(at: now))
        return NewIdentity(
            id: id, subjectSealed: try seal(Array(claims.subject.utf8), .subject, row: id.uuid),
            addressSealed: try seal(claims.address?.text, .address, row: id.uuid), provesAddress: provesAddress)
    }

    func seal(_ text: String?, _ part: Part, row: UUID) throws(DiaryError) -> [UInt8]? {
        guard let text else { return nil }
        return try seal(Array(text.utf8), part, row: row)
    }

    func text(_ sealed: [UInt8]?, _ part: Part, row: UUID) throws(DiaryError) -> String? {
        guard let sealed else { return nil }
        return String(decoding: try open(sealed, part, row: row), as: UTF8.self)
    }
}

/// Chooses the account for a verified ID token (B13). Accounts are found by the identity; an address alone opens one only when both sides
/// have proved it: the account by a mailed code, the provider by running the mailbox.
enum SignInDecision: Sendable, Equatable {
    case known(KnownIdentity)
    /// The identity is added to the account that has its address, verified.
    case joins(Owner)
    /// An account signs in with the address, and the provider cannot prove its present owner.
    case clashes
    /// The account is being deleted or is disabled: sign-in is refused.
    case closed
    /// A new account, also when a sign-up by mail with this address is pending: that sign-up is unverified; linking to it would allow
    /// pre-hijacking.
    case new

    init(_ claims: ProviderClaims, _ lookup: IdentityLookup) {
        if let known = lookup.known {
            self = known.isClosed ? .closed : .known(known)
        } else if let holder = lookup.holder, holder.isVerified {
            self = !claims.ownsAddress ? .clashes : holder.isClosed ? .closed : .joins(holder.owner)
        } else {
            self = .new
        }
    }
}
