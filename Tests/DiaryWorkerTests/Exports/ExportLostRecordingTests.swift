import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Logging
import TestSupport
import Testing
import WireFormats

@testable import DiaryWorker

@Suite("Exports of recordings that are missing or damaged", .timeLimit(.minutes(2)))
struct ExportLostRecordingTests {
    /// Recordings of 200,000 bytes, which are several segments, one a day.
    private struct Scene {
        let person: Person
        let store = ScriptedJobStore()
        let objects: MemoryObjects
        let recordings: [UUID]
        /// Copies that play in the place of `recordings`, which are kept; empty without any.
        let copies: [UUID]
        let lines = RecordedLines()

        init(count: Int = 3, saysDigest: Bool = true, hasCopies: Bool = false) async throws {
            person = try await Person()
            objects = MemoryObjects(sealedBy: person.vault.key)
            recordings = (0..<count).map { _ in UUID() }
            copies = hasCopies ? recordings.map { _ in UUID() } : []
            var entries: [StoredExportEntry] = []
            for (index, object) in recordings.enumerated() {
                let audio = SecureRandom.bytes(200_000)
                objects[person.key(.audio, object)] = audio
                let facts = EntryFacts.make(
                    id: try ExportTests.id(String(format: "%08x", 0xaaaa_0000 + index)),
                    local: LocalTime(year: 2026, month: 3, day: index + 1, hour: 9, minute: 0, second: 0),
                    sha256: saysDigest ? SHA256.digest(audio) : nil, object: object)
                var entry = StoredExportEntry(
                    entry: try person.vault.entry(facts, PersonalPart(title: "day \(index)"), MachinePart(raw: "words \(index)")))
                if hasCopies {
                    let copy = SecureRandom.bytes(200_000)
                    objects[person.key(.audio, copies[index])] = copy
                    entry.copy = PlayableCopy(
                        object: copies[index], sizeBytes: Int64(copy.count), sha256: SHA256.digest(copy), isOriginalKept: true)
                }
                entries.append(entry)
            }
            store.put(try ExportTests.export(), try ExportTests.profile(person), entries: [entries])
        }

        /// Alters a byte of the object, counted from its end for a negative place. It begins with the header and ends with the last segment.
        func flip(_ recording: UUID, at place: Int) throws {
            let key = person.key(.audio, recording)
            var bytes = try #require(objects.bytes[key])
            bytes[place < 0 ? bytes.count + place : place] ^= 1
            objects.bytes[key] = bytes
        }

        func remove(_ recording: UUID) { objects.bytes[person.key(.audio, recording)] = nil }

        /// - Parameter failed: tries before this one.
        func build(failed: Int, partBytes: Int64 = 1 << 30) async throws -> JobKind? {
            var limits = Limits()
            limits.exportPartBytes = partBytes
            let scratch = try Scratch()
            let job = BuildExport(
                store: store, objects: objects.store, keys: person.keys, folders: scratch.folders, tenants: StubTenants([]),
                limits: limits, publicURL: "https://diary.example", logger: lines.logger)
            let result = try await job.run(.make(.export, owner: person.owner, errors: failed))
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folders.root).isEmpty)
            return result
        }

        func zip(_ object: UUID?) async throws -> ExportTests.Reading {
            let key = person.key(.export, try #require(object))
            return try await ExportTests.read(try #require(objects[key]))
        }

        /// Of each entry, in order: why it has no recording.
        static func gaps(of zips: ExportTests.Reading...) throws -> [String?] {
            try zips.flatMap { zip -> [String?] in
                let entries = try #require(try ExportTests.manifest(of: zip)["entries"] as? [[String: Any]])
                return entries.map(ExportTests.missingAudio)
            }
        }
    }

    private static let tries = ExportBuild.triesForRecordings

    @Test(
        "one that the store does not have fails a try and soon another; the fourth makes the zip without it, and says so",
        arguments: [true, false])
    func missing(saysDigest: Bool) async throws {
        let scene = try await Scene(saysDigest: saysDigest)
        scene.remove(scene.recordings[1])
        for failed in 0..<Self.tries {
            let stop = await #expect(throws: JobStop.self) { _ = try await scene.build(failed: failed) }
            #expect(stop?.outcome == .retry(.storageUnavailable, after: failed == 0 ? nil : ExportRecordings.patience))
        }
        #expect(scene.store.finishedExport == nil && scene.lines.all.isEmpty)

        #expect(try await scene.build(failed: Self.tries) == .mail)

        let zip = try await scene.zip(scene.store.finishedExport?.object)
        #expect(try Scene.gaps(of: zip) == [nil, "missing", nil])
        #expect(zip.names.filter { $0.hasPrefix("audio/") }.count == 2 && zip.names.filter { $0.hasPrefix("text/") }.count == 3)
        #expect(zip.texts["index.html"]?.contains(ExportIndexWords(.en)[.missingRecording]) == true)
        let line = try #require(scene.lines.all.first)
        #expect(scene.lines.all.count == 1 && Set(line.metadata.keys) == ["entry", "tenant", "reason"])
        let entry = try ExportTests.id("aaaa0001")
        #expect(line.metadata["entry"] == "\(entry)")
    }

    @Test("one whose header does not open likewise, and one that is found damaged while its digest is taken")
    func damagedBefore() async throws {
        for (saysDigest, place) in [(true, 0), (false, 0), (false, -1)] {
            let scene = try await Scene(saysDigest: saysDigest)
            try scene.flip(scene.recordings[0], at: place)
            _ = await #expect(throws: JobStop.self) { _ = try await scene.build(failed: 0) }

            #expect(try await scene.build(failed: Self.tries) == .mail)

            let zip = try await scene.zip(scene.store.finishedExport?.object)
            #expect(try Scene.gaps(of: zip) == ["damaged", nil, nil])
            #expect(zip.texts["index.html"]?.contains(ExportIndexWords(.en)[.damagedRecording]) == true)
        }
    }

    @Test("a checked recording that waits for the recogniser is looked for again, too, and does not pass for one that never arrived")
    func waiting() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let queued = Processing(stage: .transcribe, attempt: 0, nextAttemptAt: nil, code: nil)
        let facts = EntryFacts.make(status: .uploaded, seconds: 60, object: UUID(), processing: queued)
        store.put(try ExportTests.export(), try ExportTests.profile(person), pages: [[try person.vault.entry(facts)]])

        let stop = await #expect(throws: JobStop.self) { _ = try await ExportTests.build(person, store, objects) }

        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
    }

    @Test("the original takes the place of a copy that the store does not have, without waiting")
    func originals() async throws {
        let person = try await Person()
        let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
        let object = UUID()
        objects[person.key(.audio, object)] = [9, 9]
        var entry = StoredExportEntry(entry: try person.vault.entry(EntryFacts.make(sha256: SHA256.digest([9, 9]), object: object)))
        entry.copy = PlayableCopy(object: UUID(), sizeBytes: 3, sha256: SHA256.digest([1, 2, 3]), isOriginalKept: true)
        store.put(try ExportTests.export(), try ExportTests.profile(person), entries: [[entry]])

        let zip = try await ExportTests.read(try await ExportTests.build(person, store, objects))

        let path = try #require(zip.names.first { $0.hasPrefix("audio/") })
        #expect(zip.hashes[path] == Hex.encode(SHA256.digest([9, 9])))
        #expect(try Scene.gaps(of: zip) == [nil])
    }

    @Test("a store that is away leaves nothing out, however often it was tried")
    func away() async throws {
        let scene = try await Scene()
        scene.objects.bytes.hooks.unreadable = [scene.person.key(.audio, scene.recordings[1])]

        let stop = await #expect(throws: JobStop.self) { _ = try await scene.build(failed: Self.tries + 3) }

        #expect(stop?.outcome == .outage(.storageUnavailable))
        #expect(scene.store.finishedExport == nil && scene.lines.all.isEmpty)
    }

    @Test("segments that are found damaged while the zip is made: the third try begins again without all of them")
    func damagedSegments() async throws {
        let scene = try await Scene(count: 4)
        for place in [1, 3] { try scene.flip(scene.recordings[place], at: -1) }
        let stop = await #expect(throws: JobStop.self) { _ = try await scene.build(failed: 0) }
        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil), "\(stop?.cause ?? "no cause")")

        #expect(try await scene.build(failed: Self.tries) == .mail)

        let zip = try await scene.zip(scene.store.finishedExport?.object)
        #expect(try Scene.gaps(of: zip) == [nil, "damaged", nil, "damaged"])
        #expect(scene.store.snapshots == 3, "one of the first try, and two of the last")
        #expect(scene.objects.keys.filter { $0.kind == .export }.count == 1)
    }

    @Test("an original that takes the place of a damaged copy and is damaged, too, is left out in the same try")
    func damagedCopyAndOriginal() async throws {
        let scene = try await Scene(hasCopies: true)
        for object in [scene.copies[1], scene.recordings[1], scene.copies[2]] { try scene.flip(object, at: -1) }

        #expect(try await scene.build(failed: Self.tries) == .mail)

        let zip = try await scene.zip(scene.store.finishedExport?.object)
        #expect(try Scene.gaps(of: zip) == [nil, "damaged", nil])
        #expect(scene.store.snapshots == 3, "with both copies, with both originals, and without the damaged one")
        #expect(scene.objects.keys.filter { $0.kind == .export }.count == 1)
    }

    @Test("of an export in parts what was kept is given up, and every part is made anew without them")
    func damagedInParts() async throws {
        let scene = try await Scene()
        try scene.flip(scene.recordings[2], at: -1)

        #expect(try await scene.build(failed: Self.tries, partBytes: 250_000) == .mail)

        let kept = try #require(scene.store.checkpoint)
        #expect(kept.parts.count == 2 && scene.store.discardedObjects.count == 3, "the plan and two parts of the first one")
        let first = try await scene.zip(kept.parts.first?.object)
        let last = try await scene.zip(kept.parts.last?.object)
        #expect(try Scene.gaps(of: first, last) == [nil, nil, "damaged"])
    }

    @Test("one that opens when it is read again is not left out: the try fails")
    func misread() async throws {
        let scene = try await Scene()
        scene.objects.bytes.hooks.misread = { bytes in bytes.map { $0 ^ 1 } }

        _ = await #expect(throws: JobStop.self) { _ = try await scene.build(failed: Self.tries) }

        #expect(scene.store.finishedExport == nil && scene.lines.all.isEmpty)
        #expect(try await scene.build(failed: Self.tries + 1) == .mail)
        let zip = try await scene.zip(scene.store.finishedExport?.object)
        #expect(try Scene.gaps(of: zip) == [nil, nil, nil])
    }
}
