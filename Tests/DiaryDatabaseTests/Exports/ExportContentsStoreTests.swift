import DiaryCore
import DiaryTesting
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

@Suite("Contents of exports in the store", .timeLimit(.minutes(1)))
struct ExportContentsStoreTests {
    @Test("an export reads segments, corrections, waveform and all revisions of each entry, and of no other, in the one snapshot (E5, G6)")
    func everything() async throws {
        let fixture = try await WorkerFixture.make()
        let (database, person) = (fixture.database, fixture.person)
        try await database.change(
            """
            insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, request_hash, key_id, object_id,
                content_type, size_bytes, uploaded_at, rerun_from, asked_engine, asked_language, stage)
            select $1, $2, ('01990000-0000-7000-8000-00000000000' || n)::uuid, 'voice', 'cleaning', n, '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 hour',
                'UTC', '2026-03-01'::timestamp + n * interval '1 hour', '', $3, gen_random_uuid(), 'audio/mp4', 5, '2026-03-02T00:00:00.123456Z',
                'clean', 'far', 'de', 'clean' from generate_series(1, 3) n
            """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .uuid(person.keyID))
        try await database.change(
            """
            insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
            select tenant_id, user_id, id, ('segments ' || change_number)::bytea, 4, key_id from entries where change_number < 3
            """)
        try await database.change(
            """
            insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, key_id)
            select tenant_id, user_id, id, 'corrections', 6, 4, key_id from entries where change_number = 1
            """)
        try await database.change(
            """
            insert into entry_renditions (tenant_id, user_id, entry_id, waveform, key_id)
            select tenant_id, user_id, id, 'waveform', key_id from entries where change_number = 2
            """)
        try await database.change(
            """
            insert into entry_revisions (tenant_id, user_id, entry_id, layer, number, sealed, key_id)
            select tenant_id, user_id, id, l, n, (l || n)::bytea, key_id from entries, unnest(array['raw', 'edited', 'of a later version']) l,
                generate_series(1, change_number) n
            """)
        try await database.change("update user_sync set change_number = 3")
        try await fixture.ready(.export)
        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        let read = Pages()

        try await fixture.builds.readExport(export, of: person.owner) { _ in
        } deleted: { _ in
        } page: { page in
            read.append(page)
            try await database.change("delete from entry_revisions")
        }

        let entries = read.all
        #expect(entries.map { $0.segments.map { String(decoding: $0.bytes, as: UTF8.self) } } == ["segments 1", "segments 2", nil])
        #expect(entries.map { $0.segments?.version } == [4, 4, nil])
        #expect(entries.map { $0.corrections?.segmentsVersion } == [4, nil, nil] && entries[0].corrections?.sealed.version == 6)
        #expect(entries.map { $0.waveform?.bytes } == [nil, Array("waveform".utf8), nil])
        for (place, entry) in entries.enumerated() {
            #expect(Set(entry.revisions.keys) == [.raw, .edited])
            for (layer, revisions) in entry.revisions {
                #expect(revisions.map(\.sealed.version) == (1...Int64(place + 1)).reversed())
                #expect(
                    revisions.map { String(decoding: $0.sealed.bytes, as: UTF8.self) }
                        == revisions.map { "\(layer.rawValue)\($0.sealed.version)" })
            }
            #expect(entry.run == EntryRun(rerunFrom: .clean, engine: "far", language: "de"))
            #expect(entry.uploadedAt == Date(timeIntervalSince1970: 1_772_409_600.123456))
        }
    }

    @Test("the snapshot waits for an object store that is slow to answer, longer than other transactions wait for their next statement")
    func patience() async throws {
        let fixture = try await WorkerFixture.make()
        _ = try await fixture.entries.create(fixture.person.text(), by: fixture.person.member)
        try await fixture.ready(.export)
        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        var settings = fixture.database.settings(.worker)
        settings.applicationName = "snapshot"
        settings.idleInTransactionTimeout = .milliseconds(100)
        let builds = PostgresExportBuildStore(pool: try fixture.database.pool(.worker), snapshot: settings, logger: .quiet)
        // Without a statement for three times as long.
        let waits = """
            select count(*) from pg_stat_activity where datname = current_database() and application_name = 'snapshot'
                and state = 'idle in transaction' and state_change < clock_timestamp() - interval '300 milliseconds'
            """
        let read = Pages()

        try await builds.readExport(export, of: fixture.person.owner) { _ in
        } deleted: { _ in
        } page: { page in
            try await fixture.someone(isCountedBy: waits)
            read.append(page)
        }

        #expect(read.entries.count == 1)
    }

    @Test("a page holds as many entries as have 4 MiB of sealed parts together, and at least one")
    func pages() {
        func positions(_ bytes: [Int64]) -> [ExportPosition] { bytes.map { ExportPosition(id: UUID(), recordedAt: .now, bytes: $0) } }
        func lengths(_ bytes: [Int64]) -> [Int] { ExportPosition.pages(positions(bytes)).map(\.count) }
        let whole = ExportPosition.mostBytes

        #expect(lengths([]) == [] && lengths([0]) == [1] && lengths([whole * 3]) == [1])
        #expect(lengths([whole / 2, whole / 2, 1, whole, 0, 1]) == [2, 1, 2, 1])
        #expect(lengths([Int64](repeating: 20_000, count: 200)) == [200])
    }
}
