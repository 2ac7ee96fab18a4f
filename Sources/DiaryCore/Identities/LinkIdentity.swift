package import FoundationEssentials

/// A way in, as its owner sees it.
package struct IdentityView: Sendable, Equatable {
    package var linked: LinkedIdentity
    package var address: String?
}

/// Adds Apple or Google as a way into one's own account.
package struct LinkIdentity: Sendable {
    let identities: any IdentityStore
    let own: ListIdentities
    let proofs: ProviderProofs
    let keys: DataKeys
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let clock: WallClock

    package init(
        identities: any IdentityStore, own: ListIdentities, proofs: ProviderProofs, keys: DataKeys, tenants: any TenantStore,
        jobSignals: any JobSignals, clock: WallClock
    ) {
        self.identities = identities
        self.own = own
        self.proofs = proofs
        self.keys = keys
        self.tenants = tenants
        self.jobSignals = jobSignals
        self.clock = clock
    }

    /// - Returns: the identity, and whether it is new. One that is linked already uses no challenge up.
    package func run(
        _ answer: ProviderAnswer, origin: RequestOrigin, by member: Member
    ) async throws(DiaryError) -> (identity: IdentityView, isNew: Bool) {
        // First whether the session lives: what follows would answer differently.
        let account = try await identities.address(of: member)
        guard let tenant = try await tenants.tenant(id: member.tenant) else { throw .unauthorized }
        let proof = try await proofs.prove(answer, in: tenant)
        let vault = try await keys.vault(of: member)
        for _ in 0..<2 {
            let finding = try await identities.find(proof.subject, addressHash: nil, challengeHash: proof.challengeHash)
            guard finding.challengeLives else { throw DiaryError(.tokenRefused) }
            if let known = finding.known {
                guard known.owner == member.owner else { throw DiaryError(.identityTaken) }
                return (try await view(known.id, member), false)
            }
            let link = try link(proof, answer, account, vault, origin)
            if try await identities.link(link, to: member) {
                jobSignals.jobCommitted(.mail)
                return (try await view(link.identity.id, member), true)
            }
        }
        throw DiaryError(.concurrentChange)
    }

    private func link(
        _ proof: ProviderProof, _ answer: ProviderAnswer, _ account: AccountAddress, _ vault: Vault, _ origin: RequestOrigin
    ) throws(DiaryError) -> IdentityLink {
        let owner = vault.owner
        let address = AddressProof(
            proof.claims, accountAddress: try vault.text(account.sealed, .email, row: owner.user.uuid),
            isProvedOtherwise: account.isProvedOtherwise)
        let identity = try vault.newIdentity(proof.claims, provesAddress: address.proves, at: clock.now())
        return IdentityLink(
            subject: proof.subject, identity: identity,
            accountAddressSealed: address.replaces ? try vault.seal(proof.claims.address?.text, .email, row: owner.user.uuid) : nil,
            readAgainst: account.sealed, challengeHash: proof.challengeHash,
            grant: try proofs.grant(answer, proof.claims, owner: owner, identity: identity.id), origin: origin)
    }

    private func view(_ id: IdentityID, _ member: Member) async throws(DiaryError) -> IdentityView {
        guard let found = try await own.run(member).first(where: { $0.linked.id == id }) else { throw DiaryError(.concurrentChange) }
        return found
    }
}

/// The credentialStore into one's own account, oldest first.
package struct ListIdentities: Sendable {
    let linked: any LinkedIdentityStore
    let keys: DataKeys

    package init(linked: any LinkedIdentityStore, keys: DataKeys) {
        self.linked = linked
        self.keys = keys
    }

    package func run(_ member: Member) async throws(DiaryError) -> [IdentityView] {
        let found = try await linked.identities(of: member)
        let vault = try await keys.vault(of: member)
        var views: [IdentityView] = []
        for identity in found {
            let (part, row): (Vault.Part, UUID) = identity.provider == nil ? (.email, member.user.uuid) : (.address, identity.id.uuid)
            views.append(IdentityView(linked: identity, address: try vault.text(identity.addressSealed, part, row: row)))
        }
        return views
    }
}

/// Takes a way in away, but never the last one. The proved address hears of it, also when it goes with the way in.
package struct UnlinkIdentity: Sendable {
    let linked: any LinkedIdentityStore
    let jobSignals: any JobSignals

    package init(linked: any LinkedIdentityStore, jobSignals: any JobSignals) {
        self.linked = linked
        self.jobSignals = jobSignals
    }

    package func run(_ id: IdentityID, origin: RequestOrigin, by member: Member) async throws(DiaryError) {
        switch try await linked.unlink(id, of: member, origin: origin) {
        case .unlinked: jobSignals.jobCommitted(.mail)
        case .missing: throw .notFound
        case .last: throw DiaryError(.lastIdentity)
        }
    }
}
