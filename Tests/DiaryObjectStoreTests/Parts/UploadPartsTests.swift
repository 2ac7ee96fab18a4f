import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryObjectStore

@Suite("Uploads in parts")
struct UploadPartsTests {
    /// Parts of a disk, for a recording of two and a half.
    private struct Scene {
        static let partSize = 200_000
        let disk: TestDisk
        let parts: SealedUploadParts
        let upload: PartUpload
        let whole = pattern(500_000)

        init() async throws {
            disk = try TestDisk()
            parts = SealedUploadParts(bytes: disk.bytes, objects: disk.store)
            let key = disk.key()
            upload = PartUpload(
                key: key, id: try await parts.begin(key, contentType: "audio/mp4"), contentType: "audio/mp4", size: 500_000,
                partSize: Int64(Self.partSize))
        }

        var folder: URL { disk.root.appending(path: "parts/\(disk.tenant)/\(disk.user)") }
        var set: URL { folder.appending(path: "\(upload.key.object.lowercaseText).\(upload.id)") }

        func bytes(_ number: Int) -> [UInt8] { Array(whole.dropFirst((number - 1) * Self.partSize).prefix(Self.partSize)) }

        @discardableResult
        func send(_ number: Int, _ bytes: [UInt8]? = nil, of upload: PartUpload? = nil, length: Int? = nil) async throws -> [UInt8] {
            let upload = upload ?? self.upload
            let bytes = bytes ?? self.bytes(number)
            return try await parts.receive(
                PartKey(key: upload.key, upload: upload.id, number: number), from: ArrayBody(bytes, chunk: 10_000),
                length: Int64(length ?? bytes.count), sealedBy: disk.dataKey)
        }

        func join() async throws {
            try await parts.join(upload, of: try await parts.arrived(upload), sealedBy: disk.dataKey)
        }
    }

    @Test("parts that come in any order and at once are joined to the recording, sealed and durable under its key")
    func joined() async throws {
        let scene = try await Scene()
        #expect(try await scene.parts.arrived(scene.upload).isEmpty)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in [3, 1, 2] { group.addTask { try await scene.send(number) } }
            try await group.waitForAll()
        }
        let arrived = try await scene.parts.arrived(scene.upload)
        #expect(arrived == [200_000, 200_000, 100_000].enumerated().map { ArrivedPart(number: $0 + 1, size: $1) })
        #expect(scene.upload.isComplete(arrived))
        try await scene.join()

        #expect(try await scene.disk.read(scene.upload.key) == scene.whole)
        try await scene.disk.store.confirmDurable(scene.upload.key)
        await #expect(throws: ObjectStoreError.alreadyExists) { try await scene.join() }
        try await scene.disk.store.promote(scene.upload.key, to: scene.upload.key.promoted, sealedBy: scene.disk.dataKey)
        await #expect(throws: ObjectStoreError.alreadyExists) { try await scene.join() }
        try await scene.parts.discard(scene.upload.key, id: nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.disk.root.path + "/parts").isEmpty)
        #expect(try scene.disk.temporaryNames().isEmpty)
    }

    @Test("parts that this process holds are stored as those that arrive")
    func held() async throws {
        let scene = try await Scene()
        for number in 1...3 {
            let part = PartKey(key: scene.upload.key, upload: scene.upload.id, number: number)
            try await scene.parts.put(part, scene.bytes(number), sealedBy: scene.disk.dataKey)
        }
        try await scene.join()
        #expect(try await scene.disk.read(scene.upload.key) == scene.whole)
    }

    @Test("calls that join one set at once share a join, and one that is cancelled does not end it")
    func joinedAtOnce() async throws {
        let scene = try await Scene()
        for number in 1...3 { try await scene.send(number) }
        let gated = GatedParts(scene.disk.bytes)
        let parts = SealedUploadParts(bytes: gated, objects: scene.disk.store)
        let arrived = try await parts.arrived(scene.upload)
        let (upload, dataKey) = (scene.upload, scene.disk.dataKey)

        let first = Task { try await parts.join(upload, of: arrived, sealedBy: dataKey) }
        try await until { parts.joins.callers(of: upload) == 1 }
        let others = (0..<7).map { _ in Task { try await parts.join(upload, of: arrived, sealedBy: dataKey) } }
        // Without a shared join a second reading of the first part begins.
        try await until { parts.joins.callers(of: upload) == 8 || gated.readings > 1 }
        first.cancel()
        gated.open()
        for other in others { try await other.value }

        #expect(gated.readings == 3, "each part once")
        #expect(try await scene.disk.read(upload.key) == scene.whole)
        #expect(parts.joins.callers(of: upload) == 0)
    }

    @Test("a part that comes again replaces the one before, also with other bytes; one that breaks off leaves it as it was")
    func repeated() async throws {
        let scene = try await Scene()
        let wrong = [UInt8](repeating: 7, count: Scene.partSize)
        for number in 1...3 { try await scene.send(number) }

        try await scene.send(2, wrong)
        let digest = try await scene.send(2)
        #expect(digest == SHA256.digest(scene.bytes(2)))
        for (bytes, length) in [(Array(wrong.dropLast()), 200_000), (wrong + [7], 200_000)] {
            await #expect(throws: ObjectStoreError.lengthMismatch) { try await scene.send(2, bytes, length: length) }
        }

        #expect(try scene.disk.temporaryNames().isEmpty)
        try await scene.join()
        #expect(try await scene.disk.read(scene.upload.key) == scene.whole)
    }

    @Test("no word of a part is readable on the disk, and its file is its owner's alone")
    func sealed() async throws {
        let scene = try await Scene()
        let words = Array(String(repeating: "what the diary says ", count: 10_000).utf8)
        try await scene.send(1, words)

        let file = scene.set.appending(path: "00001")
        let stored = try Data(contentsOf: file)
        #expect(stored.range(of: Data("what the diary".utf8)) == nil)
        #expect(Int64(stored.count) == SealedObjectLayout.sealedLength(ofPlain: Int64(words.count)))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("a part of another length, of a number that the recording does not have, or cut short does not count")
    func lengths() async throws {
        let scene = try await Scene()
        try await scene.send(1, Array(scene.bytes(1).dropLast()))
        try await scene.send(3)
        try await scene.send(4, scene.bytes(3))
        try await scene.send(2)
        let cut = try FileHandle(forWritingTo: scene.set.appending(path: "00002"))
        try cut.truncate(atOffset: 100_000)
        try cut.close()
        try Data([1]).write(to: scene.set.appending(path: "1"))

        #expect(try await scene.parts.arrived(scene.upload).map(\.number) == [3])
    }

    @Test("parts whose files were exchanged, within a set or between sets, or altered are not joined")
    func exchanged() async throws {
        let files = FileManager.default
        let damages: [(Scene, Scene) throws -> Void] = [
            { scene, _ in
                try files.moveItem(at: scene.set.appending(path: "00001"), to: scene.set.appending(path: "x"))
                try files.moveItem(at: scene.set.appending(path: "00002"), to: scene.set.appending(path: "00001"))
                try files.moveItem(at: scene.set.appending(path: "x"), to: scene.set.appending(path: "00002"))
            },
            { scene, other in
                try files.removeItem(at: scene.set.appending(path: "00001"))
                try files.copyItem(at: other.set.appending(path: "00001"), to: scene.set.appending(path: "00001"))
            },
            { scene, _ in
                let file = try FileHandle(forUpdating: scene.set.appending(path: "00002"))
                try file.seek(toOffset: 100_000)
                let byte = try #require(try file.read(upToCount: 1)?.first)
                try file.seek(toOffset: 100_000)
                try file.write(contentsOf: [byte ^ 1])
                try file.close()
            },
        ]
        for damage in damages {
            let (scene, other) = (try await Scene(), try await Scene())
            for number in 1...3 {
                try await scene.send(number)
                try await other.send(number)
            }
            try damage(scene, other)

            await #expect(throws: ObjectStoreError.damaged) { try await scene.join() }

            await #expect(throws: ObjectStoreError.missing) { try await scene.disk.store.facts(scene.upload.key) }
            #expect(try scene.disk.temporaryNames().isEmpty)
        }
    }

    @Test("D8: a set's name that the store did not give, and links in the tree, lead nowhere")
    func hostile() async throws {
        let scene = try await Scene()
        for name in ["..", "../../tmp", "a", "", "/etc", scene.upload.id.uppercased(), scene.upload.id + "\0", scene.upload.id + "/x"] {
            let upload = PartUpload(key: scene.upload.key, id: name, contentType: "audio/mp4", size: 10, partSize: 10)
            await #expect(throws: ObjectStoreError.missing) { try await scene.send(1, [UInt8](repeating: 1, count: 10), of: upload) }
            await #expect(throws: ObjectStoreError.missing) { try await scene.parts.arrived(upload) }
            try await scene.parts.discard(upload.key, id: name)
        }
        for number in [0, -1, 100_000] { await #expect(throws: ObjectStoreError.missing) { try await scene.send(number, [1]) } }
        let outside = scene.disk.folder.appending(path: "outside")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: scene.folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: scene.set, withDestinationURL: outside)
        await #expect(throws: ObjectStoreError.damaged) { try await scene.send(1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
        #expect(try scene.disk.temporaryNames().isEmpty)
    }

    @Test("an ended set and every set of a recording are discarded without touching another's; erasure takes all of a user's")
    func discarded() async throws {
        let scene = try await Scene()
        let next = PartUpload(
            key: scene.upload.key, id: try await scene.parts.begin(scene.upload.key, contentType: "audio/mp4"), contentType: "audio/mp4",
            size: 500_000, partSize: 200_000)
        let other = PartUpload(key: scene.disk.key(), id: next.id, contentType: "audio/mp4", size: 500_000, partSize: 200_000)
        for upload in [scene.upload, next, other] { try await scene.send(1, of: upload) }

        try await scene.parts.discard(scene.upload.key, id: scene.upload.id)
        #expect(try await scene.parts.arrived(scene.upload).isEmpty)
        #expect(try await scene.parts.arrived(next).count == 1)
        try await scene.send(2, of: next)
        try await scene.parts.discard(next.key, id: nil)
        #expect(try await scene.parts.arrived(next).isEmpty)
        #expect(try await scene.parts.arrived(other).count == 1)

        for number in 2...3 { try await scene.send(number, of: other) }
        let owner = Owner(tenant: scene.disk.tenant, user: scene.disk.user)
        #expect(try await scene.disk.store.removeAll(of: owner, most: 2) == 2)
        #expect(try await scene.disk.store.removeAll(of: owner, most: 9) == 1)
        #expect(try await scene.disk.store.removeAll(of: owner, most: 9) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.disk.root.path + "/parts").isEmpty)
    }

    @Test("the listing has every set of every user once, by pages, and the old ones alone")
    func listed() async throws {
        let scene = try await Scene()
        var all: Set<String> = []
        for _ in 0..<3 {
            let key = ObjectKey(kind: .staging, tenant: TenantID(UUID()), user: UserID(UUID()), object: UUID())
            for _ in 0..<2 {
                let upload = PartUpload(
                    key: key, id: try await scene.parts.begin(key, contentType: "audio/mp4"), contentType: "audio/mp4", size: 10,
                    partSize: 10)
                try await scene.send(1, [UInt8](repeating: 1, count: 10), of: upload)
                all.insert("\(key) \(upload.id)")
            }
        }

        for limit in [1, 2, 4, 100] {
            var (found, after): ([String], StoredPartUpload?) = ([], nil)
            repeat {
                let page = try await scene.parts.list(olderThan: .distantFuture, after: after, limit: limit)
                found += page.uploads.map { "\($0.key) \($0.id)" }
                after = page.next
            } while after != nil
            #expect(found.count == all.count && Set(found) == all, "\(limit)")
        }
        #expect(try await scene.parts.list(olderThan: Date(timeIntervalSinceNow: -60), after: nil, limit: 100).uploads.isEmpty)
    }
}
