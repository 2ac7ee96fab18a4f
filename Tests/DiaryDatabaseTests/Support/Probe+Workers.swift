import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of what workers, the sweeper, key administration and erasure do.
extension Probe {
    static let keys: [Probe] =
        (0..<3).map { role in
            Probe(name: "wrappedKey \(role)") { try await $0.keys[role].wrappedKey(of: $1.person.owner) != nil }
        } + [
            Probe(name: "key insert") {
                try await $0.keys[1].destroy(keyOf: $1.person.owner)
                try await $0.keys[1].insert(WrappedKey(keyID: UUID(), masterID: "m", bytes: [1]), for: $1.person.owner)
                return true
            },
            Probe(name: "key rehearse") {
                try await $0.keys[1].destroy(keyOf: $1.person.owner)
                try await $0.keys[1].rehearse(WrappedKey(keyID: UUID(), masterID: "m", bytes: [1]), for: $1.person.owner)
                return true
            },
            Probe(name: "key destroy") {
                try await $0.keys[1].destroy(keyOf: $1.person.owner)
                return false
            },
        ]

    static let workers: [Probe] =
        JobCatalogue.diary.stages.map { kind in
            Probe(name: "beginEntry \(kind)") {
                _ = try await $0.transcriptions.beginEntry(try $1.job(kind))
                return true
            }
        }
        + JobCatalogue.diary.kinds.flatMap { kind in
            [
                Probe(name: "retry \(kind)") {
                    try await $0.queue.retry(try $1.job(kind), code: .unexpected, afterSeconds: 1)
                    return true
                },
                Probe(name: "postpone \(kind)") {
                    try await $0.queue.postpone(try $1.job(kind), code: .engineBusy, afterSeconds: 1)
                    return true
                },
                Probe(name: "discard \(kind)") {
                    try await $0.queue.discard(try $1.job(kind), code: .unexpected)
                    return true
                },
            ]
        } + [
            Probe(name: "finishVerify") {
                let copy = PlayableCopy(object: UUID(), sizeBytes: 5, sha256: [2], isOriginalKept: false)
                let waveform = SealedResult(sealed: [1], version: 1, keyID: $1.person.keyID)
                _ = try await $0.transcriptions.finishVerify(
                    try $1.job(.verify), facts: WorkerFixture.facts, size: 6, sha256: [1],
                    rendition: NewRendition(copy: copy, waveform: waveform))
                return true
            },
            Probe(name: "finishTranscribe") {
                let result = SealedResult(sealed: [1], version: 1, keyID: $1.person.keyID)
                _ = try await $0.transcriptions.finishTranscribe(
                    try $1.job(.transcribe), machine: result, segments: result, language: "de", insteadOf: nil)
                return true
            },
            Probe(name: "finishTranscribe of a later run") {
                let result = SealedResult(sealed: [1], version: 1, keyID: $1.person.keyID)
                let replaced = ReplacedTexts(
                    revisions: [
                        SealedRevision(layer: .raw, number: 1, sealed: [1]), SealedRevision(layer: .clean, number: 1, sealed: [1]),
                    ],
                    corrections: 0)
                _ = try await $0.transcriptions.finishTranscribe(
                    try $1.job(.transcribe), machine: result, segments: result, language: "de", insteadOf: nil,
                    replaced: replaced)
                return true
            },
            Probe(name: "beginEntry with what was heard") {
                let begun = try await $0.transcriptions.beginEntry(try $1.job(.clean))
                return begun.segments != nil && begun.corrections != nil
            },
            Probe(name: "corrections") { stores, seedData in
                guard let id = seedData.worked[.clean] else { throw NotWhatWasExpected() }
                return try await stores.transcriptions.corrections(id, of: seedData.person.owner) != nil
            },
            Probe(name: "isThere") { try await $0.transcriptions.isThere(try $1.job(.clean)) },
            Probe(name: "finishMachine") {
                _ = try await $0.transcriptions.finishMachine(
                    try $1.job(.clean), machine: SealedResult(sealed: [1], version: 1, keyID: $1.person.keyID))
                return true
            },
            Probe(
                name: "expected speech",
                seed: {
                    Statement(
                        "update users set languages = '{en}', locale = 'en-GB' where tenant_id = $1 and id = $2",
                        $0.person.owner.parameters)
                }
            ) {
                let expected = try await $0.transcriptions.expectedSpeech(of: $1.person.owner, in: $1.text)
                return expected.languages == ["en"] && expected.locale == "en-GB"
            },
            Probe(name: "reserve usage") {
                try await $0.usage.reserve(
                    UsageReservation(id: UUID(), amount: UsageAmount(audioMilliseconds: 5), seconds: 60),
                    within: UsageLimits(minutesPerDay: 1), of: $1.person.owner, at: .now) == .reserved
            },
            Probe(
                name: "settle usage",
                seed: {
                    Statement(
                        """
                        with day as (insert into usage_days (tenant_id, user_id, day, calls) values ($1, $2, '2026-07-04', 1))
                        insert into usage_reservations (tenant_id, user_id, id, audio_ms, tokens, cost, expires_at)
                        values ($1, $2, $3, 5, 0, 0, clock_timestamp() + interval '1 hour')
                        """, $0.person.owner.parameters + [.uuid($0.text.uuid)])
                }
            ) {
                try await $0.usage.settle($1.text.uuid, used: UsageAmount(audioMilliseconds: 5), of: $1.person.owner, at: .now)
                return true
            },
            Probe(
                name: "consent to hosted processing",
                seed: {
                    Statement(
                        "update users set hosted_processing_consent_at = now() where tenant_id = $1 and id = $2", $0.person.owner.parameters
                    )
                }
            ) { try await $0.consents.hostedProcessing(of: $1.person.owner) },
            Probe(name: "work segments") { stores, seedData in
                guard let id = seedData.worked[.clean] else { throw NotWhatWasExpected() }
                return try await stores.transcriptions.segments(id, of: seedData.person.owner) != nil
            },
            Probe(name: "heard parts") { stores, seedData in
                try await !stores.transcriptions.parts(
                    of: EntryID(try seedData.job(.transcribe).subject), object: seedData.heard, engine: "far/m", of: seedData.person.owner
                ).isEmpty
            },
            Probe(name: "keep part") {
                try await $0.transcriptions.keep(
                    StoredSpeechPart(index: 1, fromMilliseconds: 1_000, toMilliseconds: 2_000, sealed: [1]),
                    used: UsageAmount(audioMilliseconds: 1_000), keyID: $1.person.keyID, object: $1.heard, engine: "far/m",
                    try $1.job(.transcribe))
                return false
            },
            Probe(name: "beginExport") {
                _ = try await $0.builds.beginExport(try $1.job(.export))
                return true
            },
            Probe(name: "readExport") { stores, seedData in
                let export = Export(
                    id: seedData.queued, selection: ExportSelection(from: try day("2026-01-01"), to: try day("2026-12-31")),
                    timeZone: "UTC", contents: ExportContents(includeAudio: true),
                    status: .building, code: nil,
                    mailStatus: .waiting, sizeBytes: nil, entryCount: nil, createdAt: Date(), readyAt: nil, expiresAt: nil,
                    downloads: 0,
                    maxDownloads: 1, revokedAt: nil)
                let pages = Pages()
                try await stores.builds.readExport(export, of: seedData.person.owner) { _ in
                } deleted: { _ in
                } page: {
                    pages.append($0)
                }
                return !pages.entries.isEmpty
            },
            Probe(name: "finishExport") {
                _ = try await $0.builds.finishExport(
                    try $1.job(.export), keyID: $1.person.keyID, size: 1, entryCount: 1, changesUpto: 1,
                    expiresAt: Date(timeIntervalSinceNow: 60), kept: nil,
                    mail: $1.person.mail(.exportReady))
                return true
            },
            Probe(name: "prepareMail") {
                _ = try await $0.mails.prepareMail(
                    try $1.job(.mail), addressHash: $1.person.emailHash, isAccountAddress: true, locales: ["en"])
                return true
            },
            Probe(name: "checkpoint") { stores, seedData in
                try await stores.builds.checkpoint(of: seedData.queued, of: seedData.person.owner) != nil
            },
            Probe(name: "saveCheckpoint") {
                try await $0.builds.saveCheckpoint(try $1.job(.export), object: UUID(), keyID: $1.person.keyID, entries: [1, 1])
                return true
            },
            Probe(name: "discardCheckpoint") { try await !$0.builds.discardCheckpoint(try $1.job(.export)).isEmpty },
            Probe(name: "finishPart") {
                try await $0.builds.finishPart(try $1.job(.export), part: 1, entries: 1, object: UUID(), keyID: $1.person.keyID, size: 1)
                return true
            },
            Probe(name: "note progress") {
                try await $0.builds.note(
                    ExportProgress(entries: 1, entriesTotal: 2, bytes: 1, bytesTotal: 2, estimatedSeconds: nil), try $1.job(.export))
            },
            Probe(name: "beginMail") {
                _ = try await $0.mails.beginMail(try $1.job(.mail))
                return true
            },
            Probe(name: "finishMail") {
                _ = try await $0.mails.finishMail(try $1.job(.mail))
                return true
            },
        ]

    static let sweeper: [Probe] = [
        Probe(name: "sweep completeUpload") {
            try await $0.sweep.completeUpload($1.upload, size: 5, job: NewJob(.verify))
            return true
        },
        Probe(name: "sweep abandonUpload") {
            _ = try await $0.sweep.abandonUpload($1.upload, at: .distantFuture, arrivedBefore: .now, object: nil)
            return true
        },
        Probe(name: "mend") {
            let stranded = StrandedEntry(owner: $1.person.owner, entry: $1.stranded, kind: .verify)
            return try await $0.sweep.mend(stranded, job: JobID(UUIDv7.make()))
        },
        Probe(name: "forgetPart") {
            try await $0.sweep.forget($1.swept($1.inParts.uuid, object: $1.part), of: .exportParts)
            return true
        },
    ]

    static let erasure: [Probe] = [
        Probe(name: "passwordHash") { stores, seedData in
            try await stores.erasures.passwordHash(of: seedData.person.member) != nil
        },
        Probe(name: "request erasure") {
            try await $0.erasures.request(
                NewDeletion(id: DeletionID(UUID()), receiptHash: SecureRandom.bytes(32), subjectSealed: [1], uploadSeconds: 1),
                proved: true,
                by: $1.person.member, origin: RequestOrigin(requestID: "r")) != nil
        },
        Probe(name: "eraseBatch") { stores, seedData in
            let deletion = try await seedData.deletion(with: stores)
            return try await stores.deletions.eraseBatch(deletion, of: seedData.person.owner, most: 9, leaseSeconds: 60) > 0
        },
        Probe(name: "eraseMember") { stores, seedData in
            let deletion = try await seedData.deletion(with: stores)
            _ = try await stores.deletions.eraseMember(deletion, of: seedData.person.owner)
            return false
        },
    ]
}
