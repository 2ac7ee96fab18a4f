import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Logging
import ServiceLifecycle
import Testing
import WireFormats

@testable import DiaryHTTP

/// The whole table on empty ports, to test parsing, rendering and the rules of HTTP. The black-box suite tests the routes on the real
/// ports.
struct StubPorts: Sendable {
    static let export = Export(
        id: ExportID(UUID()), from: .constant("2026-07-01"), to: .constant("2026-07-31"), timeZone: "Europe/<Berlin>", includeAudio: true,
        status: .ready, code: nil,
        mailStatus: .sent, object: UUID(), sizeBytes: 10, entryCount: 3, createdAt: now, readyAt: now, expiresAt: now + 86_400,
        downloads: 2,
        maxDownloads: 5, revokedAt: nil)
    static let owner = TestTokens.member.owner
    static let now = Date(timeIntervalSince1970: 1_783_150_200)
    static let clock = WallClock { now }
    static let keyRing = try? MasterKeyRing(current: "m1", keys: ["m1": SecretBytes([UInt8](repeating: 9, count: 32))])

    /// A valid mailed link.
    static func token(expiresIn seconds: Double = 3600) -> String {
        ExportLink(owner: owner, export: export.id, expiresAt: now + seconds, links: StubLinks()).token
    }

    static func routes(tenants: [Tenant] = [tenant("diary")], redisIsUp: Bool = true, databaseIsUp: Bool = true) throws -> DiaryRoutes {
        let ports = try ports(tenants: tenants)
        return DiaryRoutes(
            features: DiaryFeatures(ports),
            service: ServiceDescription(
                openapi: "openapi: 3.1.0\n", version: "0.0.0",
                readiness: { ["database": databaseIsUp, "keys": true, "redis": redisIsUp, "storage": true] }, jwks: { "{\"keys\":[]}" }),
            limits: ports.limits, publicURL: ports.publicURL)
    }

    private static func ports(tenants: [Tenant]) throws -> FeaturePorts {
        guard let ring = keyRing else { throw DiaryError(.internalError) }
        let none = NoStore()
        let providers = StubProviders()
        let keys = DataKeys(store: StubKeys(ring: ring), ring: ring)
        let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))
        return FeaturePorts(
            accounts: none, credentials: none, profiles: none, sessions: none, identities: providers, linkedIdentities: providers,
            entries: none, exports: none, erasures: none, objects: none, tenants: StubTenants(tenants), signInKeys: keys,
            memberKeys: keys, serviceKeys: serviceKeys, hasher: none,
            passwordCheck: { password, ownWords in
                ownWords.contains { password.contains($0) } ? "must not be made of the account's own words" : nil
            },
            guesses: GuessLimit(limiter: NoLimits(), policy: RatePolicies().guess, serviceKeys: serviceKeys, clock: clock),
            tokens: TestTokens(), providerTokens: providers, appleNotifications: providers, keepsAppleGrants: true, uploadSigner: none,
            uploadVerifier: none, links: StubLinks(), publicURL: "https://diary.example", jobSignals: none, limits: Limits(), clock: clock)
    }

    static func tenant(_ slug: String, suspended: Bool = false) -> Tenant {
        Tenant(
            id: TestTokens.member.tenant, slug: slug, name: "Diary", mailFromName: "Diary", mailFromAddress: "diary@diary.example",
            createdAt: now,
            suspendedAt: suspended ? now : nil)
    }
}

extension CalendarDay {
    fileprivate static func constant(_ text: String) -> CalendarDay {
        guard let day = CalendarDay(text) else { preconditionFailure("not a day: \(text)") }
        return day
    }
}

func withRoutes(_ routes: DiaryRoutes, _ test: @escaping @Sendable (Harness) async throws -> Void) async throws {
    try await withServer(routes: routes.table().routes, { $0.limiter = NoLimits() }, test)
}

struct NoLimits: RateLimiter {
    func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] { [] }
    func refund(_ policies: [RatePolicy], subject: String) async {}
    func forget(_ policy: RatePolicy, subject: String) async {}
}

struct StubTenants: TenantStore {
    let tenants: [Tenant]
    init(_ tenants: [Tenant]) { self.tenants = tenants }
    func tenant(slug: String) async throws(DiaryError) -> Tenant? { tenants.first { $0.slug == slug } }
    func tenant(id: TenantID) async throws(DiaryError) -> Tenant? { tenants.first { $0.id == id } }
    func all() async throws(DiaryError) -> [Tenant] { tenants }
}

struct StubKeys: KeyStore {
    let ring: MasterKeyRing
    static let key = DataKey.generate()
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        do { return try ring.wrap(Self.key, tenant: owner.tenant.uuid, user: owner.user.uuid) } catch { throw DiaryError(.internalError) }
    }
    func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    func destroy(keyOf owner: Owner) async throws(DiaryError) {}
}

struct StubLinks: LinkSigning {
    func sign(purpose: String, fields: [String], expiresAt: Date) -> String {
        Base64URL.encode(SHA256.digest(Array("\(purpose) \(fields) \(expiresAt.timeIntervalSince1970)".utf8)))
    }
    func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool {
        signature == sign(purpose: purpose, fields: fields, expiresAt: expiresAt)
    }
}

/// Has no accounts and no entries, echoes what is created, and has the one export of `StubPorts`, whose zip is `0123456789`.
struct NoStore: Sendable {}

extension NoStore: EntryStore {
    func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome {
        let facts = EntryFacts(
            id: entry.id, kind: entry.kind, status: entry.kind == .voice ? .awaitingUpload : .transcribed, processing: nil,
            recordedAt: entry.recordedAt,
            timeZone: entry.timeZone ?? "UTC", localTime: LocalTime(year: 2026, month: 7, day: 4, hour: 9, minute: 30, second: 0),
            createdAt: StubPorts.now,
            updatedAt: StubPorts.now, deletedAt: nil, durationSeconds: entry.durationSeconds, sizeBytes: entry.sizeBytes,
            contentType: entry.contentType,
            sha256: entry.sha256, language: entry.language, object: entry.object, changeNumber: 1)
        let stored = StoredEntry(facts: facts, personal: SealedColumn(bytes: entry.personal, version: 1), machine: nil)
        return entry.idempotencyHash == nil ? .created(stored) : .replayed(stored)
    }
    func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? { nil }
    func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        .page(EntryPage([], more: false), latest: 7, purgedThrough: 0)
    }
    func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    func rewritePersonal(
        _ id: EntryID, sealed: SealedColumn, expecting version: Int64, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> WriteOutcome {
        .missing
    }
    func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        version == nil ? .missing : .conflict
    }
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState { .awaiting }
    func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool { true }
    func completeUpload(_ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member) async throws(DiaryError) -> CompleteOutcome
    { .missing }
    func retry(_ id: EntryID, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome { .missing }
    func segments(_ id: EntryID, of member: Member) async throws(DiaryError) -> SealedColumn? { nil }
}

extension NoStore: ExportStore {
    func create(_ export: NewExport, by member: Member) async throws(DiaryError) -> ExportCreateOutcome { .created(StubPorts.export) }
    func export(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export? { nil }
    func exports(limit: Int, of member: Member) async throws(DiaryError) -> [Export] { [StubPorts.export] }
    func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) -> Bool { false }
    func linkedExport(_ id: ExportID, of owner: Owner) async throws(DiaryError) -> Export? {
        id == StubPorts.export.id ? StubPorts.export : nil
    }
    func takeDownload(_ id: ExportID, of owner: Owner, requestID: String?) async throws(DiaryError) -> Export? {
        id == StubPorts.export.id ? StubPorts.export : nil
    }
}

extension NoStore: ObjectStore {
    func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8] {
        var digest = SHA256Stream()
        while let piece = try await body.next() { digest.update(piece) }
        return digest.finish()
    }
    func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts { throw .missing }
    func facts(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<ObjectFacts?, ObjectStoreError>] {
        keys.map { _ in .success(nil) }
    }
    func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) { throw .missing }
    func read(_ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey) async throws(ObjectStoreError) -> any ByteStream {
        OnePiece(Array("0123456789".utf8)[Int(range.lowerBound)..<Int(range.upperBound)])
    }
    func promote(_ key: ObjectKey, to final: ObjectKey, sealedBy dataKey: DataKey) async throws(ObjectStoreError) {}
    func delete(_ key: ObjectKey) async throws(ObjectStoreError) {}
    func list(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage { ObjectPage(keys: [], next: nil) }
    func count(of owner: Owner) async throws(ObjectStoreError) -> Int { 0 }
    func removeAll(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int { 0 }
}

actor OnePiece: ByteStream {
    private var piece: [UInt8]?
    init(_ piece: ArraySlice<UInt8>) { self.piece = Array(piece) }
    func next() async throws -> [UInt8]? {
        defer { piece = nil }
        return piece
    }
}

extension NoStore: AccountStore, ProfileStore {
    func register(_ account: NewAccount, code: NewCode, mail: QueuedMail) async throws(DiaryError) -> Bool { true }
    func emailIdentity(_ hash: [UInt8], tenant: TenantID) async throws(DiaryError) -> EmailIdentity? { nil }
    func issueCode(
        _ code: NewCode, _ signUp: SignUp, mail: QueuedMail, to owner: Owner, limits: Limits
    ) async throws(DiaryError) -> Bool { true }
    func reissueCode(_ code: NewCode, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool { true }
    func queue(_ mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError) {}
    func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool { false }
    func openSession(
        _ session: NewSession, for owner: Owner, by verified: String, rehashed: (emailHash: [UInt8], phc: String)?
    ) async throws(DiaryError) -> Bool { false }
    func rotate(_ session: SessionID, of owner: Owner, _ rotation: Rotation) async throws(DiaryError) -> RotationOutcome { .refused }
    func endReused(_ session: SessionID, of owner: Owner, requestID: String?) async throws(DiaryError) {}
    func check(timeZone: String) async throws(DiaryError) {}
    func profile(of member: Member) async throws(DiaryError) -> StoredProfile { throw DiaryError.unavailable(cause: "08006") }
    func change(_ patch: StoredProfilePatch, keyID: UUID?, by member: Member) async throws(DiaryError) -> StoredProfile {
        throw DiaryError.unavailable(cause: "08006")
    }
    func statistics(of member: Member) async throws(DiaryError) -> AccountStatistics {
        AccountStatistics(entries: 3, durationSeconds: 12.5, sizeBytes: 4_000)
    }
    func events(before position: EventPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [AuditEvent] {
        Array(
            repeating: AuditEvent(id: UUID(), at: StubPorts.now, kind: .signedIn, actor: .member, session: nil, requestID: "r"),
            count: min(limit, 3))
    }
}

extension NoStore: SessionStore, CredentialStore {
    func sessions(of member: Member) async throws(DiaryError) -> [StoredSession] {
        [
            StoredSession(
                id: member.session, deviceSealed: nil, placeSealed: [1, 2, 3], createdAt: StubPorts.now, lastUsedAt: StubPorts.now,
                provedAt: StubPorts.now)
        ]
    }
    func end(_ session: SessionID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool { session == member.session }
    func endAll(keepingOwn: Bool, by member: Member, requestID: String?) async throws(DiaryError) {}
    func mailCode(
        _ code: AccountCode, mail: QueuedMail, to owner: Owner, asker: CodeAsker, limits: Limits
    ) async throws(DiaryError) -> Bool { false }
    func signIn(_ code: ShownCode, of owner: Owner, session: NewSession) async throws(DiaryError) -> Bool { false }
    func reset(
        _ code: ShownCode, of owner: Owner, passwordPHC: String, session: NewSession, mail: QueuedMail
    ) async throws(DiaryError) -> Bool { false }
    func credentials(of member: Member, freshSeconds: Int) async throws(DiaryError) -> MemberCredentials {
        MemberCredentials(passwordPHC: nil, emailSealed: nil, addressIsProved: false, isFresh: false)
    }
    func prove(_ member: Member) async throws(DiaryError) {}
    func prove(_ member: Member, by code: ShownCode) async throws(DiaryError) -> Bool { false }
    func changePassword(
        _ passwordPHC: String, replacing verified: String?, by member: Member, session: NewSession, mail: QueuedMail?
    ) async throws(DiaryError) -> Bool { false }
    func changeAddress(_ code: ShownCode, by member: Member, mail: QueuedMail?, requestID: String?) async throws(DiaryError) -> Bool {
        false
    }
}

extension NoStore: ErasureStore {
    func passwordHash(of member: Member) async throws(DiaryError) -> String? { nil }
    /// No session is fresh.
    func request(_ deletion: NewDeletion, proved: Bool, by member: Member, origin: RequestOrigin) async throws(DiaryError) -> Date? { nil }
    func deletion(receiptHash: [UInt8]) async throws(DiaryError) -> Deletion? { nil }
}

extension NoStore: PasswordHasher, JobSignals, UploadSigner, UploadVerifying {
    func hash(_ password: String) async throws(HasherBusy) -> String { "$argon2id$" }
    func verify(_ password: String, against phc: String?) async throws(HasherBusy) -> Bool { false }
    func needsRehash(_ phc: String) -> Bool { false }
    func jobCommitted(_ kind: JobKind) {}
    func waitForWork(_ kinds: [JobKind], timeout: Double) async {}
    func sign(_ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double) -> UploadTarget {
        UploadTarget(
            url: "https://diary.example/objects/\(key)?X-Amz-Signature=0", headers: [("Content-Type", contentType)],
            expiresAt: now + lifetime)
    }
    /// Accepts any query; the grant follows from the path and the headers.
    func verify(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(DiaryError) -> UploadGrant {
        guard query == "X-Amz-Signature=0", let key = ObjectKey(path: path.dropFirst("/objects/".count)),
            let length = headers.first(where: { $0.name.lowercased() == "content-length" }).flatMap({ Int64($0.value) })
        else { throw DiaryError(.uploadRefused) }
        return UploadGrant(key: key, contentType: "audio/mp4", length: length, sha256: nil)
    }
}
