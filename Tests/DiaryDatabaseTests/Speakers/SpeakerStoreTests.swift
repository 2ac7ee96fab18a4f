import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Speaker profiles in the database", .timeLimit(.minutes(2)))
struct SpeakerStoreTests {
    private struct Scene {
        let database: MigratedDatabase
        let person: Person
        let store: PostgresSpeakerStore
        let entries: PostgresEntryStore

        static func make(in own: MigratedDatabase? = nil) async throws -> Scene {
            let database = if let own { own } else { try await MigratedDatabase.shared() }
            let api = try database.pool(.api)
            return Scene(
                database: database, person: try await Person.make(in: database), store: PostgresSpeakerStore(pool: api),
                entries: PostgresEntryStore(pool: api))
        }

        func create(_ id: SpeakerID = SpeakerID(UUID()), most: Int = 9, hash: UInt8 = 1) async throws -> SpeakerCreation {
            try await store.create(
                NewSpeakerProfile(id: id, sealed: [1], keyID: person.keyID, requestHash: [hash]), most: most, claim: nil, by: person.member)
        }

        func created() async throws -> StoredSpeakerProfile {
            guard case .created(let profile) = try await create() else { throw NotWhatWasExpected() }
            return profile
        }

        func rename(_ id: SpeakerID, version: Int64) async throws -> StoredSpeakerProfile? {
            try await store.rename(
                id, to: SealedColumn(bytes: [UInt8(version)], version: version), keyID: person.keyID, by: person.member)
        }

        /// Change numbers of a page, and the account's.
        func feed(after number: Int64) async throws -> (entries: [Int64], profiles: [Int64], latest: Int64) {
            let outcome = try await entries.changes(
                from: number == 0 ? .beginning : .after(changeNumber: number), limit: 9, of: person.member)
            guard case .page(let page, let profiles, let latest, _, _) = outcome else { throw NotWhatWasExpected() }
            return (page.map(\.facts.changeNumber), profiles.map(\.changeNumber), latest)
        }
    }

    @Test("an id is taken once: the same request is a repetition, another one and one after a deletion are refused")
    func create() async throws {
        let scene = try await Scene.make()
        let id = SpeakerID(UUID())
        func outcome(_ hash: UInt8) async throws -> String {
            switch try await scene.create(id, hash: hash) {
            case .created: "created"
            case .replayed(let profile): "replayed \(profile.sealed.version)"
            case .idTaken: "taken"
            case .tooMany: "too many"
            }
        }

        #expect(try await outcome(1) == "created")
        #expect(try await outcome(1) == "replayed 1")
        #expect(try await outcome(2) == "taken")
        #expect(try await scene.store.delete(id, keyID: scene.person.keyID, by: scene.person.member))
        #expect(try await outcome(1) == "taken")
        #expect(try await !scene.store.delete(id, keyID: scene.person.keyID, by: scene.person.member))
        #expect(try await scene.store.speaker(id, of: scene.person.member) == nil)
    }

    @Test("of 20 requests at once an account gets as many profiles as it may have, and a deleted one counts no more")
    func bounded() async throws {
        let scene = try await Scene.make()
        let made = try await parallel(20) { _ in
            if case .created = try await scene.create(most: 5) { true } else { false }
        }
        #expect(made.filter { $0 }.count == 5)
        let all = try await scene.store.speakers(of: scene.person.member)
        #expect(all.count == 5 && all.map(\.createdAt) == all.map(\.createdAt).sorted())
        let first = try #require(all.first)
        #expect(try await scene.store.delete(first.id, keyID: scene.person.keyID, by: scene.person.member))
        guard case .created = try await scene.create(most: 5) else { throw NotWhatWasExpected() }
    }

    @Test("a new name needs the version that was read; each change has a number of the feed, and entries keep theirs")
    func renamed() async throws {
        let scene = try await Scene.make()
        _ = try await scene.entries.create(scene.person.text(), by: scene.person.member)
        let profile = try await scene.created()
        let before = try await scene.feed(after: 0)
        #expect(before.entries == [1] && before.profiles == [2] && before.latest == 2)

        #expect(try await scene.rename(profile.id, version: 3) == nil)
        let renamed = try #require(try await scene.rename(profile.id, version: 2))
        #expect(renamed.sealed == SealedColumn(bytes: [2], version: 2) && renamed.updatedAt > profile.updatedAt)
        let feed = try await scene.feed(after: 2)
        #expect(feed.entries.isEmpty && feed.profiles == [renamed.changeNumber] && feed.latest >= renamed.changeNumber)

        #expect(try await scene.store.delete(profile.id, keyID: scene.person.keyID, by: scene.person.member))
        #expect(try await scene.rename(profile.id, version: 3) == nil)
        #expect(try await scene.feed(after: feed.latest).profiles.count == 1)
    }

    @Test("a deleted profile is swept when it is old and no recording shows it, and the feed knows that it was there")
    func swept() async throws {
        // Of several sweepers at once one works.
        let scene = try await Scene.make(in: try await MigratedDatabase.make())
        let (shown, other) = (try await scene.created(), try await scene.created())
        let entry = scene.person.voice()
        _ = try await scene.entries.create(entry, by: scene.person.member)
        try await scene.database.change(
            """
            insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, speaker_ids, key_id)
            values ($1, $2, $3, 'sealed', 1, 1, array[$4::uuid], $5)
            """, .uuid(scene.person.owner.tenant.uuid), .uuid(scene.person.owner.user.uuid), .uuid(entry.id.uuid), .uuid(shown.id.uuid),
            .uuid(scene.person.keyID))
        for profile in [shown, other] {
            #expect(try await scene.store.delete(profile.id, keyID: scene.person.keyID, by: scene.person.member))
        }
        func left() async throws -> Int64 {
            try await scene.database.int(
                "select count(*) from speaker_profiles where user_id = $1", .uuid(scene.person.owner.user.uuid))
        }
        let sweep = PostgresSweepStore(pool: try scene.database.pool(.worker))

        _ = try await sweep.end(.speakerProfiles, most: 1_000)
        #expect(try await left() == 2, "not old")
        try await scene.database.change(
            "update speaker_profiles set deleted_at = deleted_at - interval '91 days' where user_id = $1",
            .uuid(scene.person.owner.user.uuid))
        _ = try await sweep.end(.speakerProfiles, most: 1_000)
        #expect(try await left() == 1, "a recording shows the name")
        try await scene.database.change("delete from segment_corrections where entry_id = $1", .uuid(entry.id.uuid))
        _ = try await sweep.end(.speakerProfiles, most: 1_000)
        #expect(try await left() == 0)
        let outcome = try await scene.entries.changes(
            from: .after(changeNumber: 1), limit: 9, of: scene.person.member)
        guard case .expired = outcome else { throw NotWhatWasExpected() }
    }
}
