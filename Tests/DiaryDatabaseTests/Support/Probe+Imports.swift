import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

extension Probe {
    private static func row(_ id: ImportID, _ status: String, _ object: UUID, _ seedData: SeedData) -> Statement {
        Statement(
            """
            insert into imports (tenant_id, user_id, id, status, size_bytes, object_id, part_upload, part_bytes, key_id, request_hash,
                upload_expires_at, finished_at)
            values ($1, $2, $3, $4, 5, $5, 'set', 5, $6, '\\x01', clock_timestamp() + interval '1 hour',
                case when $4 = 'finished' then clock_timestamp() end)
            """,
            seedData.person.owner.parameters + [.uuid(id.uuid), .text(status), .uuid(object), .uuid(seedData.person.keyID)])
    }

    private static func announced(_ seedData: SeedData) -> Statement? {
        row(seedData.announced, "awaiting_upload", seedData.announcedZip, seedData)
    }

    private static func step(_ seedData: SeedData) -> ImportStep {
        var entry = ImportedEntry(
            id: EntryID(UUID()), recordedAt: Date(timeIntervalSince1970: 1_780_000_000),
            facts: GivenFacts(kind: .voice, sizeBytes: 5, contentType: "audio/mp4", sha256: [2]), object: UUID(),
            personal: SealedColumn(bytes: [1], version: 2))
        entry.segments = SealedColumn(bytes: [1], version: 1)
        entry.corrections = StoredCorrections(sealed: SealedColumn(bytes: [1], version: 1), segmentsVersion: 1)
        entry.revisions = [(SealedRevision(layer: .edited, number: 1, sealed: [1]), Date())]
        entry.job = NewJob(.verify)
        var step = ImportStep(from: 0, done: 1, keyID: seedData.person.keyID, storageLimit: nil)
        step.entries = [entry]
        step.items = [StoredImportItem(item: ImportItem(number: 100, outcome: .skipped, code: .noContent), name: [1])]
        return step
    }

    static let imports: [Probe] = [
        Probe(name: "import create", seed: announced) {
            let new = NewImport(
                id: ImportID(UUID()), sizeBytes: 5, sha256: nil, object: UUID(), keyID: $1.person.keyID, windowSeconds: 60, requestHash: [4]
            )
            guard case .created = try await $0.imports.create(new, by: $1.person.member) else { return false }
            return true
        },
        Probe(name: "import find") { try await $0.imports.find($1.announced, of: $1.person.member) != nil },
        Probe(name: "imports") { try await !$0.imports.imports(before: nil, limit: 9, status: nil, of: $1.person.member).isEmpty },
        Probe(
            name: "import items",
            seed: {
                Statement(
                    """
                    insert into import_items (tenant_id, user_id, import_id, number, outcome, code, name, key_id)
                    values ($1, $2, $3, 1, 'skipped', 'no_content', 'sealed', $4)
                    """, $0.person.owner.parameters + [.uuid($0.announced.uuid), .uuid($0.person.keyID)])
            }
        ) { try await $0.imports.items(of: $1.announced, after: 0, limit: 9, $1.person.member)?.isEmpty == false },
        Probe(name: "import complete") {
            let outcome = try await $0.imports.complete(
                $1.announced, keyID: $1.person.keyID, job: NewJob(.importing), by: $1.person.member)
            if case .enqueued = outcome { return true }
            return false
        },
        Probe(name: "import reopen") {
            try await $0.imports.reopen($1.announced, windowSeconds: 60, by: $1.person.member) != nil
        },
        Probe(name: "import delete") { try await $0.imports.delete($1.announced, by: $1.person.member) != nil },
        Probe(name: "import partUpload") { try await $0.imports.partUpload(of: $1.announced, by: $1.person.member) != nil },
        Probe(name: "import openPartUpload") {
            let opening = PartUploadOpening(id: "new", partSize: 5, replacing: "set", most: 9)
            return try await $0.imports.openPartUpload(opening, of: $1.announced, by: $1.person.member)?.id == "new"
        },
        Probe(name: "import closePartUpload") {
            try await $0.imports.closePartUpload("set", of: $1.announced, by: $1.person.member)
        },
        Probe(name: "import uploadState") { try await $0.imports.uploadState($1.announcedZip, of: $1.person.owner) != .gone },
        Probe(name: "import partUploadState") {
            let key = ObjectKey(
                kind: .staging, tenant: $1.person.owner.tenant, user: $1.person.owner.user, object: $1.announcedZip)
            return try await $0.imports.partUploadState("set", of: key) != .gone
        },
        Probe(name: "beginImport", seed: { row($0.importing, "importing", UUID(), $0) }) {
            _ = try await $0.importRuns.beginImport(try $1.job(.importing))
            return true
        },
        Probe(name: "import noteContents") {
            try await $0.importRuns.noteContents(try $1.job(.importing), source: .dayOne, total: 1)
            return true
        },
        Probe(name: "import known") {
            try await !$0.importRuns.known([$1.text], recordings: [[1]], before: Date(), of: $1.person.owner).ids.isEmpty
        },
        Probe(name: "import compared") { try await $0.importRuns.compared($1.text, of: $1.person.owner) != nil },
        Probe(name: "import write") {
            try await $0.importRuns.write(step($1), try $1.job(.importing))
            return true
        },
        Probe(name: "finishImport") {
            _ = try await $0.importRuns.finishImport(try $1.job(.importing))
            return true
        },
        Probe(
            name: "import forgetZip",
            seed: { row(ImportID($0.announcedZip), "finished", UUID(), $0) }
        ) {
            try await $0.sweep.forget($1.swept($1.announcedZip), of: .imports)
            return false
        },
    ]
}
