/// Sign-in by Apple and Google, the identities linked to an account, and Apple's notifications.
package struct IdentityFeature: Sendable {
    package let challenge: IssueChallenge
    package let signIn: SignInWithProvider
    package let list: ListIdentities
    package let link: LinkIdentity
    package let unlink: UnlinkIdentity
    package let handleNotification: HandleAppleNotification

    init(_ ports: FeaturePorts) {
        let identities = ports.identities
        let proofs = ProviderProofs(
            tokens: ports.providerTokens, serviceKeys: ports.serviceKeys, grants: GrantVault(ports.serviceKeys),
            keepsAppleGrants: ports.keepsAppleGrants, clock: ports.clock)
        challenge = IssueChallenge(
            identities: identities, serviceKeys: ports.serviceKeys, limits: ports.limits, clock: ports.clock)
        signIn = SignInWithProvider(identities: identities, proofs: proofs, keys: ports.signInKeys, issuer: ports.issuer)
        list = ListIdentities(linked: ports.linkedIdentities, keys: ports.memberKeys)
        link = LinkIdentity(
            identities: identities, own: list, proofs: proofs, keys: ports.memberKeys, tenants: ports.tenants,
            jobSignals: ports.jobSignals, clock: ports.clock, writes: ports.idempotentWrites)
        unlink = UnlinkIdentity(linked: ports.linkedIdentities, jobSignals: ports.jobSignals)
        handleNotification = HandleAppleNotification(
            identities: identities, tenants: ports.tenants, reader: ports.appleNotifications, serviceKeys: ports.serviceKeys,
            clock: ports.clock)
    }
}

extension DiaryFeatures {
    package var identities: IdentityFeature { IdentityFeature(ports) }
}
