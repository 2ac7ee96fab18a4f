import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing
import WireFormats
import ZipArchive

@testable import DiaryWorker

@Suite("Exports in parts", .timeLimit(.minutes(2)))
struct ExportPartTests {
    /// Recordings of 20,000 bytes, one a day, in parts of at most 50,000: two in each.
    private struct Scene {
        let person: Person
        let store = ScriptedJobStore()
        let objects: MemoryObjects
        let recordings: [UUID]

        init(count: Int = 5, export: Export? = nil) async throws {
            person = try await Person()
            objects = MemoryObjects(sealedBy: person.vault.key)
            recordings = (0..<count).map { _ in UUID() }
            var entries: [StoredEntry] = []
            for (index, object) in recordings.enumerated() {
                let audio = SecureRandom.bytes(20_000)
                objects[person.key(.audio, object)] = audio
                let facts = EntryFacts.make(
                    id: try ExportTests.id(String(format: "%08x", 0xaaaa_0000 + index)),
                    local: LocalTime(year: 2026, month: 3, day: index + 1, hour: 9, minute: 0, second: 0), sha256: SHA256.digest(audio),
                    object: object)
                entries.append(try person.vault.entry(facts, PersonalPart(title: "day \(index)"), MachinePart(raw: "words \(index)")))
            }
            store.put(try export ?? ExportTests.export(), try ExportTests.profile(person), pages: [entries])
        }

        func build() async throws -> JobKind? {
            var limits = Limits()
            limits.exportPartBytes = 50_000
            let scratch = try Scratch()
            let job = BuildExport(
                store: store, objects: objects.store, keys: person.keys, folders: scratch.folders,
                tenants: StubTenants([]), limits: limits, publicURL: "https://diary.example",
                logger: .quiet)
            let result = try await job.run(.make(.export, owner: person.owner))
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folders.root).isEmpty)
            return result
        }

        /// Each part's zip, in order.
        func parts() async throws -> [ExportTests.Reading] {
            var found: [ExportTests.Reading] = []
            for part in try #require(store.checkpoint).parts {
                let object = try #require(part.object)
                let zip = try #require(objects[person.key(.export, object)])
                #expect(part.sizeBytes == Int64(zip.count))
                found.append(try await ExportTests.read(zip))
            }
            return found
        }

        var exportObjects: [ObjectKey] { objects.keys.filter { $0.kind == .export } }
    }

    @Test(
        "an export over the size has parts in order of time, each a zip with a manifest of its own that agrees with it, and no entry in two"
    )
    func split() async throws {
        let scene = try await Scene()

        #expect(try await scene.build() == .mail)

        let parts = try await scene.parts()
        #expect(parts.map { $0.names.filter { $0.hasPrefix("audio/") }.count } == [2, 2, 1])
        var days: [String] = []
        for (index, part) in parts.enumerated() {
            let manifest = try ExportTests.manifest(of: part)
            let entries = try #require(manifest["entries"] as? [[String: Any]])
            #expect(manifest["part"] as? [String: Int] == ["number": index + 1, "count": 3])
            #expect(manifest["entry_count"] as? Int == entries.count)
            let files = (entries + [manifest]).flatMap { $0["files"] as? [[String: Any]] ?? [] }
            #expect(Set(files.compactMap { $0["path"] as? String } + ["manifest.json"]) == Set(part.names))
            for file in files { #expect(file["sha256"] as? String == part.hashes[file["path"] as? String ?? ""]) }
            days += entries.compactMap { $0["local_date"] as? String }
        }
        #expect(days == (1...5).map { "2026-03-0\($0)" })
        #expect(Set(parts.flatMap(\.names)).count == 12, "names differ between parts, but for manifest and index")
        let finished = try #require(scene.store.finishedExport)
        #expect(finished.object == nil && finished.count == 5)
        let kept = try #require(scene.store.checkpoint)
        #expect(finished.size == kept.parts.compactMap(\.sizeBytes).reduce(0, +))
    }

    @Test("a try after a failure in the middle builds what is missing from the first one's snapshot, and nothing twice (A1)")
    func resumed() async throws {
        let scene = try await Scene()
        let away = scene.recordings[2]
        scene.objects.bytes.hooks.getting = { key throws(ObjectStoreError) in if key.object == away { throw .unavailable(full: false) } }
        let stop = await #expect(throws: JobStop.self) { _ = try await scene.build() }
        #expect(stop?.outcome == .outage(.storageUnavailable))
        let first = try #require(scene.store.checkpoint?.parts.first?.object)
        #expect(scene.store.checkpoint?.parts.map { $0.object != nil } == [true, false, false])
        // What is written now is in no part.
        let late = try scene.person.vault.entry(.make(.text, id: ExportTests.id("bbbbbbbb")), PersonalPart(edited: "late"))
        scene.store.put(try ExportTests.export(), try ExportTests.profile(scene.person), pages: [[late]])
        scene.objects.bytes.hooks.getting = nil

        #expect(try await scene.build() == .mail)

        #expect(scene.store.snapshots == 1)
        #expect(scene.store.checkpoint?.parts.first?.object == first)
        let parts = try await scene.parts()
        #expect(parts.flatMap(\.names).filter { $0.hasPrefix("audio/") }.count == 5)
        #expect(parts.flatMap { $0.texts.values }.filter { $0.hasPrefix("day ") }.count == 5)
        // Three parts and what the snapshot said, which the sweeper deletes.
        #expect(scene.exportObjects.count == 4)
    }

    @Test("a recording that is deleted before it was read ends the snapshot: what was kept is given up, and the next try takes a new one")
    func outdated() async throws {
        let scene = try await Scene()
        let away = scene.recordings[2]
        scene.objects.bytes.hooks.getting = { key throws(ObjectStoreError) in if key.object == away { throw .unavailable(full: false) } }
        _ = await #expect(throws: JobStop.self) { _ = try await scene.build() }
        scene.objects.bytes.hooks.getting = nil
        scene.objects[scene.person.key(.audio, away)] = nil

        let stop = await #expect(throws: JobStop.self) { _ = try await scene.build() }

        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
        #expect(scene.store.checkpoint == nil && scene.store.discardedObjects.count == 2)
        #expect(scene.exportObjects.isEmpty)
    }

    @Test("what was kept and cannot be read is given up likewise")
    func damaged() async throws {
        let scene = try await Scene()
        scene.store.put(checkpoint: ExportCheckpoint(object: UUID(), parts: [.init(entryCount: 1, object: UUID(), sizeBytes: 1)]))

        _ = await #expect(throws: JobStop.self) { _ = try await scene.build() }
        #expect(scene.store.checkpoint == nil && scene.store.discardedObjects.count == 2)
        #expect(try await scene.build() == .mail)
    }

    @Test("an export that is revoked in the middle stores no more parts, and leaves no object without a row")
    func revoked() async throws {
        let scene = try await Scene()
        let (store, third) = (scene.store, scene.recordings[2])
        scene.objects.bytes.hooks.getting = { key throws(ObjectStoreError) in if key.object == third { store.revoke() } }

        let stop = await #expect(throws: JobStop.self) { _ = try await scene.build() }

        #expect(stop?.outcome == .discard(.gone))
        // The first part and what the snapshot said, which the sweeper deletes by their rows.
        #expect(scene.exportObjects.count == 2 && store.checkpoint?.parts.compactMap(\.object).count == 1)
    }

    @Test("a member's record is read as it was written; bytes that are cut are refused")
    func records() throws {
        let members = [
            PlannedMember(
                path: "text/ü.txt", modified: ZipTimestamp(date: 0x5c21, time: 9), length: 1 << 40,
                content: .text(offset: 1 << 41, packed: 1 << 39, crc32: 0xdead_beef)),
            PlannedMember(path: "audio/a.m4a", modified: ZipTimestamp(date: 1, time: 0xffff), length: 0, content: .recording(UUID())),
        ]
        let bytes = members.flatMap(\.record)
        func read(_ count: Int) throws -> [PlannedMember] {
            var found: [PlannedMember] = []
            try PlannedMember.forEach(in: Array(bytes.prefix(count))) { found.append($0) }
            return found
        }

        #expect(try read(bytes.count) == members)
        for count in 1..<bytes.count where count != members[0].record.count {
            #expect(throws: ObjectStoreError.damaged) { _ = try read(count) }
        }
    }

    @Test("a temporary folder without space is said with how much is missing", arguments: [(0, nil), (-1, 1), (-500, 500)])
    func space(spare: Int64, missing: Int64?) {
        let stop = TempSpace.refusal(of: 1_000, free: 1_000 + TempSpace.margin + spare)

        #expect(stop?.outcome == missing.map { _ in .retry(.storageUnavailable, after: nil) })
        #expect(stop?.cause == missing.map { "temporary folder: \($0) bytes missing of \(1_000 + TempSpace.margin)" })
        #expect(TempSpace.refusal(of: .max, free: .max) == nil)
    }

    @Test("progress counts what earlier tries finished, and estimates by what this one does")
    func progress() {
        let parts = [(2, Int64(100)), (3, 200), (5, 700)].map { ExportPlan.Part(entries: $0.0, bytes: $0.1) }
        let progress = BuildProgress(parts, finished: [parts[0]])
        #expect(progress.now.estimatedSeconds == nil)
        #expect(progress.now.percent == 10 && progress.now.entries == 2 && progress.now.entriesTotal == 10)

        progress.begin(parts[1])
        progress.report(0.5)
        let half = progress.now
        progress.end()

        #expect(half.bytes == 200 && half.bytesTotal == 1_000 && half.entries == 3 && half.estimatedSeconds != nil)
        #expect(progress.now.bytes == 300 && progress.now.entries == 5)
    }
}
