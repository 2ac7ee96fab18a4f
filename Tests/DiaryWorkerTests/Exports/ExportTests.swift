import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestPrograms
import TestSupport
import Testing
import WireFormats

@testable import DiaryWorker

@Suite("Exports", .timeLimit(.minutes(2)))
struct ExportTests {
    static func export(includeAudio: Bool = true) throws -> Export {
        Export(
            id: ExportID(UUIDv7.make()),
            selection: ExportSelection(from: try #require(CalendarDay("2026-03-01")), to: try #require(CalendarDay("2026-03-31"))),
            timeZone: "Europe/Berlin",
            contents: ExportContents(includeAudio: includeAudio), status: .building, code: nil, mailStatus: .waiting, sizeBytes: nil,
            entryCount: nil, createdAt: .now, readyAt: nil, expiresAt: nil, downloads: 0, maxDownloads: 5, revokedAt: nil)
    }

    static func profile(_ person: Person, verified: Bool = true, locale: String? = nil) throws -> StoredProfile {
        StoredProfile(
            emailSealed: try person.vault.seal(Array("ada@example.org".utf8), .email, row: person.owner.user.uuid), emailVerified: verified,
            nameSealed: nil,
            timeZone: "Europe/Berlin", locale: locale, createdAt: .now)
    }

    /// Builds the export that the store holds and returns the zip's bytes.
    static func build(
        _ person: Person, _ store: ScriptedJobStore, _ objects: MemoryObjects, apps: [Tenant] = []
    ) async throws -> [UInt8] {
        let scratch = try Scratch()
        let work = BuildExport(
            store: store, objects: objects.store, keys: person.keys, folders: scratch.folders, tenants: StubTenants(apps), limits: Limits(),
            publicURL: "https://diary.example", logger: .quiet)
        #expect(try await work.run(.make(.export, owner: person.owner)) == .mail)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.folders.root)
        #expect(left.isEmpty)
        let object = try #require(store.finishedExport?.object)
        return try #require(objects[person.key(.export, object)])
    }

    /// What Python's zipfile and `unzip -t` make of it: names, contents, methods.
    struct Reading: Decodable {
        var names: [String]
        var texts: [String: String]
        var hashes: [String: String]
        var stored: [String]
        var dates: [String: [Int]]
    }

    static func read(_ zip: [UInt8]) async throws -> Reading {
        let path = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID()).zip").path
        try Data(zip).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try await TestProgram.run(["unzip", "-tqq", path]).status == 0)
        let script = """
            import zipfile, json, hashlib, sys
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            i = z.infolist()
            print(json.dumps({"names": [e.filename for e in i],
                "texts": {e.filename: z.read(e).decode() for e in i if not e.filename.startswith("audio/")},
                "hashes": {e.filename: hashlib.sha256(z.read(e)).hexdigest() for e in i},
                "stored": [e.filename for e in i if e.compress_type == zipfile.ZIP_STORED],
                "dates": {e.filename: list(e.date_time) for e in i}}))
            """
        let python = try await TestProgram.run(["python3", "-c", script, path])
        #expect(python.status == 0)
        return try JSONDecoder().decode(Reading.self, from: Data(python.output))
    }

    static func manifest(of zip: Reading) throws -> [String: Any] {
        let text = try #require(zip.texts["manifest.json"])
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(json as? [String: Any])
    }

    /// A time by the clock of a zone, as a zip has it.
    static func zipTime(_ date: Date, _ zone: String) throws -> [Int] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let clock = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        return [clock.year, clock.month, clock.day, clock.hour, clock.minute, clock.second.map { $0 / 2 * 2 }].compactMap(\.self)
    }

    /// Why the manifest says that a recording is missing.
    static func missingAudio(_ line: [String: Any]) -> String? {
        (line["gaps"] as? [[String: Any]])?.first { $0["missing"] as? String == "audio" }?["reason"] as? String
    }

    static func id(_ last: String) throws -> EntryID { try #require(EntryID("01990000-0000-7000-8000-0000\(last)")) }

    @Test("a verified recording that is missing is not left out: the job is tried again (A8)")
    func recordingAway() async throws {
        let person = try await Person()
        let store = ScriptedJobStore()
        let away = try person.vault.entry(EntryFacts.make(sha256: SHA256.digest([1]), object: UUID()))
        store.put(try Self.export(), try Self.profile(person), pages: [[away]])

        let stop = await #expect(throws: JobStop.self) { _ = try await Self.build(person, store, MemoryObjects()) }

        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
        #expect(store.finishedExport == nil)
    }

    @Test("the zip holds texts, recordings and a manifest that agrees with both")
    func contents() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let audio = SecureRandom.bytes(700_001)
        let (known, unknown, missing) = (UUID(), UUID(), UUID())
        objects[person.key(.audio, known)] = audio
        objects[person.key(.audio, unknown)] = [1, 2, 3]
        let vault = person.vault
        let first = EntryFacts.make(id: try Self.id("aaaaaaaa"), sha256: SHA256.digest(audio), object: known)
        let second = EntryFacts.make(
            id: try Self.id("bbbbbbbb"), status: .transcribing,
            local: LocalTime(year: 2026, month: 3, day: 8, hour: 1, minute: 2, second: 3), object: unknown)
        let third = EntryFacts.make(
            .text, id: try Self.id("cccccccc"), local: LocalTime(year: 2026, month: 3, day: 9, hour: 9, minute: 9, second: 9))
        // Not verified yet: its recording lies elsewhere.
        let fourth = EntryFacts.make(
            id: try Self.id("dddddddd"), local: LocalTime(year: 2026, month: 3, day: 10, hour: 9, minute: 9, second: 9), seconds: nil,
            object: missing)
        store.put(
            try Self.export(), try Self.profile(person),
            pages: [
                [
                    try vault.entry(
                        first, PersonalPart(title: "Walk", tags: ["sea"], mood: "calm"), MachinePart(raw: "um sea", clean: "The sea.")),
                    try vault.entry(second),
                ],
                [
                    try vault.entry(third, PersonalPart(edited: "Grüße 🌊\nzweite Zeile")),
                    try vault.entry(fourth, PersonalPart(), MachinePart(raw: "raw only")),
                ],
            ])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        #expect(
            zip.names == [
                "text/2026-03-07_18-30-05.txt", "audio/2026-03-07_18-30-05_aaaaaaaa.m4a", "audio/2026-03-08_01-02-03_bbbbbbbb.m4a",
                "text/2026-03-09_09-09-09.txt", "text/2026-03-10_09-09-09.txt", "index.html", "manifest.json",
            ])
        #expect(zip.texts["text/2026-03-07_18-30-05.txt"] == "Walk\n\nThe sea.\n")
        #expect(zip.texts["text/2026-03-09_09-09-09.txt"] == "Grüße 🌊\nzweite Zeile\n")
        #expect(zip.texts["text/2026-03-10_09-09-09.txt"] == "raw only\n")
        #expect(zip.stored == zip.names.filter { $0.hasPrefix("audio/") })
        #expect(zip.dates["text/2026-03-07_18-30-05.txt"] == [2026, 3, 7, 18, 30, 4])  // two-second steps
        #expect(zip.hashes["audio/2026-03-07_18-30-05_aaaaaaaa.m4a"] == Hex.encode(SHA256.digest(audio)))

        let manifest = try Self.manifest(of: zip)
        let entries = try #require(manifest["entries"] as? [[String: Any]])
        #expect(manifest["format_version"] as? Int == 3)
        #expect(manifest["schema"] as? String == "https://diary.example/schemas/export-manifest-3.json")
        #expect(manifest["time_zone"] as? String == "Europe/Berlin")
        let made = try #require(RFC3339.parse(manifest["created_at"] as? String ?? ""))
        #expect(try zip.dates["manifest.json"] == Self.zipTime(made, "Europe/Berlin"))
        #expect(zip.dates["index.html"] == zip.dates["manifest.json"])
        #expect(manifest["entry_count"] as? Int == 4)
        #expect(entries.map { $0["status"] as? String } == ["transcribed", "transcribing", "transcribed", "transcribed"])
        #expect(entries.first?["title"] as? String == "Walk")
        #expect(entries.first?["tags"] as? [String] == ["sea"])
        #expect(entries.first?["local_time"] as? String == "2026-03-07T18:30:05")
        #expect(entries.first?["local_date"] as? String == "2026-03-07")
        let files = entries.flatMap { $0["files"] as? [[String: Any]] ?? [] }
        #expect(files.map { $0["path"] as? String } == zip.names.dropLast(2))
        for file in files { #expect(file["sha256"] as? String == zip.hashes[file["path"] as? String ?? ""]) }

        let finished = try #require(store.finishedExport)
        #expect(finished.count == 4)
        #expect(finished.mail.kind == .exportReady)
        #expect(finished.mail.payload.isEmpty && finished.mail.addressSealed == nil, "the address is read when the mail is sent")
    }

    @Test("recordings that expired, were refused or are not verified yet do not count as missing, whatever duration the app announced")
    func neverVerified() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let expired = Processing(stage: .verify, attempt: 1, nextAttemptAt: nil, code: .uploadExpired)
        let entries = [
            EntryFacts.make(status: .failed, seconds: 60, object: UUID(), processing: expired),
            EntryFacts.make(status: .uploaded, seconds: 60, object: UUID()),
            EntryFacts.make(status: .awaitingUpload, seconds: 60, object: UUID()),
        ]
        store.put(try Self.export(), try Self.profile(person), pages: [try entries.map { try person.vault.entry($0) }])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        #expect(zip.names == ["index.html", "manifest.json"])
        #expect(store.finishedExport?.count == 3)
        let lines = try #require(try Self.manifest(of: zip)["entries"] as? [[String: Any]])
        #expect(lines.map(Self.missingAudio) == ["refused", "not_arrived", "not_arrived"])
    }

    @Test("a removed recording is not in the zip, and the manifest says since when, also while its object is still there")
    func removed() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let object = UUID()
        objects[person.key(.audio, object)] = [1]
        let at = Date(timeIntervalSince1970: 1_780_000_000)
        let entries = [EntryFacts.make(object: object, audioRemovedAt: at), EntryFacts.make(audioRemovedAt: at)]
        store.put(try Self.export(), try Self.profile(person), pages: [try entries.map { try person.vault.entry($0) }])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        #expect(zip.names == ["index.html", "manifest.json"])
        let lines = try #require(try Self.manifest(of: zip)["entries"] as? [[String: Any]])
        #expect(lines.map(Self.missingAudio) == ["removed", "removed"])
        #expect(lines.first?["audio_removed_at"] as? String == "2026-05-28T20:26:40.000Z")
    }

    @Test("an empty range gives a zip with an index and a manifest alone")
    func empty() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        store.put(try Self.export(), try Self.profile(person), pages: [])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        #expect(zip.names == ["index.html", "manifest.json"])
        #expect(store.finishedExport?.count == 0)
        let manifest = try Self.manifest(of: zip)
        #expect((manifest["entries"] as? [Any])?.isEmpty == true)
    }

    @Test("E1: a hundred entries of one second have a hundred names, and only the first is plain")
    func sameSecond() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let entries = try (0..<100).map { n in
            try person.vault.entry(.make(.text, id: Self.id(String(format: "%08x", 0x1000_0000 + n))), PersonalPart(edited: "entry \(n)"))
        }
        store.put(try Self.export(), try Self.profile(person), pages: [Array(entries.prefix(60)), Array(entries.suffix(40))])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        #expect(zip.names.count == 102)
        #expect(Set(zip.names).count == 102)
        #expect(zip.names.first == "text/2026-03-07_18-30-05.txt")
        #expect(zip.names[1] == "text/2026-03-07_18-30-05_10000001.txt")
        #expect(zip.texts["text/2026-03-07_18-30-05_10000063.txt"] == "entry 99\n")
    }

    @Test("E1: a second that comes back later, and equal last digits, still get names of their own")
    func comingBack() throws {
        var names = ExportNames()
        let other = LocalTime(year: 2026, month: 10, day: 25, hour: 2, minute: 0, second: 0)
        let twin = EntryFacts.make(id: try #require(EntryID("01990000-0000-7000-8000-0001aaaaaaaa")))

        #expect(try names.stem(.make(id: Self.id("aaaaaaaa"))) == "2026-03-07_18-30-05")
        #expect(try names.stem(.make(id: Self.id("bbbbbbbb"), local: other)) == "2026-10-25_02-00-00")
        #expect(names.stem(twin) == "2026-03-07_18-30-05_aaaaaaaa")
        #expect(try names.stem(.make(id: Self.id("aaaaaaaa"))) == "2026-03-07_18-30-05_01990000-0000-7000-8000-0000aaaaaaaa")
        func audio(_ facts: EntryFacts) throws -> String { names.audio(try #require(facts.filename), of: facts) }
        #expect(try audio(.make(id: Self.id("aaaaaaaa"))) == "audio/2026-03-07_18-30-05_aaaaaaaa.m4a")
        #expect(try audio(twin) == "audio/2026-03-07_18-30-05_01990000-0000-7000-8000-0001aaaaaaaa.m4a")
    }

    @Test("a recording that has a copy is in the zip as the copy, under its name and with its size and digest", arguments: [true, false])
    func copies(isOriginalKept: Bool) async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let (object, copied) = (UUID(), UUID())
        if isOriginalKept { objects[person.key(.audio, object)] = [9, 9] }
        objects[person.key(.audio, copied)] = [1, 2, 3]
        var entry = StoredExportEntry(
            entry: try person.vault.entry(EntryFacts.make(id: try Self.id("aaaaaaaa"), sha256: SHA256.digest([9, 9]), object: object)))
        entry.copy = PlayableCopy(object: copied, sizeBytes: 3, sha256: SHA256.digest([1, 2, 3]), isOriginalKept: isOriginalKept)
        store.put(try Self.export(), try Self.profile(person), entries: [[entry]])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        let path = "audio/2026-03-07_18-30-05_aaaaaaaa.m4a"
        #expect(zip.names.filter { $0.hasPrefix("audio/") } == [path])
        #expect(zip.hashes[path] == Hex.encode(SHA256.digest([1, 2, 3])))
        #expect(zip.texts["manifest.json"]?.contains(Hex.encode(SHA256.digest([1, 2, 3]))) == true)
    }

    @Test("an export that did not request recordings has none")
    func textOnly() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let object = UUID()
        objects[person.key(.audio, object)] = [1]
        store.put(
            try Self.export(includeAudio: false), try Self.profile(person),
            pages: [[try person.vault.entry(.make(object: object), PersonalPart(), MachinePart(raw: "words"))]])

        let zip = try await Self.read(try await Self.build(person, store, objects))

        #expect(zip.names == ["text/2026-03-07_18-30-05.txt", "index.html", "manifest.json"])
    }

    @Test("a zip whose lease was lost leaves no object behind")
    func lost() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let scratch = try Scratch()
        store.put(try Self.export(), try Self.profile(person), pages: [])
        store.failFinishing(.leaseLost)
        let work = BuildExport(
            store: store, objects: objects.store, keys: person.keys, folders: scratch.folders, tenants: StubTenants([]), limits: Limits(),
            publicURL: "https://diary.example", logger: .quiet)

        await #expect(throws: JobStop.abandoned) { _ = try await work.run(.make(.export, owner: person.owner)) }

        #expect(objects.keys.isEmpty)
    }

    @Test("A6: a zip stays when its commit's outcome is unknown")
    func unknown() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let scratch = try Scratch()
        store.put(try Self.export(), try Self.profile(person), pages: [])
        store.failFinishing(.unavailable(.unavailable(cause: "reply lost")), .leaseLost)
        let work = BuildExport(
            store: store, objects: objects.store, keys: person.keys, folders: scratch.folders, tenants: StubTenants([]), limits: Limits(),
            publicURL: "https://diary.example", logger: .quiet)

        await #expect(throws: JobStop.abandoned) { _ = try await work.run(.make(.export, owner: person.owner)) }

        #expect(objects.keys.count == 1)
    }

    @Test("how long a zip may be kept by its schedule is what the app says, and nothing without it", arguments: [nil, "90"] as [String?])
    func kept(days: String?) async throws {
        let person = try await Person()
        var app = TenantConfiguration()
        if let days { try app.set("exports.keep_days", to: days) }
        try app.set("exports.link_seconds", to: "600")
        let tenant = Tenant(
            id: person.owner.tenant, slug: "diary", name: "Diary", mailFromName: "Diary", mailFromAddress: "diary@diary.example",
            createdAt: .now, suspendedAt: nil, configuration: app)
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        store.put(try Self.export(), try Self.profile(person), pages: [])
        let before = Date.now

        _ = try await Self.build(person, store, objects, apps: [tenant])

        let finished = try #require(store.finishedExport)
        #expect((before.addingTimeInterval(600)...Date.now.addingTimeInterval(600)).contains(finished.expiresAt))
        #expect(store.keptZip?.releasedSeconds == days.map { _ in 600 })
        let until = store.keptZip?.until.timeIntervalSince(finished.expiresAt)
        #expect(until.map { ($0 / 86_400).rounded() } == days.map { _ in 90 })
    }

    @Test("a zip is built for an account without a verified address, too: its owner downloads it (decision D20)")
    func unverified() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        store.put(try Self.export(), try Self.profile(person, verified: false), pages: [])

        let zip = try await Self.build(person, store, objects)

        #expect(try await Self.read(zip).names == ["index.html", "manifest.json"])
    }
}
