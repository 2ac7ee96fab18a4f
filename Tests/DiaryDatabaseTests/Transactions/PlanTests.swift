import DiaryCore
import Foundation
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase
@testable import PostgresClient

/// Row C5 in small: row-level security must not prevent index use, neither with known values nor in the generic plan of a frequent
/// statement.
@Suite("Plans", .serialized, .timeLimit(.minutes(2)))
struct PlanTests {
    private static func filled() async throws -> (MigratedDatabase, Person) {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        for (other, count) in [
            (person, 8_000), (try await Person.make(in: database, tenant: person.owner.tenant), 8_000),
            (try await Person.make(in: database), 4_000),
        ] {
            try await database.change(
                """
                insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, request_hash, key_id, personal,
                    personal_version)
                select $1, $2, gen_random_uuid(), 'text', 'transcribed', n, '2020-01-01T00:00:00Z'::timestamptz + n * interval '5 hours', 'UTC',
                    '2020-01-01'::timestamp + n * interval '5 hours', '\\x01', $3, repeat('x', 300)::bytea, 1 from generate_series(1, \(count)) n
                """, .uuid(other.owner.tenant.uuid), .uuid(other.owner.user.uuid), .uuid(other.keyID))
        }
        try await database.change("analyze entries")
        return (database, person)
    }

    @Test("a sweep without old rows reads almost none of the young ones")
    func sweeps() async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        let young = "from generate_series(1, 3000) n"
        for table in [
            "mails (tenant_id, user_id, id, kind, payload, key_id) select $1, $2, gen_random_uuid(), 'sign_in_code', '', $1 \(young)",
            "jobs (id, tenant_id, user_id, kind, subject, state, finished_at) select gen_random_uuid(), $1, $2, 'mail', $1, 'done', now() \(young)",
            """
            email_codes (tenant_id, user_id, id, purpose, code_hash, registration_hash, expires_at)
                select $1, $2, gen_random_uuid(), 'login', '', '', now() \(young)
            """,
            """
            sessions (tenant_id, user_id, id, expires_at, idle_expires_at, refresh_number, refresh_hash, revoked_at)
                select $1, $2, gen_random_uuid(), now(), now(), 1, '', now() \(young)
            """,
            "audit_events (tenant_id, user_id, kind, actor) select $1, $2, 'signed_in', 'member' \(young)",
            "usage_days (tenant_id, user_id, day) select $1, $2, current_date + n \(young)",
            """
            usage_reservations (tenant_id, user_id, id, audio_ms, tokens, cost, expires_at)
                select $1, $2, gen_random_uuid(), 1, 1, 1, now() \(young)
            """,
            "sign_in_challenges (tenant_id, nonce_hash, expires_at) select t.id, n::text::bytea, now() + interval '1 hour' from tenants t, generate_series(1, 3000) n where t.id = $1 and $2::uuid is not null",
            """
            entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, request_hash, key_id, deleted_at)
                select $1, $2, gen_random_uuid(), 'text', 'transcribed', n, now(), 'UTC', now()::timestamp, '', $1, now() \(young)
            """,
            "users (tenant_id, id) select $1, gen_random_uuid() from generate_series(1, 3000) n where $2::uuid is not null",
            // Old ones are read one page at a time, and not beyond the page.
            """
            users (tenant_id, id, created_at) select $1, gen_random_uuid(), now() - interval '30 days' from generate_series(1, 3000) n
                where $2::uuid is not null
            """,
            """
            identities (tenant_id, user_id, issuer, subject_hash, verified_at)
                select tenant_id, id, 'email', id::text::bytea, now() from users where tenant_id = $1 and id <> $2
            """,
        ] {
            try await database.change(
                "insert into \(table)", .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid))
        }
        try await database.change("analyze")

        let sweeps = RowSweep.allCases.map { Statement("select sweep_\($0.rawValue)(1000)") }
        let rows = try await database.pool(.worker).run(
            [Statement("set local enable_seqscan = off")] + sweeps + [
                Statement("select count(*) from sweep_sign_ups(null, null, 5)"),
                Statement(
                    """
                    select string_agg(relname || ' ' || seq_tup_read + coalesce(idx_tup_fetch, 0), ', ') from pg_stat_xact_user_tables
                    where schemaname = 'public' and seq_tup_read + coalesce(idx_tup_fetch, 0) > 20
                    """),
            ])

        #expect(try rows.first(sweeps.count + 2)?.textOrNil(0) == nil)
    }

    @Test("the steps of a job read its row alone, however many jobs are leased that the statistics do not know of (C5)")
    func fences() async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        try await database.change(
            """
            insert into jobs (id, tenant_id, user_id, kind, subject, state, finished_at)
            select gen_random_uuid(), $1, $2, 'mail', gen_random_uuid(), 'done', now() from generate_series(1, 2000) n
            """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid))
        try await database.change("analyze jobs")
        try await database.change(
            "update jobs set state = 'leased', leased_by = 'first', finished_at = null, lease_until = now() + interval '1 minute'")
        let id = Parameter.uuid(try #require(try await database.text("select id::text from jobs limit 1").flatMap { UUID(uuidString: $0) }))

        let rows = try await database.pool(.worker).run([
            Statement("select hold_job($1, 0)", [id]), Statement("select finish_job($1, 0)", [id]),
            Statement("select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relname = 'jobs'"),
        ])

        #expect(try #require(rows.first(2)).int(0) <= 4)
    }

    @Test(
        "steps that jobs take together read their rows alone, although their plan was made when there were few or none (C5)",
        arguments: [0, 1, 5, 20])
    func batchedSteps(before: Int) async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        func add(_ count: Int) async throws {
            let owner = person.owner.parameters
            try await database.change(
                """
                insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, request_hash, key_id)
                select $1, $2, gen_random_uuid(), 'text', 'cleaning', (select count(*) from entries) + n, now(), 'UTC', now(), '', $3
                from generate_series(1, $4) n
                """, owner[0], owner[1], .uuid(person.keyID), .int(count))
            try await database.change("update user_sync set change_number = (select count(*) from entries)")
            try await database.change(
                """
                insert into jobs (id, tenant_id, user_id, kind, subject, state, attempt, leased_by, lease_until)
                select e.id, e.tenant_id, e.user_id, 'clean', e.id, 'leased', 1, 'w', now() + interval '1 minute' from entries e
                on conflict do nothing
                """)
            try await database.change(
                """
                insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
                select tenant_id, user_id, id, '', 1, key_id from entries on conflict do nothing
                """)
        }
        let worker = try DedicatedConnection(database.settings(.worker), logger: .quiet)
        defer { worker.close() }
        let read = Statement(
            """
            select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_xact_user_tables
            where relname in ('jobs', 'entries', 'entry_segments', 'user_sync')
            """)
        func steps(_ jobs: [UUID]) async throws -> (count: Int, read: Int64) {
            let (ids, attempts) = (Parameter.uuids(jobs), Parameter.ints(jobs.map { _ in 1 }))
            let named = Parameter.texts(jobs.map { _ in "transcribed" })
            let none = Parameter.texts(jobs.map { _ in "" })
            let rows = try await worker.run([
                Statement("select place from begin_entries($1, $2, $3, $2)", [ids, attempts, named]),
                Statement(
                    "select * from finish_machines($1, $2, $3, $4, $2, $5, $6, $1, $6, $6, $7, 1)",
                    [
                        ids, attempts, .uuids(jobs.map { _ in person.keyID }), .byteArrays(jobs.map { _ in [1] }), named, none,
                        .ints(jobs.map { _ in -1 }),
                    ]),
                read,
            ])
            #expect(rows[0].count == jobs.count)
            return (rows[1].count, try #require(rows.first(2)).int(0))
        }
        try await add(before)
        try await database.change("analyze")
        _ = try await steps([])
        try await add(3_000)
        let jobs = try await database.superuser.run([Statement("select id from jobs limit 4")])[0].map { try $0.uuid(0) }

        let (count, rowsRead) = try await steps(jobs)

        #expect(count == 4)
        // Of each job and step: its row of each table, to find, to lock and to change it.
        #expect(rowsRead < 4 * 2 * 12)
    }

    @Test(
        "a claim and a place in the queue read few rows of thousands of jobs, although their plans were made when there were few or none (C6)",
        arguments: [0, 20, 4_000])
    func claims(finished: Int) async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        let queue = PostgresJobQueue(pool: try database.pool(.worker))
        let members = MemberTransaction(pool: try database.pool(.api))
        func add(_ count: Int, kind: String, state: String) async throws {
            try await database.change(
                """
                insert into jobs (id, tenant_id, user_id, kind, subject, state, leased_by, lease_until, finished_at)
                select gen_random_uuid(), u.tenant_id, u.id, $2, gen_random_uuid(), $3, case when $3 = 'leased' then 'other' end,
                    case when $3 = 'leased' then now() + interval '1 minute' end, case when $3 = 'done' then now() end
                from users u where u.tenant_id = $1 limit $4
                """, .uuid(person.owner.tenant.uuid), .text(kind), .text(state), .int(count))
        }
        let read = Statement("select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relname = 'jobs'")
        let place = Statement("select * from queue_place($1, 'mail', 'mail', 45)", [.uuid(person.owner.user.uuid)])
        try await PostgresWorkerPresence(pool: try database.pool(.worker)).report(WorkerIdentity(name: "w", version: "1"), hears: true)
        try await database.change(
            "insert into users (tenant_id, id) select $1, gen_random_uuid() from generate_series(1, 4000)", .uuid(person.owner.tenant.uuid))
        try await add(finished, kind: "mail", state: "done")
        try await database.change("analyze jobs")
        for _ in 0..<6 { #expect(try await queue.claim(JobClaim([.mail], of: .mail, limit: 8, worker: "w", leaseSeconds: 60)).isEmpty) }
        #expect(try await members.run(person.member, [place])[0].isEmpty)
        try await add(2_000, kind: "mail", state: "ready")
        try await database.change(
            "insert into jobs (id, tenant_id, user_id, kind, subject) select $2, $1, $2, 'mail', $2", person.owner.parameters[0],
            person.owner.parameters[1])

        let placed = try await members.run(person.member, [place, read])
        try await add(2_000, kind: "verify", state: "leased")
        let claimed = try await database.pool(.worker).run([
            Statement("select count(*) from claim_jobs('mail', '{mail}', false, 8, 'w', 60, 8, 8)"), read,
        ])

        #expect(placed[0].count == 1)
        #expect(try #require(claimed.first(0)).int(0) == 8)
        // A claim looks at a hundred accounts.
        #expect(try #require(placed.first(1)).int(0) < 500)
        #expect(try #require(claimed.first(1)).int(0) < 500)
    }

    /// The plan of the statement as the role runs it. `explain` alone would always plan with the values; a prepared statement may not.
    private func plan(_ statement: Statement, _ person: Person, _ settings: ConnectionSettings, generic: Bool) async throws -> String {
        let session = try DedicatedConnection(settings, runDeadline: .seconds(20), logger: .quiet)
        defer { session.close() }
        var types: [String] = []
        var values: [String] = []
        for parameter in statement.parameters {
            switch parameter.value {
            case .uuid(let id): (types, values) = (types + ["uuid"], values + ["'\(id)'"])
            case .int(let number): (types, values) = (types + ["bigint"], values + ["\(number)"])
            case .date(let day): (types, values) = (types + ["date"], values + ["'\(day)'"])
            case .text(let text): (types, values) = (types + ["text"], values + ["'\(text)'"])
            case .timestamp(let date): (types, values) = (types + ["timestamptz"], values + ["to_timestamp(\(date.timeIntervalSince1970))"])
            case .null:
                let named: [ParameterType: String] = [
                    .timestamp: "timestamptz", .text: "text", .bool: "boolean", .ints: "bigint[]", .uuid: "uuid",
                ]
                (types, values) = (types + [try #require(named[parameter.type])], values + ["null"])
            case .ints(let numbers):
                (types, values) = (types + ["bigint[]"], values + ["'{\(numbers.map { "\($0)" }.joined(separator: ","))}'"])
            default: throw NotWhatWasExpected()
            }
        }
        try await session.runScript(
            """
            begin; select set_owner('\(person.owner.tenant)', '\(person.owner.user)');
            set local plan_cache_mode = '\(generic ? "force_generic_plan" : "force_custom_plan")';
            prepare asked (\(types.joined(separator: ", "))) as \(statement.sql)
            """)
        let explained = try await session.run([
            Statement("explain (analyze, costs off, timing off, summary off) execute asked(\(values.joined(separator: ", ")))")
        ])
        return try explained[0].map { try $0.text(0) }.joined(separator: "\n")
    }

    @Test(
        "lists, feed and export pages read an index that begins with tenant and user, and no more rows than they return (C5)",
        arguments: [false, true])
    func indexes(generic: Bool) async throws {
        let (database, person) = try await Self.filled()
        let position = DatePosition(recordedAt: Date(timeIntervalSince1970: 1_650_000_000), id: EntryID(UUID()))
        let late = EntryPosition(.recordedAt(position.recordedAt), id: position.id)
        func query(
            _ order: DateOrder, _ from: String? = nil, _ to: String? = nil, after: EntryPosition? = nil, filter: EntryFilter = EntryFilter()
        ) throws -> Statement {
            PostgresEntryStore.byDate(
                DateQuery(from: try from.map(day), to: try to.map(day), order: order, after: after, limit: 50, filter: filter),
                of: person.owner)
        }
        let export = Export(
            id: ExportID(UUID()), selection: ExportSelection(from: try day("2022-01-01"), to: try day("2022-12-31")),
            timeZone: "Europe/Berlin", contents: ExportContents(includeAudio: false),
            status: .building,
            code: nil, mailStatus: .waiting, sizeBytes: nil, entryCount: nil, createdAt: Date(), readyAt: nil, expiresAt: nil,
            downloads: 0,
            maxDownloads: 1, revokedAt: nil)
        let api = database.settings(.api)
        let worker = database.settings(.worker)
        let cases: [(String, Statement, ConnectionSettings, String)] = [
            ("newest first", try query(.newestFirst), api, "entries_by_date"),
            ("oldest first", try query(.oldestFirst), api, "entries_by_date"),
            ("newest first, late page", try query(.newestFirst, after: late), api, "entries_by_date"),
            ("oldest first, late page", try query(.oldestFirst, after: late), api, "entries_by_date"),
            ("old month", try query(.newestFirst, "2021-03-01", "2021-03-31"), api, "entries_by_date"),
            ("old month, upwards", try query(.oldestFirst, "2023-03-01", "2023-03-31"), api, "entries_by_date"),
            ("filter that all fit", try query(.newestFirst, filter: EntryFilter(kind: .text)), api, "entries_by_date"),
            (
                "days of an old month", PostgresEntryStore.days(from: try day("2021-03-01"), to: try day("2021-03-31"), of: person.owner),
                api, "entries_by_date"
            ),
            ("feed", PostgresEntryStore.changes(after: 7_000, since: nil, limit: 50, of: person.owner), api, "entries_by_change"),
            (
                "feed from the beginning", PostgresEntryStore.changes(after: 0, since: nil, limit: 50, of: person.owner), api,
                "entries_by_change"
            ),
            ("export page", ExportReading.page(export, of: person.owner, after: position), worker, "entries_by_date"),
        ]

        for (name, statement, settings, index) in cases {
            let plan = try await plan(statement, person, settings, generic: generic)

            // A range with both ends may also be read completely from the index and sorted.
            let bounded =
                (name.hasSuffix("old month") || name.hasPrefix("old month") || name == "export page")
                && plan.contains("Bitmap Index Scan on \(index)")
            #expect(plan.contains("using \(index) on entries") || bounded, "\(name): \(plan)")
            #expect(plan.contains("$1") == generic, "\(name): \(plan)")
            // Days are grouped.
            #expect(!plan.contains("Sort") || bounded || name.hasPrefix("days"), "\(name): \(plan)")
            let removed = plan.split(separator: "\n").compactMap { line in
                line.contains("Rows Removed by")
                    ? line.split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } : nil
            }.reduce(0, +)
            #expect(removed <= 10, "\(name): \(plan)")
        }
    }
}
