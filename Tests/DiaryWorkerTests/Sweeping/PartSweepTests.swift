import DiaryCore
import DiaryCrypto
import DiaryObjectStore
import DiaryTesting
import Foundation
import Logging
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The sweep of parts")
struct PartSweepTests {
    /// Over a disk of its own, which is removed with it.
    private final class Scene: Sendable {
        let folder = FileManager.default.temporaryDirectory.appending(path: "diary-parts-\(UUID().uuidString)")
        let objects: SealedObjectStore
        let parts: SealedUploadParts
        let keys: DataKeys
        let store = ScriptedSweepStore()
        let signals = SignalLog()

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let disk = try DiskByteStore(root: folder.path)
            objects = SealedObjectStore(bytes: disk)
            parts = SealedUploadParts(bytes: disk, objects: objects)
            let ring = try #require(Stub.keyRing)
            keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var limits: Limits {
            var limits = Limits()
            limits.orphanSeconds = -60
            return limits
        }

        var sweeps: DiarySweeps {
            get throws { try .of(store, objects, parts: parts, keys: keys, signals: signals, limits: limits) }
        }

        /// An entry of ten bytes that waits for three parts.
        func upload(_ owner: Owner = .someone, arrived numbers: [Int]) async throws -> AwaitingParts {
            let upload = AwaitingUpload(
                owner: owner, entry: EntryID(UUID()), object: UUID(), size: 10, createdAt: .now, expiresAt: .now.addingTimeInterval(60))
            let key = ObjectKey(kind: .staging, owner: owner, object: upload.object)
            let set = PartUpload(
                key: key, id: try await parts.begin(key, contentType: "audio/mp4"), contentType: "audio/mp4", size: 10, partSize: 4)
            for number in numbers {
                let bytes = [UInt8](repeating: UInt8(number), count: Int(try #require(set.length(of: number))))
                _ = try await parts.receive(
                    PartKey(key: key, upload: set.id, number: number), from: ArrayBody(bytes), length: Int64(bytes.count),
                    sealedBy: try await keys.key(of: owner))
            }
            let awaiting = AwaitingParts(upload: upload, parts: set)
            store.awaitingParts.change { $0.append(awaiting) }
            store.wantedParts.change { $0.insert(set.id) }
            return awaiting
        }
    }

    @Test(
        "D7: parts that are all there are joined and their entry completed; others wait, and an owner that is gone does not stop the rest")
    func completes() async throws {
        let scene = try Scene()
        let gone = Owner.someone
        scene.store.goneOwners.set([gone])
        _ = try await scene.upload(gone, arrived: [1, 2, 3])
        let some = try await scene.upload(arrived: [1, 3])
        let full = try await scene.upload(arrived: [3, 2, 1])

        let sweeps = try scene.sweeps
        try await wholeWalk { try await sweeps.completeParts(&$0) }

        #expect(scene.store.completed.now == [full.upload.entry])
        #expect(scene.signals.kinds == [.verify])
        #expect(try await scene.objects.facts(full.parts.key).size == 10)
        #expect(try await scene.parts.arrived(full.parts).isEmpty)
        #expect(try await scene.parts.arrived(some.parts).count == 2)
        await #expect(throws: ObjectStoreError.missing) { try await scene.objects.facts(some.parts.key) }
    }

    @Test("parts that were joined before a crash complete their entry")
    func joinedBefore() async throws {
        let scene = try Scene()
        let full = try await scene.upload(arrived: [1, 2, 3])
        try await scene.parts.join(
            full.parts, of: try await scene.parts.arrived(full.parts), sealedBy: try await scene.keys.key(of: full.upload.owner))

        let sweeps = try scene.sweeps
        try await wholeWalk { try await sweeps.completeParts(&$0) }

        #expect(scene.store.completed.now == [full.upload.entry])
    }

    @Test("a round joins some sets, and the next one goes on behind them")
    func bounded() async throws {
        let scene = try Scene()
        for _ in 0...DiarySweeps.joined { _ = try await scene.upload(arrived: [1, 2, 3]) }
        let sweeps = try scene.sweeps
        var walk = SweepWalk<EntryID>()
        walk.begin()

        try await sweeps.completeParts(&walk)
        #expect(scene.store.completed.now.count == DiarySweeps.joined && walk.isUnderWay)
        try await sweeps.completeParts(&walk)

        #expect(scene.store.completed.now == scene.store.awaitingParts.now.map(\.upload.entry) && !walk.isUnderWay)
    }

    @Test("D7: sets that no entry waits for are deleted, but for those of times that are kept after a restore")
    func orphans() async throws {
        let scene = try Scene()
        let wanted = try await scene.upload(arrived: [1])
        let orphan = try await scene.upload(arrived: [1, 2])
        scene.store.wantedParts.change { $0.remove(orphan.parts.id) }

        let sweeps = try scene.sweeps

        scene.store.kept.set([Date.distantPast...Date.distantFuture])
        try await wholeWalk { try await sweeps.collectOrphanParts(&$0) }
        #expect(try await scene.parts.arrived(orphan.parts).count == 2)
        scene.store.kept.set([])
        try await wholeWalk { try await sweeps.collectOrphanParts(&$0) }

        #expect(try await scene.parts.arrived(orphan.parts).isEmpty)
        #expect(try await scene.parts.arrived(wanted.parts).count == 1)
    }
}
