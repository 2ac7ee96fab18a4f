import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Synchronization

@testable import DiaryObjectStore

/// The sealing layer over a disk store in a folder of its own, which is removed with this object.
final class TestDisk: Sendable {
    let folder: URL
    let root: URL
    let bytes: DiskByteStore
    let store: SealedObjectStore
    let dataKey = DataKey.generate()
    let tenant = TenantID(UUID())
    let user = UserID(UUID())

    init(threads: Int = 4) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "diary-objects-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        root = folder.appending(path: "root")
        bytes = try DiskByteStore(root: root.path, threads: threads)
        store = SealedObjectStore(bytes: bytes)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func key(_ kind: ObjectKey.Kind = .staging) -> ObjectKey {
        ObjectKey(kind: kind, tenant: tenant, user: user, object: UUID())
    }

    func file(_ key: ObjectKey) -> URL { root.appending(path: key.description) }

    func temporaryNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "tmp").path)
    }

    @discardableResult
    func put(_ key: ObjectKey, _ bytes: [UInt8], length: Int64? = nil, sha256: [UInt8]? = nil, chunk: Int = 10_000) async throws -> [UInt8]
    {
        try await store.put(
            key, from: ArrayBody(bytes, chunk: chunk), length: length ?? Int64(bytes.count), sha256: sha256, sealedBy: dataKey)
    }

    func read(_ key: ObjectKey, _ range: Range<Int64> = 0..<Int64.max) async throws -> [UInt8] {
        let stream = try await store.read(key, range: range, openedBy: dataKey)
        var all: [UInt8] = []
        while let piece = try await stream.next() {
            guard (1...262_144).contains(piece.count) else { throw ObjectStoreError.lengthMismatch }
            all += piece
        }
        return all
    }

    /// Files of this disk that the process holds open.
    func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)") else { return false }
            return target.hasPrefix(root.path)
                && target.split(separator: "/").last.map { UUID(uuidString: String($0.prefix(36))) != nil } == true
        }.count
    }
}

extension TestDisk {
    /// A pool thread may release its last job a moment after the job's result is there.
    func closesAll() async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(5)
        while try openFiles() > 0 {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}

/// Bytes that depend on their place, so that a wrong order is noticed.
func pattern(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}
