import FoundationEssentials

/// Sign-in by Apple and Google, the identities linked to an account, and Apple's notifications.
package struct IdentityFeature: Sendable {
    package let challenge: IssueChallenge
    package let signIn: SignInWithProvider
    package let list: ListIdentities
    package let link: LinkIdentity
    package let handleNotification: HandleAppleNotification
    let linked: any LinkedIdentityStore
    let jobSignals: any JobSignals

    init(_ ports: FeaturePorts) {
        let identities = ports.identities
        linked = ports.linkedIdentities
        jobSignals = ports.jobSignals
        let proofs = ProviderProofs(
            tokens: ports.providerTokens, serviceKeys: ports.serviceKeys, grants: GrantVault(ports.serviceKeys),
            keepsAppleGrants: ports.keepsAppleGrants, clock: ports.clock)
        challenge = IssueChallenge(
            identities: identities, serviceKeys: ports.serviceKeys, limits: ports.limits, clock: ports.clock)
        signIn = SignInWithProvider(identities: identities, proofs: proofs, keys: ports.signInKeys, issuer: ports.issuer)
        list = ListIdentities(linked: linked, keys: ports.memberKeys)
        link = LinkIdentity(
            identities: identities, own: list, proofs: proofs, keys: ports.memberKeys, tenants: ports.tenants,
            jobSignals: jobSignals, clock: ports.clock, writes: ports.idempotentWrites)
        handleNotification = HandleAppleNotification(
            identities: identities, tenants: ports.tenants, reader: ports.appleNotifications, serviceKeys: ports.serviceKeys,
            clock: ports.clock)
    }

    /// Removes a sign-in method, but never the last one. The proved address is notified, also when it is removed with the method.
    package func unlink(_ id: IdentityID, origin: RequestOrigin, by member: Member) async throws(DiaryError) {
        switch try await linked.unlink(id, of: member, origin: origin) {
        case .unlinked: jobSignals.jobCommitted(.mail)
        case .missing: throw .notFound
        case .last: throw DiaryError(.lastIdentity)
        }
    }
}

extension DiaryFeatures {
    package var identities: IdentityFeature { IdentityFeature(ports) }
}

/// The sign-in methods of a member's account, oldest first.
package struct ListIdentities: Sendable {
    let linked: any LinkedIdentityStore
    let keys: DataKeys

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
