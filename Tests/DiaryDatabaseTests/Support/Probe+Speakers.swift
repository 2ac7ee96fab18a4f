import DiaryCrypto
import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of speaker profiles. The seed's profile has the id of the account's text entry.
extension Probe {
    private static let profile: @Sendable (SeedData) -> Statement? = {
        Statement(
            """
            insert into speaker_profiles (tenant_id, user_id, id, change_number, sealed, version, key_id, request_hash)
            values ($1, $2, $3, 1, 'sealed', 1, $4, 'hash')
            """, $0.person.owner.parameters + [.uuid($0.text.uuid), .uuid($0.person.keyID)])
    }

    static let speakers: [Probe] = [
        Probe(name: "speakers", seed: profile) { try await !$0.speakers.speakers(of: $1.person.member).isEmpty },
        Probe(name: "speakers of a search") { try await !$0.searches.profiles(of: $1.person.member).isEmpty },
        Probe(name: "speaker") { try await $0.speakers.speaker(SpeakerID($1.text.uuid), of: $1.person.member) != nil },
        Probe(name: "speaker create") {
            let made = NewSpeakerProfile(id: SpeakerID(UUID()), sealed: [1], keyID: $1.person.keyID, requestHash: [1])
            guard case .created = try await $0.speakers.create(made, most: 9, claim: nil, by: $1.person.member) else { return false }
            return true
        },
        Probe(name: "speaker rename") {
            let name = SealedColumn(bytes: [2], version: 2)
            return try await $0.speakers.rename(
                SpeakerID($1.text.uuid), to: name, keyID: $1.person.keyID, by: $1.person.member) != nil
        },
        Probe(name: "speaker delete") {
            try await $0.speakers.delete(SpeakerID($1.text.uuid), keyID: $1.person.keyID, by: $1.person.member)
        },
    ]
}
