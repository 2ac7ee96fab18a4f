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

    /// - Returns: the identity, and whether it is new. For one that is linked already the challenge is not consumed.
    package func run(
        _ answer: ProviderAnswer, origin: RequestOrigin, by member: Member
    ) async throws(DiaryError) -> (identity: IdentityView, isNew: Bool) {
        // The session is checked first, because the checks below would give an ended one other answers.
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
