package import DiaryCore
package import FoundationEssentials
import Synchronization

@testable package import DiaryObjectStore

/// A store of bytes in memory. It passes the conformance suite of the real ones; tests may make it fail or watch it.
package final class MemoryByteStore: ByteStore {
    /// What tests add; all are called without a lock held.
    package struct Hooks: Sendable {
        /// These keys cannot be read just now.
        package var unreadable: Set<ObjectKey> = []
        /// These keys cannot be deleted just now.
        package var undeletable: Set<ObjectKey> = []
        /// Called before an object is read; when it throws it cannot be.
        package var getting: (@Sendable (ObjectKey) throws(ObjectStoreError) -> Void)?
        /// What the next `get` reads, once, in place of the object's bytes.
        package var misread: (@Sendable ([UInt8]) -> [UInt8])?
        /// Called before several are deleted; when it throws nothing is deleted.
        package var deleting: (@Sendable ([ObjectKey]) async throws(ObjectStoreError) -> Void)?
        /// Called once after the next `head`.
        package var afterHead: (@Sendable () -> Void)?
        /// Called before `deleteAll` deletes so many; when it throws nothing is deleted.
        package var deletingAll: (@Sendable (Int) throws(ObjectStoreError) -> Void)?
    }

    private struct Object {
        var bytes: [UInt8]
        var storedAt = Date()
    }

    private struct State {
        var objects: [ObjectKey: Object] = [:]
        var hooks = Hooks()
        var heads = 0
        var confirmed: [ObjectKey] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// An object that a test sets by its key has been there since 1970; one that is put, since now.
    package subscript(key: ObjectKey) -> [UInt8]? {
        get { state.withLock { $0.objects[key]?.bytes } }
        set { state.withLock { $0.objects[key] = newValue.map { Object(bytes: $0, storedAt: Date(timeIntervalSince1970: 0)) } } }
    }

    package var hooks: Hooks {
        get { state.withLock { $0.hooks } }
        set { state.withLock { $0.hooks = newValue } }
    }

    package var keys: [ObjectKey] { state.withLock { Array($0.objects.keys) } }
    /// How often `head` was called, for one key or for many.
    package var heads: Int { state.withLock { $0.heads } }
    package var confirmed: [ObjectKey] { state.withLock { $0.confirmed } }

    package func put(_ key: ObjectKey, length: Int64, from source: any ByteSource) async throws {
        guard self[key] == nil else { throw ObjectStoreError.alreadyExists }
        var bytes: [UInt8] = []
        while let piece = try await source.next() {
            bytes += try piece()
            guard Int64(bytes.count) <= length else { throw ObjectStoreError.lengthMismatch }
        }
        try Task.checkCancellation()
        guard Int64(bytes.count) == length else { throw ObjectStoreError.lengthMismatch }
        let object = Object(bytes: bytes)
        let isNew = state.withLock { state in
            guard state.objects[key] == nil else { return false }
            state.objects[key] = object
            return true
        }
        guard isNew else { throw ObjectStoreError.alreadyExists }
    }

    package func get(_ key: ObjectKey, range: Range<Int64>) async throws(ObjectStoreError) -> any ByteReader {
        try hooks.getting?(key)
        guard !hooks.unreadable.contains(key) else { throw .unavailable(full: false) }
        guard var bytes = self[key] else { throw .missing }
        let misread = state.withLock { state in
            defer { state.hooks.misread = nil }
            return state.hooks.misread
        }
        if let misread { bytes = misread(bytes) }
        let range = range.clamped(to: 0..<Int64(bytes.count))
        return MemoryReader(bytes[Int(range.lowerBound)..<Int(range.upperBound)], objectSize: Int64(bytes.count))
    }

    package func head(
        _ keys: [ObjectKey], leading: Int
    ) async throws(ObjectStoreError) -> [Result<ByteObject?, ObjectStoreError>] {
        let (found, afterHead) = state.withLock { state in
            state.heads += 1
            let found = keys.map { key -> Result<ByteObject?, ObjectStoreError> in
                if state.hooks.unreadable.contains(key) { return .failure(.unavailable(full: false)) }
                return .success(state.objects[key].map { Self.described(key, $0, leading: leading) })
            }
            defer { state.hooks.afterHead = nil }
            return (found, state.hooks.afterHead)
        }
        afterHead?()
        return found
    }

    package func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) {
        let isThere = state.withLock { state in
            state.confirmed.append(key)
            return state.objects[key] != nil
        }
        if !isThere { throw .missing }
    }

    package func list(
        _ prefix: ObjectPrefix, after: ObjectKey?, olderThan: Date, limit: Int
    ) async throws(ObjectStoreError) -> ByteListing {
        let objects = state.withLock { $0.objects }
        let keys = objects.keys.filter { key in
            prefix.contains(key) && (after.map { key.description > $0.description } ?? true)
        }.sorted { $0.description < $1.description }
        let page = keys.prefix(max(1, limit))
        return ByteListing(
            objects: page.compactMap { key in
                objects[key].flatMap { $0.storedAt < olderThan ? Self.described(key, $0, leading: 0) : nil }
            }, next: page.count == max(1, limit) ? page.last : nil)
    }

    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) {
        guard !hooks.undeletable.contains(key) else { throw .unavailable(full: false) }
        self[key] = nil
    }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] {
        try await hooks.deleting?(keys)
        let undeletable = hooks.undeletable
        for key in keys where !undeletable.contains(key) { self[key] = nil }
        return keys.filter(undeletable.contains)
    }

    package func deleteAll(_ kind: ObjectKey.Kind, of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        let prefix = ObjectPrefix(kind, of: owner)
        let found = keys.filter(prefix.contains).prefix(max(0, most))
        try hooks.deletingAll?(found.count)
        return state.withLock { state in found.count { state.objects.removeValue(forKey: $0) != nil } }
    }

    package func move(_ source: ObjectKey, to target: ObjectKey) async throws(ObjectStoreError) {
        let result: Result<Void, ObjectStoreError> = state.withLock { state in
            guard let object = state.objects[source] else {
                return state.objects[target] == nil ? .failure(.missing) : .success(())
            }
            guard source != target else { return .success(()) }
            guard state.objects[target] == nil else { return .failure(.alreadyExists) }
            state.objects[source] = nil
            state.objects[target] = Object(bytes: object.bytes)
            return .success(())
        }
        try result.get()
    }

    private static func described(_ key: ObjectKey, _ object: Object, leading: Int) -> ByteObject {
        ByteObject(
            key: key, size: Int64(object.bytes.count), storedAt: object.storedAt, leading: Array(object.bytes.prefix(max(0, leading))))
    }
}
