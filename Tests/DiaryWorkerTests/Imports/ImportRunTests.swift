import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing
import WireFormats

@testable import DiaryWorker

@Suite("Imports of lists that name much", .timeLimit(.minutes(1)))
struct ImportRunTests {
    private let person: Person
    private let objects: MemoryObjects
    private let audio = SecureRandom.bytes(70_000)
    private let first = EntryID(UUID())

    init() async throws {
        person = try await Person()
        objects = MemoryObjects(sealedBy: person.vault.key)
    }

    private func run(
        _ list: (path: String, json: String), files: [(path: String, bytes: [UInt8])] = [], into store: ScriptedImportRuns,
        done: Int64 = 0, reported: Int = 0, limit: Int? = nil
    ) async throws {
        let archive = try ImportArchive(
            try await PackedZip.make([(list.path, Array(list.json.utf8))] + files), maximumEntries: 1_000)
        var tenant = TenantConfiguration()
        if let limit { try tenant.set("limits.storage_bytes", to: "\(limit)") }
        let found = Import(
            id: ImportID(UUID()), status: .importing, code: nil, source: nil, sizeBytes: 1, sha256: nil, object: UUID(), createdAt: .now,
            uploadExpiresAt: .now, finishedAt: nil, total: archive.total, done: done, counts: ImportCounts())
        try await ImportRun(
            store: store, objects: objects.store, keys: person.keys, vault: person.vault,
            job: .make(.importing, owner: person.owner, subject: found.id.uuid), importRow: found, reported: reported, archive: archive,
            tenant: tenant, limits: Limits(), clock: .system
        ).run()
    }

    private func journal(_ elements: String...) -> (path: String, json: String) {
        ("Journal.json", "{\"entries\":[\(elements.joined(separator: ","))]}")
    }

    private func element(_ id: EntryID = EntryID(UUID()), text: String = "", audios: [String]) -> String {
        let named = audios.map { "{\"md5\":\"\($0)\"}" }.joined(separator: ",")
        return "{\"uuid\":\"\(id)\",\"creationDate\":\"2019-01-01T10:00:00Z\",\"text\":\"\(text)\",\"audios\":[\(named)]}"
    }

    /// The first element names the recording three times, the second has words beside it, the third has it alone.
    private func repeating() -> (path: String, json: String) {
        journal(
            element(first, text: "one", audios: ["A", "a", "a"]), element(text: "two", audios: ["a"]), element(audios: ["a"]))
    }

    @Test("a recording that many entries name is stored for the first of them; the others keep their words and are reported")
    func once() async throws {
        let store = ScriptedImportRuns()
        try await run(repeating(), files: [("audios/a.m4a", audio)], into: store)

        #expect(
            objects.keys.count == 1 && store.entries.map(\.facts.kind) == [.voice, .text]
                && store.entries.map { $0.job != nil } == [true, false])
        #expect(store.items.map(\.code) == Array(repeating: .sameRecording, count: 4) && store.items.allSatisfy { $0.entry == first })
        #expect(store.counts == ImportCounts(created: 2, unchanged: 3))
        #expect(store.asked == 4, "once for each element, and once for the digest of the recording")
    }

    @Test("an own zip brings all speakers of an account with the longest names, without those that no account can have")
    func speakers() async throws {
        let store = ScriptedImportRuns()
        let name = String(repeating: "\u{1F600}", count: SpeakerFeature.nameLength)
        let ids = (0..<SpeakerFeature.most - 2).map { _ in SpeakerID(UUID()) }
        let named = ids.map { "{\"id\":\"\($0)\",\"name\":\"\(name)\"}" }
        let refused = ["{\"id\":\"\(SpeakerID(UUID()))\",\"name\":\" \"}", "{\"id\":\"x\",\"name\":\"Anna\"}"]
        let list = (refused + named).joined(separator: ",")

        try await run(("manifest.json", "{\"format_version\":3,\"speakers\":[\(list)],\"entries\":[]}"), into: store)

        #expect(store.speakers.map(\.id) == ids)
        let first = try #require(store.speakers.first)
        let profile = person.vault.open(
            StoredSpeakerProfile(
                id: first.id, sealed: SealedColumn(bytes: first.sealed, version: 1), createdAt: .now, updatedAt: .now, deletedAt: nil,
                changeNumber: 1))
        #expect(profile.name == name)
    }

    @Test("a worker that takes over leaves the recordings of earlier elements to them")
    func resumed() async throws {
        let store = ScriptedImportRuns(KnownEntries(ids: [first: .there]))
        try await run(repeating(), files: [("audios/a.m4a", audio)], into: store, done: 1)

        #expect(objects.keys.isEmpty && store.entries.map(\.facts.kind) == [.text])
        #expect(store.items.map(\.code) == [.sameRecording, .sameRecording] && store.items.allSatisfy { $0.entry == first })
    }

    @Test("an entry whose deleted holder of the recording came back under another id names that one")
    func copied() async throws {
        let store = ScriptedImportRuns(KnownEntries(ids: [first: .deleted]))
        try await run(repeating(), files: [("audios/a.m4a", audio)], into: store)

        let made = try #require(store.entries.first?.id)
        #expect(made != first && store.items.allSatisfy { $0.entry == made })
    }

    @Test("a recording for which the account has no space is not stored first")
    func space() async throws {
        let store = ScriptedImportRuns(KnownEntries(storedBytes: 30_000))
        let deleted = Shared(0)
        objects.bytes.hooks.deleting = { _ in deleted.set(deleted.now + 1) }
        let files = ["a", "b", "c"].map { ("audios/\($0).m4a", audio + Array($0.utf8)) }
        try await run(journal(element(first, text: "one", audios: ["a", "b", "c"])), files: files, into: store, limit: 100_001)

        #expect(deleted.now == 0 && objects.keys.count == 1 && store.entries.map(\.id) == [first])
        #expect(store.items.map(\.code) == [.storageExceeded, .storageExceeded] && store.counts == ImportCounts(created: 1, failed: 2))
    }

    @Test("a report that is full gets no more lines")
    func fullReport() async throws {
        let store = ScriptedImportRuns()
        let lists = (0..<3).map { _ in element(text: "words", audios: ["x", "y", "z"]) }
        try await run(("Journal.json", "{\"entries\":[\(lists.joined(separator: ","))]}"), into: store, reported: ImportItem.most - 4)

        #expect(store.items.map(\.number) == [100, 101, 102, 200] && store.counts == ImportCounts(created: 3))
    }

    // MARK: Own exports

    private func manifest(_ entries: [String]) -> (path: String, json: String) {
        ("manifest.json", "{\"format_version\":3,\"entries\":[\(entries.joined(separator: ","))]}")
    }

    private func own(_ rest: String) -> String { own(EntryID(UUID()), rest) }

    private func own(_ id: EntryID, _ rest: String) -> String {
        "{\"id\":\"\(id)\",\"recorded_at\":\"2026-03-01T12:00:00Z\",\(rest)}"
    }

    private func file(_ path: String, _ bytes: [UInt8]) -> String {
        "{\"path\":\"\(path)\",\"role\":\"audio\",\"size\":\(bytes.count),\"sha256\":\"\(Hex.encode(SHA256.digest(bytes)))\"}"
    }

    @Test("a recording of an own export belongs to the first entry that names it")
    func ownFiles() async throws {
        let voice = "\"kind\":\"voice\",\"recording\":{\"content_type\":\"audio/mp4\"},\"files\":[\(file("audio/x.m4a", audio))]"
        let store = ScriptedImportRuns()
        try await run(manifest([own(first, voice), own(voice)]), files: [("audio/x.m4a", audio)], into: store)
        #expect(objects.keys.count == 1 && store.entries.map(\.id) == [first])
        #expect(store.items.map(\.code) == [.sameRecording] && store.items.first?.entry == first)
    }

    /// As the account would have it.
    private func stored(
        _ id: EntryID, _ personal: PersonalPart, _ machine: MachinePart, lacksRecording: Bool = false
    ) throws -> ComparedEntry {
        let vault = person.vault
        return ComparedEntry(
            recordedAt: try #require(RFC3339.parse("2026-03-01T12:00:00Z")), favorite: false, lacksRecording: lacksRecording,
            personal: SealedColumn(bytes: try vault.seal(personal, as: .personal, row: id.uuid, version: 1), version: 1),
            machine: SealedColumn(bytes: try vault.seal(machine, as: .machine, row: id.uuid, version: 1), version: 1))
    }

    @Test(
        "an entry that is there is unchanged; where the zip has other words of it, or a later version, the report says so",
        arguments: [
            (#""title":"T""#, false), (#""title":"U""#, true), (#""title":"T","tags":["a"]"#, true), (#""title":"T","mood":"m""#, true),
            (#""title":"T","favorite":true"#, true), (#""title":"T","layers":{"edited":"mine","raw":"um","clean":"said"}"#, true),
            (#""title":"T","layers":{"raw":"um","clean":"said"}"#, false), (#""title":"T","layers":{"raw":"er","clean":"said"}"#, true),
            (#""title":"T","layers":{"raw":"um","clean":"said"},"summary":"s""#, true), (#""title":"T","versions":{"personal":1}"#, false),
            (#""title":"T","versions":{"personal":2}"#, true), (#""title":"T","versions":{"corrections":2}"#, true),
            (#""title":"U","gaps":[{"missing":"personal","reason":"damaged"}]"#, false),
        ])
    func otherVersion(rest: String, isReported: Bool) async throws {
        let store = ScriptedImportRuns()
        store.put(try stored(first, PersonalPart(title: "T"), MachinePart(raw: "um", clean: "said")), of: first)
        let voice = "\"kind\":\"voice\",\"recording\":{\"content_type\":\"audio/mp4\",\"size_bytes\":5}"

        try await run(manifest([own(first, "\(voice),\(rest)")]), into: store)

        #expect(store.entries.isEmpty && store.counts == ImportCounts(unchanged: 1))
        #expect(store.items.map(\.code) == (isReported ? [.otherVersion] : []))
        #expect(store.items.allSatisfy { $0.outcome == .unchanged && $0.entry == first })
    }

    @Test(
        "an entry that was imported without its recording stays so, and the report of a zip that has it says so", arguments: [true, false])
    func missedRecording(isThere: Bool) async throws {
        let store = ScriptedImportRuns()
        store.put(try stored(first, PersonalPart(title: "T"), MachinePart(raw: "um"), lacksRecording: !isThere), of: first)
        let voice = "\"kind\":\"voice\",\"recording\":{\"content_type\":\"audio/mp4\"},\"files\":[\(file("audio/x.m4a", audio))]"

        try await run(
            manifest([own(first, "\(voice),\"title\":\"T\",\"layers\":{\"raw\":\"um\"}")]), files: [("audio/x.m4a", audio)], into: store)

        #expect(store.items.map(\.code) == (isThere ? [] : [.otherVersion]) && store.entries.isEmpty)
    }

    @Test("an entry whose recording is missing, damaged or of no known form is made of its words, and the report names the file")
    func halves() async throws {
        let voice = file("audio/x.m4a", audio)
        func imported(
            _ words: String?, _ file: String, type: String = "audio/mp4", with bytes: [(path: String, bytes: [UInt8])]
        ) async throws -> ScriptedImportRuns {
            let store = ScriptedImportRuns()
            let layers = words.map { ",\"layers\":{\"raw\":\"\($0)\"}" } ?? ""
            let entry = own("\"kind\":\"voice\",\"recording\":{\"content_type\":\"\(type)\"},\"files\":[\(file)]\(layers)")
            try await run(manifest([entry]), files: bytes, into: store)
            return store
        }

        let missed = try await imported("words", voice, with: [])
        #expect(missed.items.map(\.code) == [.fileMissing] && missed.items.map(\.name) == ["audio/x.m4a"])
        #expect(missed.entries.map { $0.job != nil } == [false] && missed.entries.first?.machine != nil)
        let damaged = try await imported("words", voice, with: [("audio/x.m4a", audio.dropLast())])
        #expect(damaged.items.map(\.code) == [.fileDamaged] && damaged.items.map(\.name) == ["audio/x.m4a"])
        #expect(damaged.entries.map { $0.job != nil } == [false] && damaged.entries.first?.machine != nil)
        #expect(damaged.entries.first?.facts.sha256 == nil, "the file may be uploaded later")
        let unknown = try await imported("words", file("audio/x.xyz", audio), type: "audio/xyz", with: [("audio/x.xyz", audio)])
        #expect(unknown.items.map(\.code) == [.recordingNotSupported] && unknown.entries.first?.machine != nil)
        let neither = try await imported(nil, voice, with: [])
        #expect(neither.items.map(\.code) == [.fileMissing] && neither.entries.isEmpty && neither.counts == ImportCounts(failed: 1))
        let none = try await imported(nil, file("audio/x.xyz", audio), type: "audio/xyz", with: [("audio/x.xyz", audio)])
        #expect(none.items.map(\.code) == [.recordingNotSupported] && none.entries.isEmpty)
    }

    @Test("an entry that the zip says was deleted stays, and the report says so; one that is not there is no line")
    func deletions() async throws {
        let others = (0..<150).map { _ in EntryID(UUID()) }
        let ids: [EntryID: KnownEntries.State] = [first: .there, others[149]: .there, others[0]: .inTrash, others[1]: .deleted]
        let store = ScriptedImportRuns(KnownEntries(ids: ids))
        let lines = ([first] + others).map { "{\"id\":\"\($0)\",\"deleted_at\":\"2026-03-01T12:00:00.000Z\"}" }
        let deleted = lines.joined(separator: ",")
        let text = own("\"kind\":\"text\",\"layers\":{\"edited\":\"words\"}")
        let list = "{\"format_version\":3,\"entries\":[\(text)],\"deleted\":[{\"id\":7},[],\(deleted)],\"entry_count\":1}"

        try await run(("manifest.json", list), into: store)

        #expect(store.counts == ImportCounts(created: 1))
        #expect(store.items.map(\.code) == [.deletedInZip, .deletedInZip] && store.items.map(\.entry) == [first, others[149]])
        #expect(Set(store.items.map(\.number)).count == 2)
    }

    @Test("a list of deletions that is none costs nothing else", arguments: ["true", "{}", "[1,2]", "[]"])
    func noDeletions(value: String) async throws {
        let store = ScriptedImportRuns()
        let text = own("\"kind\":\"text\",\"layers\":{\"edited\":\"words\"}")

        try await run(("manifest.json", "{\"format_version\":3,\"deleted\":\(value),\"entries\":[\(text)]}"), into: store)

        #expect(store.counts == ImportCounts(created: 1) && store.items.isEmpty)
    }

    @Test("what a zip says of a recording is at most what one may have")
    func measures() async throws {
        let lost =
            "\"kind\":\"voice\",\"recording\":{\"content_type\":\"audio/mp4\",\"size_bytes\":\(Int64(1) << 53)},\"layers\":{\"raw\":\"words\"}"
        let kept =
            "\"kind\":\"voice\",\"duration_s\":999999,\"recording\":{\"content_type\":\"audio/mp4\"},\"files\":[\(file("audio/x.m4a", audio))]"
        let store = ScriptedImportRuns()
        try await run(manifest([own(lost), own(kept)]), files: [("audio/x.m4a", audio)], into: store)

        let limits = Limits()
        #expect(store.entries.map(\.facts.sizeBytes) == [limits.maxAudioBytes, Int64(audio.count)])
        #expect(store.entries.last?.facts.durationSeconds == limits.maxAudioSeconds)
    }
}
