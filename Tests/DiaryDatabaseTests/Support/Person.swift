import DiaryCrypto
import DiaryTesting
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// A user with an account and an open session, inserted by the superuser.
struct Person: Sendable {
    let member: Member
    let keyID: UUID
    let emailHash: [UInt8]
    let refreshHash: [UInt8]

    var owner: Owner { member.owner }

    /// - Parameters:
    ///   - tenant: a new tenant when nil.
    ///   - user: a new id when nil; the same id may live in two tenants.
    static func make(
        in database: MigratedDatabase, tenant: TenantID? = nil, user: UserID? = nil, verified: Bool = true,
        timeZone: String = "Europe/Berlin"
    ) async throws -> Person {
        let person = Person(
            member: Member(tenant: tenant ?? TenantID(UUID()), user: user ?? UserID(UUID()), session: SessionID(UUID())), keyID: UUID(),
            emailHash: SecureRandom.bytes(32), refreshHash: SecureRandom.bytes(32))
        let named = person.owner.parameters
        var statements: [Statement] = []
        if tenant == nil {
            statements.append(
                Statement(
                    "insert into tenants (id, slug, name, mail_from_name, mail_from_address) values ($1, $2, 'App', 'App', 'app@example.org')",
                    [.uuid(person.member.tenant.uuid), .text("t" + person.member.tenant.description.replacing("-", with: ""))]))
        }
        statements += [
            Statement(
                "insert into users (tenant_id, id, email_sealed, name_sealed, time_zone) values ($1, $2, 'sealed', 'sealed', $3)",
                named + [.text(timeZone)]),
            Statement("insert into user_sync (tenant_id, user_id, key_id) values ($1, $2, $3)", named + [.uuid(person.keyID)]),
            Statement(
                """
                insert into identities (tenant_id, user_id, issuer, subject_hash, password_phc, verified_at)
                values ($1, $2, 'email', $3, 'phc-of-the-account', case when $4 then clock_timestamp() end)
                """, named + [.bytes(person.emailHash), .bool(verified)]),
            Statement(
                """
                insert into sessions (tenant_id, user_id, id, expires_at, idle_expires_at, refresh_number, refresh_hash)
                values ($1, $2, $3, clock_timestamp() + interval '90 days', clock_timestamp() + interval '30 days', 1, $4)
                """, named + [.uuid(person.member.session.uuid), .bytes(person.refreshHash)]),
        ]
        _ = try await database.superuser.run(statements)
        return person
    }

    func text(
        _ id: EntryID = EntryID(UUIDv7.make()), at date: Date = Date(timeIntervalSince1970: 1_780_000_000), zone: String? = "Europe/Berlin",
        request: [UInt8] = [1], idempotency: [UInt8]? = nil
    ) -> NewEntry {
        NewEntry(
            id: id, recordedAt: date, facts: GivenFacts(kind: .text, timeZone: zone), object: nil, keyID: keyID, personal: [7, 7],
            requestHash: request, idempotencyHash: idempotency)
    }

    func voice(_ id: EntryID = EntryID(UUIDv7.make()), size: Int64 = 1_000, request: [UInt8] = [1], idempotency: [UInt8]? = nil) -> NewEntry
    {
        NewEntry(
            id: id, recordedAt: Date(timeIntervalSince1970: 1_780_000_000),
            facts: GivenFacts(
                kind: .voice, timeZone: "Europe/Berlin", durationSeconds: 3, sizeBytes: size, contentType: "audio/mp4",
                sha256: SecureRandom.bytes(32), language: "de"), object: UUID(), keyID: keyID,
            personal: [7, 7], requestHash: request, idempotencyHash: idempotency)
    }

    /// A recording that is compared with those the account has.
    func unique(_ id: EntryID = EntryID(UUIDv7.make()), digest: [UInt8], request: [UInt8] = [1], idempotency: [UInt8]? = nil) -> NewEntry {
        var entry = voice(id, request: request, idempotency: idempotency)
        (entry.facts.sha256, entry.uniqueDigest) = (digest, digest)
        return entry
    }

    func mail(_ kind: MailKind = .verificationCode, subject: UUID? = nil) -> QueuedMail {
        QueuedMail(id: MailID(UUIDv7.make()), kind: kind, payload: [5, 5, 5], keyID: keyID, subject: subject)
    }

    /// A mail asked for again.
    func again(_ id: ExportID) -> ExportMailRequest {
        ExportMailRequest(export: id, mail: MailID(UUIDv7.make()), job: NewJob(.mail))
    }

    func export(
        _ id: ExportID = ExportID(UUIDv7.make()), request: [UInt8] = [1], idempotency: [UInt8]? = nil, mail: Bool? = nil
    ) throws -> NewExport {
        NewExport(
            id: id, selection: RequestedSelection(.days(try day("2026-01-01"), try day("2026-12-31"))), contents: ExportContents(),
            maxDownloads: 2,
            job: NewJob(.export), requestHash: request, idempotencyHash: idempotency, mail: mail)
    }
}

struct NotWhatWasExpected: Error {}

func day(_ text: String) throws -> CalendarDay {
    guard let day = CalendarDay(text) else { throw NotWhatWasExpected() }
    return day
}

/// Runs an operation many times concurrently.
/// - Returns: all answers, in the order of the numbers.
func parallel<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (number: Int, answer: Value).self) { group in
        for number in 0..<count { group.addTask { (number, try await body(number)) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.number < $1.number }.map(\.answer)
    }
}

/// The error of a store's call that must fail.
func refusal<Value, Refusal: Error>(_ body: () async throws(Refusal) -> Value) async -> Refusal? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension CreateOutcome {
    var name: String {
        switch self {
        case .created: "created"
        case .replayed: "replayed"
        case .keyReused: "keyReused"
        case .idTaken: "idTaken"
        case .deleted: "deleted"
        }
    }

    var entry: StoredEntry? {
        switch self {
        case .created(let entry), .replayed(let entry): entry
        case .keyReused, .idTaken, .deleted: nil
        }
    }
}

extension StoredWrite {
    var name: String {
        switch self {
        case .written: "written"
        case .missing: "missing"
        case .conflict: "conflict"
        }
    }

    var written: Written? { if case .written(let written) = self { written } else { nil } }
}

extension WriteOutcome {
    /// Written, or in the way of the write.
    var entry: StoredEntry? { if case .conflict(let entry) = self { entry } else { written } }
}

extension RemovalOutcome {
    /// Written, or in the way of the write.
    var entry: StoredEntry? { if case .conflict(let entry) = self { entry } else { written?.entry } }
}

extension Person {
    /// Gives its account a key that seals.
    func keys(in database: MigratedDatabase) async throws -> (keys: DataKeys, vault: Vault) {
        let ring = try #require(Stub.keyRing)
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let vault = try await keys.vault(of: member)
        try await database.change("update user_sync set key_id = $2 where user_id = $1", .uuid(owner.user.uuid), .uuid(vault.key.id))
        return (keys, vault)
    }
}

extension CompleteOutcome {
    var name: String {
        switch self {
        case .enqueued: "enqueued"
        case .already: "already"
        case .missing: "missing"
        }
    }
}

extension ExportCreateOutcome {
    var name: String {
        switch self {
        case .created: "created"
        case .replayed: "replayed"
        case .keyReused: "keyReused"
        case .addressNotVerified: "addressNotVerified"
        case .refused(let fault): "\(fault)"
        }
    }

    var export: Export? {
        switch self {
        case .created(let export), .replayed(let export): export
        case .keyReused, .addressNotVerified, .refused: nil
        }
    }
}
