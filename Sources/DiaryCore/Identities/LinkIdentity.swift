import FoundationEssentials

/// Adds sign-in by Apple or Google to the member's account.
package struct LinkIdentity: Sendable {
    let identities: any IdentityStore
    let own: ListIdentities
    let proofs: ProviderProofs
    let keys: DataKeys
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let clock: WallClock
    let writes: IdempotentWrites

    package struct Linked: Sendable {
        package var identity: IdentityView
        /// False when it was linked already by another request. The challenge is not consumed then.
        package var isNew: Bool
    }

    package func run(
        _ answer: ProviderAnswer, key: RequestKey = .none, origin: RequestOrigin, by member: Member
    ) async throws(DiaryError) -> (value: Linked, replayed: Bool) {
        let request = [answer.provider.rawValue, answer.idToken, answer.nonce]
        return try await writes.run(.identity, key, request: request, subject: member.user.uuid, by: member) { claim throws(DiaryError) in
            try await link(answer, claim, origin, by: member)
        } replay: { known throws(DiaryError) in
            guard let found = try await own.run(member).first(where: { $0.linked.id.uuid == known.subject }) else { throw .notFound }
            return Linked(identity: found, isNew: true)
        }
    }

    private func link(
        _ answer: ProviderAnswer, _ claim: KeyClaim?, _ origin: RequestOrigin, by member: Member
    ) async throws(DiaryError) -> Linked {
        // The session is checked first, because the checks below would give an ended one other answers.
        let account = try await identities.address(of: member)
        guard let tenant = try await tenants.tenant(id: member.tenant) else { throw .unauthorized }
        let proof = try await proofs.prove(answer, in: tenant)
        let vault = try await keys.vault(of: member)
        for _ in 0..<2 {
            let lookup = try await identities.find(proof.subject, addressHash: nil, challengeHash: proof.challengeHash)
            guard lookup.challengeLives else { throw DiaryError(.tokenRefused) }
            if let known = lookup.known {
                guard known.owner == member.owner else { throw DiaryError(.identityTaken) }
                return Linked(identity: try await view(known.id, member), isNew: false)
            }
            var link = try link(proof, answer, account, vault, origin)
            link.claim = claim
            link.claim?.subject = link.identity.id.uuid
            if try await identities.link(link, to: member) {
                jobSignals.jobCommitted(.mail)
                return Linked(identity: try await view(link.identity.id, member), isNew: true)
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
