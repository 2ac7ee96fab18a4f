import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of tags.
extension Probe {
    private static let tagged: @Sendable (SeedData) -> Statement? = {
        Statement(
            "update entries set label_hashes = '{4}' where tenant_id = $1 and user_id = $2 and id = $3",
            $0.person.owner.parameters + [.uuid($0.text.uuid)])
    }
    private static let colored: @Sendable (SeedData) -> Statement? = {
        Statement(
            "insert into tags (tenant_id, user_id, hash, sealed, key_id) values ($1, $2, 8, 'sealed', $3)",
            $0.person.owner.parameters + [.uuid($0.person.keyID)])
    }

    static let tags: [Probe] = [
        Probe(name: "labelUses", seed: tagged) {
            try await !$0.entries.labelUses(.tag, hash: nil, most: 9, of: $1.person.member).uses.isEmpty
        },
        Probe(name: "labelUses of tags with a colour", seed: colored) {
            try await !$0.entries.labelUses(.tag, hash: 8, most: 9, of: $1.person.member).colored.isEmpty
        },
        Probe(name: "samples") { try await !$0.entries.samples([$1.text], of: $1.person.member).isEmpty },
        Probe(name: "labelled") { try await !$0.entries.labelled(4, after: nil, limit: 9, of: $1.person.member).isEmpty },
        Probe(name: "relabel") {
            try await $0.entries.relabel(
                [PersonalRewrite(id: $1.text, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1)], keyID: $1.person.keyID,
                by: $1.person.member) == 1
        },
        Probe(name: "writeTag") {
            try await $0.entries.writeTag(
                StoredTag(hash: 12, sealed: [1]), replacing: [8], most: 9, keyID: $1.person.keyID, by: $1.person.member)
        },
        Probe(name: "coloredTags") { try await !$0.builds.coloredTags(of: $1.person.owner).isEmpty },
        Probe(name: "import addSpeakers") {
            try await $0.importRuns.addSpeakers(
                [(id: SpeakerID(UUIDv7.make()), sealed: [1])], keyID: $1.person.keyID, try $1.job(.importing))
            return false
        },
        Probe(name: "import addTags") {
            try await $0.importRuns.addTags(
                [StoredTag(hash: 16, sealed: [1])], most: 9, keyID: $1.person.keyID, try $1.job(.importing))
            return false
        },
    ]
}
