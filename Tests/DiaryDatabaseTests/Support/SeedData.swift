import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient

@testable import DiaryDatabase

/// A user with rows in every table, and a leased job of each kind. Rows that one probe alone reads are inserted by it (`Probe.seed`).
struct SeedData: Sendable {
    let person: Person
    let text = EntryID(UUID())
    let awaiting = EntryID(UUID())
    let awaited = UUID()
    let failed = EntryID(UUID())
    /// Failed likewise, and at a later stage for the probe that asks for a run.
    let refused = EntryID(UUID())
    /// One under each kind of job that works on an entry.
    let worked = Dictionary(uniqueKeysWithValues: JobCatalogue.diary.stages.map { ($0, EntryID(UUID())) })
    /// The recording of which a part was heard.
    let heard = UUID()
    /// The copy of a recording.
    let copied = UUID()
    let ready = ExportID(UUID())
    /// Ready, in two parts, and the object of the first.
    let inParts = ExportID(UUID())
    let part = UUID()
    /// Being built, in two parts.
    let queued = ExportID(UUID())
    let mail = MailID(UUID())
    /// One that waits for its zip, in parts, and one under its job.
    let announced = ImportID(UUID())
    let announcedZip = UUID()
    let importing = ImportID(UUID())
    /// Due, with the ready export as its only one.
    let schedule = ExportScheduleID(UUID())
    /// Apple, linked beside the address, with a token that is due to be revoked.
    let apple = IdentityID(UUID())
    let appleHash = SecureRandom.bytes(32)
    let challenge = SecureRandom.bytes(32)
    /// Recordings in the trash, with and without time left there; finished ones, with their audio and without.
    let trashed = EntryID(UUID())
    let trashedObject = UUID()
    let ended = EntryID(UUID())
    let finished = EntryID(UUID())
    let removed = EntryID(UUID())
    /// Waits for a job that is not there.
    let stranded = EntryID(UUID())
    let jobs: [JobKind: LeasedJob]
    let code: [UInt8] = [1, 2, 3, 4]
    let loginCode: [UInt8] = [11]
    let resetCode: [UInt8] = [12]
    let addressCode: [UInt8] = [13]
    let proofCode: [UInt8] = [14]

    static func make(in database: MigratedDatabase, tenant: TenantID? = nil, user: UserID? = nil) async throws -> SeedData {
        let seedData = SeedData(person: try await Person.make(in: database, tenant: tenant, user: user, verified: false))
        let named = seedData.person.owner.parameters
        let key = Parameter.uuid(seedData.person.keyID)
        func entry(_ id: EntryID, _ status: String, kind: String = "voice", object: UUID = UUID(), number: Int64) -> Statement {
            Statement(
                """
                insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, size_bytes, content_type,
                    object_id, request_hash, key_id, personal, personal_version, stage, stage_code, created_at)
                values ($1, $2, $3, $4, $5, $6, '2026-06-01T12:00:00Z', 'UTC', '2026-06-01T12:00:00', 5, 'audio/mp4', $8, '\\x01', $7, 'sealed', 1,
                    'verify', case when $5 = 'failed' then 'speech_unavailable' end, clock_timestamp() - interval '2 days')
                """, named + [.uuid(id.uuid), .text(kind), .text(status), .int(number), key, .uuid(object)])
        }
        func export(_ id: ExportID, _ status: String) -> Statement {
            Statement(
                """
                insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, status, expires_at, max_downloads, request_hash)
                values ($1, $2, $3, '2026-01-01', '2026-12-31', 'UTC', true, $4, clock_timestamp() + interval '1 hour', 5, '\\x01')
                """, named + [.uuid(id.uuid), .text(status)])
        }
        var statements = [
            entry(seedData.text, "transcribed", kind: "text", number: 1),
            entry(seedData.awaiting, "awaiting_upload", object: seedData.awaited, number: 2),
            entry(seedData.failed, "failed", number: 3), entry(seedData.refused, "failed", number: 4),
            entry(seedData.stranded, "uploaded", number: 0), export(seedData.ready, "ready"),
            export(seedData.queued, "building"),
            export(seedData.inParts, "ready"),
            Statement(
                "update exports set work_object_id = gen_random_uuid() where tenant_id = $1 and user_id = $2 and id = $3",
                named + [.uuid(seedData.queued.uuid)]),
            Statement(
                """
                insert into export_parts (tenant_id, user_id, export_id, number, entry_count, object_id, size_bytes)
                select $1, $2, x.id, n, 1, case when x.id = $3 and n = 1 then $4 when x.id <> $5 then gen_random_uuid() end,
                    case when x.id <> $5 then 9 end
                from unnest(array[$3, $5, $6]::uuid[]) x (id), generate_series(1, case when x.id = $6 then 1 else 2 end) n
                """,
                named + [.uuid(seedData.inParts.uuid), .uuid(seedData.part), .uuid(seedData.queued.uuid), .uuid(seedData.ready.uuid)]),
            Statement(
                "update user_sync set change_number = $3 where tenant_id = $1 and user_id = $2", named + [.int(4 + seedData.worked.count)]),
            Statement(
                "insert into email_codes (tenant_id, user_id, id, purpose, code_hash, registration_hash, password_phc, expires_at) values ($1, $2, $3, 'verify', $4, '\\x08', 'phc', clock_timestamp() + interval '1 hour')",
                named + [.uuid(UUID()), .bytes(seedData.code)]),
            Statement(
                """
                insert into identities (tenant_id, user_id, id, issuer, subject_hash, address_sealed, proves_address, verified_at)
                values ($1, $2, $3, 'apple', $4, 'sealed', false, clock_timestamp())
                """, named + [.uuid(seedData.apple.uuid), .bytes(seedData.appleHash)]),
            Statement(
                """
                insert into apple_grants (tenant_id, user_id, identity_id, client_id, subject_hash, code_sealed, code_at, token_sealed, revoke_requested_at,
                    next_attempt_at)
                values ($1, $2, $3, 'client', $4, 'code', clock_timestamp(), 'token', clock_timestamp(), clock_timestamp() + interval '1 hour')
                """, named + [.uuid(seedData.apple.uuid), .bytes(seedData.appleHash)]),
            Statement(
                "insert into sign_in_challenges (tenant_id, nonce_hash, expires_at) values ($1, $2, clock_timestamp() + interval '1 hour')",
                [.uuid(seedData.person.owner.tenant.uuid), .bytes(seedData.challenge)]),
            Statement(
                "insert into mails (tenant_id, user_id, id, kind, payload, key_id, subject) values ($1, $2, $3, 'export_ready', 'sealed', $4, $5)",
                named + [.uuid(seedData.mail.uuid), key, .uuid(seedData.ready.uuid)]),
        ]
        statements += seedData.scheduled
        let codes = [
            ("login", seedData.loginCode), ("reset", seedData.resetCode), ("address", seedData.addressCode),
            ("reauthenticate", seedData.proofCode),
        ]
        for (purpose, hash) in codes {
            statements.append(
                Statement(
                    """
                    insert into email_codes (tenant_id, user_id, id, purpose, code_hash, registration_hash, expires_at, new_subject_hash, new_address_sealed)
                    values ($1, $2, $3, $4, $5, '\\x08', clock_timestamp() + interval '1 hour', case when $4 = 'address' then $6 end,
                        case when $4 = 'address' then 'sealed'::bytea end)
                    """, named + [.uuid(UUID()), .text(purpose), .bytes(hash), .bytes(SecureRandom.bytes(32))]))
        }
        statements += seedData.retained
        for (number, pair) in seedData.worked.enumerated() {
            statements.append(entry(pair.value, "uploaded", number: Int64(number) + 5))
            statements.append(
                Statement(
                    "insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id) values ($1, $2, $3, 'sealed', 1, $4)",
                    named + [.uuid(pair.value.uuid), key]))
        }
        statements.append(
            Statement(
                """
                insert into entry_revisions (tenant_id, user_id, entry_id, layer, number, sealed, key_id)
                values ($1, $2, $3, 'edited', 1, 'sealed', $4)
                """, named + [.uuid(seedData.text.uuid), key]))
        if let cleaned = seedData.worked[.clean] {
            statements.append(
                Statement(
                    """
                    insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, key_id)
                    values ($1, $2, $3, 'sealed', 1, 1, $4)
                    """, named + [.uuid(cleaned.uuid), key]))
        }
        if let entry = seedData.worked[.transcribe] {
            statements.append(
                Statement(
                    """
                    insert into speech_parts (tenant_id, user_id, entry_id, object_id, engine, part, from_ms, to_ms, sealed, key_id)
                    values ($1, $2, $3, $4, 'far/m', 0, 0, 1000, 'sealed', $5)
                    """, named + [.uuid(entry.uuid), .uuid(seedData.heard), key]))
        }
        for job in seedData.jobs.values {
            statements.append(
                Statement(
                    """
                    insert into jobs (id, tenant_id, user_id, kind, subject, state, attempt, lease_until, leased_by)
                    values ($3, $1, $2, $4, $5, 'leased', 1, clock_timestamp() + interval '1 hour', 'w')
                    """, named + [.uuid(job.id.uuid), .text(job.kind.rawValue), .uuid(job.subject)]))
        }
        statements += Probe.all.compactMap { $0.seed(seedData) }
        _ = try await database.superuser.run(statements)
        _ = try await database.keySuperuser.run([
            Statement(
                "insert into user_keys (tenant_id, user_id, key_id, master_id, wrapped) values ($1, $2, $3, 'm', 'wrapped')", named + [key])
        ])
        return seedData
    }

    private init(person: Person) {
        self.person = person
        var jobs: [JobKind: LeasedJob] = [:]
        for descriptor in JobCatalogue.diary.descriptors {
            let kind = descriptor.kind
            let subject: UUID? =
                switch descriptor.subject {
                case .entry: worked[kind]?.uuid
                case .export: queued.uuid
                case .mail: mail.uuid
                case .importing: importing.uuid
                }
            guard let subject else { continue }
            jobs[kind] = LeasedJob(id: JobID(UUID()), owner: person.owner, kind: kind, subject: subject, attempt: 1, errors: 0, crashes: 0)
        }
        self.jobs = jobs
    }

    func job(_ kind: JobKind) throws -> LeasedJob {
        guard let job = jobs[kind] else { throw NotWhatWasExpected() }
        return job
    }

    var upload: AwaitingUpload {
        AwaitingUpload(
            owner: person.owner, entry: awaiting, object: awaited, size: 5, createdAt: Date(timeIntervalSince1970: 0), expiresAt: .now)
    }

    /// A leased deletion of this user, whose tombstone is set for the probes of erasure.
    func deletion(with stores: OpenedStores) async throws -> LeasedDeletion {
        guard let deletion = try await stores.deletions.claim(limit: 1, besides: [], leaseSeconds: 0).first else {
            throw NotWhatWasExpected()
        }
        return deletion
    }
}
