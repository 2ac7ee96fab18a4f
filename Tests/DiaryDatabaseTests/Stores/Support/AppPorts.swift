import DiaryCore
import DiaryCrypto
import Foundation

@testable import DiaryDatabase

/// The features of the API on the real stores, wired as the application wires them. Providers' signatures, tokens, objects and signed URLs
/// are doubles.
struct AppPorts: Sendable {
    let database: MigratedDatabase
    let tenant: Tenant
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    var hasher: any PasswordHasher
    var limiter: any RateLimiter

    func features() throws -> DiaryFeatures {
        let auth = try database.pool(.auth)
        let api = try database.pool(.api)
        let providers = SaidTokens()
        let none = NoObjects()
        return DiaryFeatures(
            FeaturePorts(
                accounts: PostgresAccountStore(pool: auth), credentials: PostgresCredentialStore(pool: auth),
                profiles: PostgresProfileStore(pool: api), sessions: PostgresSessionStore(pool: api),
                identities: PostgresIdentityStore(pool: auth), linkedIdentities: PostgresLinkedIdentityStore(pool: api),
                entries: PostgresEntryStore(pool: api), exports: PostgresExportStore(pool: api), erasures: PostgresErasureStore(pool: api),
                objects: none, tenants: OneTenant(tenant: tenant), signInKeys: keys, memberKeys: keys, serviceKeys: serviceKeys,
                hasher: hasher,
                passwordCheck: { password, ownWords in ownWords.contains(password) ? "is your own address" : nil },
                guesses: GuessLimit(
                    limiter: limiter, policy: RatePolicy(name: "guesses", shape: .backoff(free: 5, first: 1, longest: 900)),
                    serviceKeys: serviceKeys, clock: .system),
                tokens: PlainTokens(), providerTokens: providers, appleNotifications: providers, keepsAppleGrants: true,
                uploadSigner: none, uploadVerifier: none, links: none, publicURL: "https://diary.example", jobSignals: NoJobSignals(),
                limits: Limits(), clock: .system))
    }
}

/// An object store that is always unavailable, and signs nothing.
struct NoObjects: ObjectStore, UploadSigner, UploadVerifying, LinkSigning {
    func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8] { throw ObjectStoreError.unavailable(full: false) }
    func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts { throw .missing }
    func facts(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<ObjectFacts?, ObjectStoreError>] {
        keys.map { _ in .success(nil) }
    }
    func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) { throw .missing }
    func read(_ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey) async throws(ObjectStoreError) -> any ByteStream {
        throw .missing
    }
    func promote(_ key: ObjectKey, to final: ObjectKey, sealedBy dataKey: DataKey) async throws(ObjectStoreError) { throw .missing }
    func delete(_ key: ObjectKey) async throws(ObjectStoreError) {}
    func list(_ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        throw .unavailable(full: false)
    }
    func count(of owner: Owner) async throws(ObjectStoreError) -> Int { 0 }
    func removeAll(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int { 0 }
    func sign(_ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double) -> UploadTarget {
        UploadTarget(url: "https://diary.example/objects/\(key)", headers: [], expiresAt: now + lifetime)
    }
    func verify(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(DiaryError) -> UploadGrant { throw DiaryError(.uploadRefused) }
    func sign(purpose: String, fields: [String], expiresAt: Date) -> String { "" }
    func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool { false }
}
