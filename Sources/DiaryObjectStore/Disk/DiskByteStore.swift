package import DiaryCore
package import DiaryCrypto
import Glibc

/// Sealed objects as files under one root folder, by S3's rules: written whole or not at all, never overwritten.
///
/// All processes of one installation may share the root. Reads and writes run on a few threads of the store's own;
/// a put or a read in progress holds about three segments (200 KiB).
package struct DiskObjectStore: ObjectStore {
    let tree: ObjectTree
    let pool: BlockingPool

    /// Bytes gathered before they are handed to a thread: bodies arrive in pieces of some KiB.
    static let batch = SealedObjectLayout.segmentSize

    /// Makes the root's folders (0700) where they are missing. Waits for the disk: call it at start.
    package init(root: String, threads: Int = 4) throws(ObjectStoreError) {
        tree = try ObjectTree(root: root)
        pool = try BlockingPool(threads: threads)
    }

    /// Whether this process may make files here; for readiness. Does not tell a full disk.
    package func isWritable() async -> Bool {
        let answer = try? await pool.run { () throws(ObjectStoreError) in tree.temporary.isWritable() }
        return answer ?? false
    }

    /// - Throws: `damaged` for a file that is not a sealed object of its own header's length.
    package func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts {
        try await pool.run { () throws(ObjectStoreError) in try tree.facts(key) }
    }

    /// Looks for all of them on one thread: a step of its own for each costs more than the look.
    /// - Returns: for each key its plain size; nil when nothing whole is there.
    package func sizes(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<Int64?, ObjectStoreError>] {
        try await pool.run { () throws(ObjectStoreError) in keys.map { tree.size($0) } }
    }

    /// - Parameter range: cut to the object's end.
    package func read(
        _ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey
    ) async throws(ObjectStoreError) -> any ByteStream {
        try await pool.run { () throws(ObjectStoreError) in
            try StoredObjectReader(try tree.file(key), key: key, range: range, openedBy: dataKey, pool: pool)
        }
    }

    /// Links, syncs, unlinks: after a crash between these steps both names are there and a second call ends it.
    /// - Throws: `alreadyExists` when another object lies at `final`, `damaged` when `final` is another object's key.
    package func promote(_ key: ObjectKey, to final: ObjectKey) async throws(ObjectStoreError) {
        guard key.object == final.object, key != final, key.purpose == final.purpose else { throw .damaged }
        try await pool.run { () throws(ObjectStoreError) in
            guard let source = try tree.status(key) else {
                guard try tree.status(final) != nil else { throw .missing }
                return
            }
            do throws(ObjectStoreError) {
                try tree.publish(key.objectName, from: try tree.folder(key), as: final)
            } catch .alreadyExists {
                guard try tree.status(final)?.identity == source.identity else { throw .alreadyExists }
                try tree.sync(final)
            }
            try tree.remove(key)
        }
    }

    package func persist(_ key: ObjectKey) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in
            guard try tree.status(key) != nil else { throw .missing }
            try tree.sync(key)
        }
    }

    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in _ = try tree.remove(key) }
    }

    /// Removes what killed writers left in `tmp`; call it at start. Files of writers that live, in any process, stay.
    /// - Returns: how many were removed.
    @discardableResult
    package func wipeTemporary() async throws(ObjectStoreError) -> Int {
        try await pool.run { () throws(ObjectStoreError) in try tree.wipeTemporary() }
    }
}
