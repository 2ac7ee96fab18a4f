import DiaryCrypto

@testable package import DiaryCore

extension FeaturePorts {
    /// A stub behind every port. A fixture replaces those it is about: `var ports = try FeaturePorts.stub(); ports.entries = …`.
    package static func stub(tenants: [Tenant] = [Stub.tenant("diary")]) throws -> FeaturePorts {
        guard let ring = Stub.keyRing else { throw DiaryError(.internalError) }
        let store = StubStore()
        let providers = StubProviders()
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))
        return FeaturePorts(
            accounts: store, credentials: store, profiles: store, sessions: store, apiTokens: store, identities: providers,
            linkedIdentities: providers,
            entries: store, wholeEntries: store, speakers: store, searches: store, trash: store, audioRemovals: store, tags: store,
            exports: store, imports: store, exportSchedules: store, erasures: store,
            objects: store, bundler: StubBundler(),
            parts: StubParts(),
            partReceiver: StubParts(), partUploads: StubParts(), tenants: StubTenants(tenants), idempotencyKeys: StubKeys(),
            engines: Stub.engines, signInKeys: keys, memberKeys: keys, serviceKeys: serviceKeys, hasher: NoHasher(),
            passwordCheck: { password, ownWords in
                ownWords.contains { password.contains($0) } ? "must not be made of the account's own words" : nil
            },
            guesses: GuessLimit(limiter: NoLimits(), policy: RatePolicies().guess, serviceKeys: serviceKeys, clock: Stub.clock),
            tokens: TestTokens(), providerTokens: providers, appleNotifications: providers, keepsAppleGrants: true,
            uploadSigner: StubUploads(), uploadVerifier: StubUploads(), partSigner: StubParts(), links: StubLinks(),
            publicURL: "https://diary.example", mailFeedback: StubMailFeedback.ports,
            jobSignals: NoJobSignals(), limits: Limits(), clock: Stub.clock)
    }
}
