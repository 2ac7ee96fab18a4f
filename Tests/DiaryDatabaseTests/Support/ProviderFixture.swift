import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import PostgresClient

@testable import DiaryDatabase

/// An app that accepts Apple and Google, and its use cases on the real stores. Only the providers' signatures are replaced: a token is
/// a text with the provider's claims.
struct ProviderFixture: Sendable {
    let database: MigratedDatabase
    let tenant: Tenant
    let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))
    let keys: DataKeys
    let identities: PostgresIdentityStore
    let accounts: PostgresSignInStore
    let features: DiaryFeatures

    var list: ListIdentities { features.identities.list }
    var signIn: SignInWithProvider { features.identities.signIn }
    var link: LinkIdentity { features.identities.link }
    var handle: HandleAppleNotification { features.identities.handleNotification }

    static func make(in given: MigratedDatabase? = nil) async throws -> ProviderFixture {
        let database: MigratedDatabase
        if let given { database = given } else { database = try await MigratedDatabase.shared() }
        return try ProviderFixture(database, tenant: try await Person.make(in: database).owner.tenant)
    }

    init(_ database: MigratedDatabase, tenant id: TenantID) throws {
        self.database = database
        var tenant = Tenant(
            id: id, slug: "app", name: "App", mailFromName: "App", mailFromAddress: "a@example.org", createdAt: Date(), suspendedAt: nil)
        tenant.appleClientIDs = ["apple.client"]
        tenant.googleClientIDs = ["google.client"]
        self.tenant = tenant
        let ring = try MasterKeyRing(current: "m", keys: ["m": SecretBytes([UInt8](repeating: 9, count: 32))])
        keys = DataKeys(store: PostgresKeyStore(pool: try database.keyPool(.auth)), ring: ring)
        identities = PostgresIdentityStore(pool: try database.pool(.auth))
        accounts = PostgresSignInStore(pool: try database.pool(.auth))
        features = try AppPorts(
            database: database, tenant: tenant, keys: keys, serviceKeys: serviceKeys, hasher: NoHasher(), limiter: ClosableLimiter()
        ).features()
    }

    static let origin = RequestOrigin(requestID: "test")

    func nonce() async throws -> String {
        try await features.identities.challenge.run(in: tenant).nonce
    }

    func form(_ said: Said, nonce: String, code: String? = nil) -> SignInWithProvider.Form {
        SignInWithProvider.Form(
            answer: ProviderAnswer(provider: said.provider, idToken: said.text, nonce: nonce, authorizationCode: code), device: "phone",
            name: "Anna", timeZone: nil, locale: nil)
    }

    /// Signs in with a nonce of its own.
    func enter(_ said: Said, code: String? = nil) async throws -> Member {
        let tokens = try await signIn.run(form(said, nonce: try await nonce(), code: code), origin: Self.origin, in: tenant)
        return Member(tenant: tenant.id, user: tokens.user, session: tokens.session)
    }

    func add(_ said: Said, to member: Member) async throws -> IdentityView {
        let answer = ProviderAnswer(provider: said.provider, idToken: said.text, nonce: try await nonce(), authorizationCode: nil)
        return try await link.run(answer, origin: Self.origin, by: member).value.identity
    }

    /// A sign-up by mail; its code is in the queued mail.
    func register(_ address: String) async throws -> WaitingSignUp {
        guard let email = MailAddress(address) else { throw NotWhatWasExpected() }
        let registration = try await features.signIn.register.run(
            .init(email: email, password: "a quiet river in 1904", name: nil, timeZone: nil, locale: nil), from: Self.origin, in: tenant)
        return WaitingSignUp(email: email, registration: registration)
    }

    func verify(_ waiting: WaitingSignUp) async throws -> Member {
        let hash = serviceKeys.addressHash(waiting.email.normalised, tenant: tenant.id)
        guard let known = try await accounts.emailIdentity(hash, tenant: tenant.id) else { throw NotWhatWasExpected() }
        let vault = try await keys.vault(of: known.owner)
        let rows = try await database.superuser.run([
            Statement("select id, payload from mails where user_id = $1 order by created_at desc limit 1", [.uuid(known.owner.user.uuid)])
        ])
        guard let mail = rows.first(0) else { throw NotWhatWasExpected() }
        let payload = try vault.open(MailPayload.self, try mail.bytes(1), as: .payload, row: try mail.uuid(0))
        let tokens = try await features.signIn.verify.run(
            waiting.email, code: payload.code ?? "", registration: waiting.registration, device: nil,
            from: RequestOrigin(requestID: "verify"), in: tenant)
        return Member(tenant: tenant.id, user: tokens.user, session: tokens.session)
    }

    func isProved(_ member: Member) async throws -> Bool {
        try await database.text(
            "select address_is_proved($1, $2)::text", .uuid(member.tenant.uuid), .uuid(member.user.uuid)) == "true"
    }

    func address(_ member: Member) async throws -> String? {
        try await features.account.profile(of: member).email
    }

    func events(_ member: Member) async throws -> String {
        try await database.text(
            "select string_agg(kind, ' ' order by at, kind) from audit_events where user_id = $1", .uuid(member.user.uuid)) ?? ""
    }
}

struct WaitingSignUp: Sendable {
    let email: MailAddress
    let registration: Registration
}

/// A provider's claims about a user.
struct Said: Sendable {
    var provider: IdentityProvider
    var subject: String
    var address: String?
    /// The provider runs the mailbox.
    var owns = false

    var text: String { "\(subject) \(address ?? "-") \(owns)" }

    static func apple(_ subject: String, _ address: String? = nil, owns: Bool = false) -> Said {
        Said(provider: .apple, subject: subject, address: address, owns: owns)
    }

    static func google(_ subject: String, _ address: String? = nil, owns: Bool = false) -> Said {
        Said(provider: .google, subject: subject, address: address, owns: owns)
    }
}

struct SaidTokens: ProviderTokens, AppleNotificationReading {
    func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims {
        let words = answer.idToken.split(separator: " ").map(String.init)
        guard words.count == 3, let audience = audiences.first else { throw DiaryError(.tokenRefused) }
        return ProviderClaims(
            provider: answer.provider, subject: words[0], audience: audience, address: MailAddress(words[1]),
            ownsAddress: words[2] == "true")
    }

    /// `id subject kind`, dated a minute ahead, so that all existing rows are older than the event.
    func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification {
        let words = token.split(separator: " ").map(String.init)
        let kinds: [String: AppleNotification.Kind] = [
            "disabled": .emailDisabled, "enabled": .emailEnabled, "revoked": .consentRevoked, "deleted": .accountDeleted,
        ]
        guard words.count == 3, let kind = kinds[words[2]], let audience = audiences.first else { throw DiaryError(.tokenRefused) }
        return AppleNotification(
            id: words[0], audience: audience, kind: kind, subject: words[1], address: nil, happenedAt: now + 60, expiresAt: now + 3600)
    }
}
