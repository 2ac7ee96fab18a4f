import DiaryCore
import Foundation
import Synchronization

@testable import DiaryObjectStore

/// Another store's objects. Tests see its calls, and act between them.
final class HookedByteStore: ByteStore {
    struct Hooks: Sendable {
        var beforeGet: (@Sendable (ObjectKey) async throws -> Void)?
        var beforeHead: (@Sendable ([ObjectKey]) -> Void)?
        /// Gets what an object returns.
        var altering: (@Sendable (ObjectKey, [UInt8]) -> [UInt8])?
    }

    let store: any ByteStore
    private let state = Mutex(Hooks())

    init(_ store: any ByteStore) { self.store = store }

    var hooks: Hooks {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func put(_ key: ObjectKey, length: Int64, from source: any ByteSource) async throws {
        try await store.put(key, length: length, from: source)
    }

    func get(_ key: ObjectKey, range: Range<Int64>) async throws(ObjectStoreError) -> any ByteReader {
        do { try await hooks.beforeGet?(key) } catch { throw error as? ObjectStoreError ?? .unavailable(full: false) }
        let reader = try await store.get(key, range: range)
        guard let altering = hooks.altering else { return reader }
        return AlteredReader(reader) { altering(key, $0) }
    }

    func head(
        _ keys: [ObjectKey], leading: Int
    ) async throws(ObjectStoreError) -> [Result<ByteObject?, ObjectStoreError>] {
        hooks.beforeHead?(keys)
        return try await store.head(keys, leading: leading)
    }

    func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) { try await store.confirmDurable(key) }

    func list(
        _ prefix: ObjectPrefix, after: ObjectKey?, olderThan: Date, limit: Int
    ) async throws(ObjectStoreError) -> ByteListing { try await store.list(prefix, after: after, olderThan: olderThan, limit: limit) }

    func delete(_ key: ObjectKey) async throws(ObjectStoreError) { try await store.delete(key) }

    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] { try await store.delete(keys) }

    func deleteAll(_ kind: ObjectKey.Kind, of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        try await store.deleteAll(kind, of: owner, most: most)
    }

    func move(_ source: ObjectKey, to target: ObjectKey) async throws(ObjectStoreError) { try await store.move(source, to: target) }
}

private final class AlteredReader: ByteReader {
    private let reader: any ByteReader
    private let alter: @Sendable ([UInt8]) -> [UInt8]

    init(_ reader: any ByteReader, _ alter: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.reader = reader
        self.alter = alter
    }

    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]? {
        let alter = alter
        return try await reader.next(count) { bytes throws(ObjectStoreError) in try transform(alter(bytes)) }
    }

    var objectSize: Int64 { reader.objectSize }

    func close() { reader.close() }
}
