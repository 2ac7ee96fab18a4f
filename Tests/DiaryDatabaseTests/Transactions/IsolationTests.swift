import DiaryCore
import Foundation
import PostgresClient
import TestServers
import Testing

@testable import DiaryDatabase

/// Row C2: row-level security as the second barrier. Whatever a statement names, a transaction opened for another user sees and changes
/// nothing.
@Suite("Isolation", .serialized, .timeLimit(.minutes(3)))
struct IsolationTests {
    /// The owners in whose transactions a statement with A's parameters is run.
    private struct Others {
        let all: [(name: String, person: Person, sameTenant: Bool)]

        static func make(of a: Person, in database: MigratedDatabase) async throws -> Others {
            let unknown = Person(
                member: Member(tenant: TenantID(UUID()), user: UserID(UUID()), session: SessionID(UUID())), keyID: UUID(), emailHash: [],
                refreshHash: [])
            return Others(all: [
                ("another member", try await SeedData.make(in: database, tenant: a.owner.tenant).person, true),
                ("the same user id in another tenant", try await SeedData.make(in: database, user: a.owner.user).person, false),
                ("another tenant's member", try await SeedData.make(in: database).person, false),
                ("unknown", unknown, false),
            ])
        }
    }

    @Test("every method of every store, in a transaction opened for another user, returns nothing and changes nothing (C2)")
    func stores() async throws {
        let database = try await MigratedDatabase.make()
        let members = try await Dump.members(in: database)
        func dump(_ person: Person) async throws -> Dump { try await Dump.of(person.owner, in: database, members: members) }
        var probes = 0
        for probe in Probe.all {
            let seedData = try await SeedData.make(in: database)
            let a = seedData.person
            if probe.wantsProof {
                try await database.change("update identities set verified_at = now() where user_id = $1", .uuid(a.owner.user.uuid))
            }
            if probe.name == "passwordHash" {
                try await database.change("update identities set verified_at = now() where user_id = $1", .uuid(a.owner.user.uuid))
            }
            if probe.name.hasPrefix("erase") {
                try await database.change("update users set deleted_at = now() where id = $1", .uuid(a.owner.user.uuid))
                try await database.change("delete from deletions")
                try await database.change(
                    "insert into deletions (id, receipt_hash, subject_sealed, sweep_until) values (gen_random_uuid(), '\\x01', '\\x01', now())"
                )
            }
            let others = try await Others.make(of: a, in: database)
            let before = try await dump(a)
            for other in others.all where !(probe.seesTenant && other.sameTenant) {
                let othersBefore = try await dump(other.person)

                var got = false
                do { got = try await probe.run(try OpenedStores(database, for: other.person), seedData) } catch is NotWhatWasExpected {
                    Issue.record("the probe itself failed: \(probe.name)")
                } catch {}

                probes += 1
                #expect(!got, "\(probe.name) for \(other.name) gave something")
                #expect(try await dump(other.person).changed(since: othersBefore).isEmpty, "\(probe.name) for \(other.name) changed theirs")
            }
            #expect(try await dump(a).changed(since: before).isEmpty, "\(probe.name) for one of them changed A's rows")

            // The same call in the owner's transaction returns or changes something, so the probe above was not empty.
            let users = try await database.int("select count(*) from users")
            let got = try await probe.run(try OpenedStores(database, for: nil), seedData)
            let changed = try await dump(a).changed(since: before)
            let more = try await database.int("select count(*) from users") > users
            #expect(got || !changed.isEmpty || more, "\(probe.name) does nothing at all")
        }
        print("C2 stores: \(probes) probes of \(Probe.all.count) calls")
        #expect(probes >= 180)
    }

    /// Administrator commands, settings and public keys that every role reads, and workers' reports of themselves.
    private static let unscoped: Set = [
        "EngineAdministration", "ExportAdministration", "JobAdministration", "KeyAdministration", "KeyCheck", "RestoreAdministration",
        "RestoreCheck",
        "MailAdministration", "MailEvent", "RetiredTokenKeys", "SigningKey", "Tenant", "TenantAdministration", "UsageAdministration",
        "UserAdministration",
        "WorkerPresence",
    ]
    /// Calls without an owner: the rounds of workers and sweeper, anonymous deletions and their receipts, names of time zones.
    private static let withoutOwner: Set = [
        "accounts.check", "deletions.claim", "deletions.finishPass", "deletions.noteKeyDestroyed", "deletions.noteObjects",
        "deletions.postpone", "due.due", "erasures.deletion", "grants.claim", "identities.issueChallenge", "offers.refresh",
        "sweep.awaitingParts", "sweep.awaitingUploads", "sweep.checkedUploads", "sweep.end", "sweep.ended", "sweep.endedTrash",
        "sweep.keptTimes", "sweep.lateUploads", "sweep.noteSweep", "sweep.orphans", "sweep.overdueAudio", "sweep.requestErasure",
        "sweep.signUps", "sweep.stranded", "sweep.uncheckedTrash", "queue.claim", "queue.release", "queue.renew", "queue.rescue",
    ]

    @Test("a method of a store without a probe fails here (C2)")
    func complete() async throws {
        let opened = try OpenedStores(try await MigratedDatabase.shared(), for: nil).names
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let stores = tests.appending(path: "../../../Sources/DiaryDatabase")
        let support = tests.appending(path: "../Support")
        let probes = try FileManager.default.contentsOfDirectory(atPath: support.path)
            .filter { $0.hasPrefix("Probe") && $0.hasSuffix(".swift") }
            .map { try String(contentsOf: support.appending(path: $0), encoding: .utf8) }.joined()
            .replacing(/keys\[\w+\]/, with: "keys")
        var methods: Set<String> = []
        let files = try FileManager.default.subpathsOfDirectory(atPath: stores.path)
            .filter { $0.hasSuffix(".swift") }
        for file in files {
            let fileName = URL(filePath: file).lastPathComponent
            guard let store = fileName.prefixMatch(of: /Postgres([A-Za-z]+?)(Store)?(\+|\.)/).map({ String($0.1) }),
                !Self.unscoped.contains(store)
            else { continue }
            let name = try #require(opened[store], "\(file) has no store in OpenedStores")
            for match in try String(contentsOf: stores.appending(path: file), encoding: .utf8).matches(of: /package func ([a-zA-Z]+)/) {
                methods.insert("\(name).\(match.1)")
            }
        }
        #expect(methods.subtracting(Self.withoutOwner).filter { !probes.contains("\($0)(") } == [])
        #expect(Self.withoutOwner.isSubset(of: methods))
        #expect(methods.count >= 90)
    }

    @Test("plain SQL without a where, as each role in each table: no row of A's is read, changed, taken, given or copied (C2)")
    func plainSQL() async throws {
        let database = try await MigratedDatabase.make()
        let a = try await SeedData.make(in: database).person
        let others = try await Others.make(of: a, in: database)
        let before = try await Dump.of(a.owner, in: database)
        let members = try await Dump.members(in: database)
        #expect(members.count >= 13)
        var probes = 0
        var refused = 0
        for role in [MigratedDatabase.Role.api, .auth, .worker] {
            for table in members + Dump.keys {
                let inKeys = Dump.keys.contains(table)
                // The worker may see all jobs, which hold ids only (decision D3).
                if role == .worker, table == "jobs" { continue }
                let pool = inKeys ? try database.keyPool(role) : try database.pool(role)
                let superuser = inKeys ? database.keySuperuser : database.superuser
                let user = table == "users" ? "id" : "user_id"
                let row = try await superuser.run([
                    Statement("select to_jsonb(t)::text from \(table) t where tenant_id = $1 and \(user) = $2 limit 1", a.owner.parameters)
                ]).first(0)?.text(0)
                let column =
                    try await superuser.run([
                        Statement(
                            """
                            select attname::text from pg_attribute where attrelid = '\(table)'::regclass and attnum > 0 and not attisdropped
                                and has_column_privilege('\(role.rawValue)', attrelid, attnum, 'update') order by attnum desc limit 1
                            """)
                    ]).first(0)?.text(0) ?? "tenant_id"
                let statements: [(String, Statement)] = [
                    ("select", Statement("select tenant_id, \(user) from \(table)")),
                    ("select for update", Statement("select tenant_id, \(user) from \(table) for update")),
                    ("update", Statement("update \(table) set \(column) = \(column) returning tenant_id, \(user)")),
                    (
                        "update where",
                        Statement(
                            "update \(table) set \(column) = \(column) where tenant_id = $1 and \(user) = $2 returning tenant_id, \(user)",
                            a.owner.parameters)
                    ),
                    (
                        "take",
                        Statement(
                            "update \(table) set tenant_id = current_tenant(), \(user) = current_member() where tenant_id = $1 and \(user) = $2 returning $1, $2",
                            a.owner.parameters)
                    ),
                    (
                        "give",
                        Statement("update \(table) set tenant_id = $1, \(user) = $2 returning tenant_id, \(user)", a.owner.parameters)
                    ),
                    (
                        "delete",
                        Statement(
                            "delete from \(table) where tenant_id = $1 and \(user) = $2 returning tenant_id, \(user)", a.owner.parameters)
                    ),
                    ("insert", Statement("insert into \(table) select * from jsonb_populate_record(null::\(table), $1)", [.json(row)])),
                    (
                        "insert or update",
                        Statement(
                            "insert into \(table) select * from jsonb_populate_record(null::\(table), $1) on conflict do nothing",
                            [.json(row)])
                    ),
                    ("truncate", Statement("truncate \(table)")),
                ]
                for other in others.all where !(role == .auth && other.sameTenant && !inKeys) {
                    for (command, statement) in statements {
                        let open = Statement(
                            "select set_owner($1, $2)",
                            other.name == "unknown" ? [.null(.uuid), .null(.uuid)] : other.person.owner.parameters)
                        probes += 1
                        do throws(DatabaseError) {
                            let rows = try await pool.run([open, statement])[1]
                            for row in rows {
                                let found = Owner(tenant: TenantID(try row.uuid(0)), user: UserID(try row.uuid(1)))
                                #expect(found != a.owner, "\(role) \(command) \(table) for \(other.name)")
                            }
                            if command.hasPrefix("insert") { #expect(rows.affected == 0, "\(role) \(command) \(table) for \(other.name)") }
                        } catch {
                            refused += 1
                            #expect(error.sqlstate == "42501", "\(role) \(command) \(table) for \(other.name): \(error)")
                        }
                    }
                }
            }
        }
        let after = try await Dump.of(a.owner, in: database)

        #expect(after.changed(since: before).isEmpty)
        print("C2 plain SQL: \(probes) probes, \(refused) refused by privilege or policy")
        #expect(probes >= 500)
    }

    @Test("COPY returns only the owner's rows (C2)")
    func copy() async throws {
        let database = try await MigratedDatabase.make()
        let a = try await SeedData.make(in: database).person
        let others = try await Others.make(of: a, in: database)
        let tables: [(MigratedDatabase.Role, [String])] = [
            (
                .api,
                [
                    "users", "user_sync", "identities", "sessions", "entries", "entry_renditions", "entry_revisions", "entry_segments",
                    "segment_corrections", "speaker_profiles", "idempotency_keys", "jobs", "exports", "export_parts",
                ]
            ),
            (.auth, ["users", "user_sync", "identities", "email_codes", "sessions"]),
            (
                .worker,
                [
                    "users", "user_sync", "entries", "entry_renditions", "entry_revisions", "entry_segments", "segment_corrections",
                    "speaker_profiles", "speech_parts", "exports", "export_parts", "mails",
                ]
            ),
        ]
        var probes = 0
        for (role, tables) in tables {
            for other in others.all where !(role == .auth && other.sameTenant) {
                let owner = other.person.owner
                let script =
                    "begin; select set_owner('\(owner.tenant)', '\(owner.user)'); "
                    + tables.map { "copy \($0) to stdout;" }.joined(separator: " ")

                let lines = try await database.server.sql(script + " commit", database: database.main, user: role.rawValue).split(
                    separator: "\n")

                probes += tables.count
                #expect(!lines.contains { $0.contains(a.owner.tenant.description) && $0.contains(a.owner.user.description) })
                #expect(lines.contains { $0.contains(owner.user.description) } == (other.name != "unknown"))
            }
        }
        print("C2 copy: \(probes) probes")
    }
}
