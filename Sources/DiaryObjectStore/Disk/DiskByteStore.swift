import BlockingCalls
package import DiaryCore
package import FoundationEssentials
import Glibc

/// Objects as files under one root folder. Several processes of one installation may share it.
///
/// File calls run on a few threads of the store's own, one change of thread for each piece (decision D5). Names, durability and locks:
/// `ObjectTree`, `IncomingFile`.
package struct DiskByteStore: ByteStore {
    let tree: ObjectTree
    let parts: PartTree
    let pool: BlockingPool

    /// Makes the root's folders (0700) where they are missing. Blocks on the disk: call it at start.
    package init(root: String, threads: Int = 4) throws(ObjectStoreError) {
        tree = try ObjectTree(root: root)
        parts = try PartTree(in: tree)
        pool = BlockingPool(threads: threads)
    }

    /// What is left for this process; nil when the disk does not answer.
    package func space() async -> DiskSpace? {
        try? await pool.run { () throws(ObjectStoreError) in try tree.temporary.space() }
    }

    /// Whether this process may make files here; for readiness. Does not detect a full disk (`space`).
    package func isWritable() async -> Bool {
        let answer = try? await pool.run { () throws(ObjectStoreError) in tree.temporary.isWritable() }
        return answer ?? false
    }

    /// Removes what killed writers left in `tmp`; call it at start. Files of running writers, in any process, stay.
    /// - Returns: how many were removed.
    @discardableResult
    package func wipeTemporary() async throws(ObjectStoreError) -> Int {
        try await pool.run { () throws(ObjectStoreError) in try tree.wipeTemporary() }
    }

    package func put(_ key: ObjectKey, length: Int64, from source: any ByteSource) async throws {
        let incoming = try await pool.run { () throws(ObjectStoreError) in
            // The publication finds out what is put meanwhile.
            guard try tree.status(key) == nil else { throw .alreadyExists }
            return try IncomingFile(in: tree, length: length) { [tree] name throws(ObjectStoreError) in
                try tree.publish(name, from: tree.temporary, as: key)
            }
        }
        try await write(source, to: incoming)
    }

    func write(_ source: any ByteSource, to incoming: IncomingFile) async throws {
        do {
            while let piece = try await source.next() {
                try await pool.run { () throws(ObjectStoreError) in try incoming.append(try piece()) }
            }
            try Task.checkCancellation()
            try await pool.run { () throws(ObjectStoreError) in try incoming.publish() }
        } catch {
            _ = try? await pool.run { () throws(ObjectStoreError) in incoming.abandon() }
            throw error
        }
    }

    package func get(_ key: ObjectKey, range: Range<Int64>) async throws(ObjectStoreError) -> any ByteReader {
        try await pool.run { () throws(ObjectStoreError) in try FileReader(try tree.file(key), range: range, pool: pool) }
    }

    package func head(
        _ keys: [ObjectKey], leading: Int
    ) async throws(ObjectStoreError) -> [Result<ByteObject?, ObjectStoreError>] {
        try await pool.run { () throws(ObjectStoreError) in
            keys.map { key in
                Result { () throws(ObjectStoreError) in try tree.object(key, leading: leading) }
            }
        }
    }

    /// Fsyncs the directory entries of the object.
    package func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in
            guard try tree.status(key) != nil else { throw .missing }
            try tree.sync(key)
        }
    }

    package func list(
        _ prefix: ObjectPrefix, after: ObjectKey?, olderThan: Date, limit: Int
    ) async throws(ObjectStoreError) -> ByteListing {
        try await pool.run { () throws(ObjectStoreError) in
            try tree.objects(prefix, olderThan: olderThan, after: after, limit: max(1, limit))
        }
    }

    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in _ = try tree.remove(key) }
    }

    /// A visit to the threads for each object, which fsyncs: a caller that waits no longer ends it after the object at hand, and other calls come in
    /// between.
    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] {
        var left: [ObjectKey] = []
        for key in keys {
            guard !Task.isCancelled else {
                left.append(key)
                continue
            }
            do throws(ObjectStoreError) { try await delete(key) } catch { left.append(key) }
        }
        return left
    }

    /// Also removes files of the user's folder that are not named as objects are, and with staging the parts of uploads.
    package func deleteAll(_ kind: ObjectKey.Kind, of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        try await pool.run { () throws(ObjectStoreError) in
            let removed = try tree.removeAll(kind, of: owner, most: most)
            guard kind == .staging, removed < most else { return removed }
            return try removed + parts.removeAll(of: owner, most: most - removed)
        }
    }

    /// Links, fsyncs, unlinks. After a crash between these steps both names are there, and a second call completes the move.
    package func move(_ source: ObjectKey, to target: ObjectKey) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in try tree.move(source, to: target) }
    }
}
