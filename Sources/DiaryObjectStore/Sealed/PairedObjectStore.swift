package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

/// Two stores while objects move from one to the other (decision 0047). What is made goes to the first; what the first lacks is read and promoted in
/// the other; what is deleted is deleted in both.
package struct PairedObjectStore: ObjectStore {
    let first: any ObjectStore
    let other: any ObjectStore

    package func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8] {
        try await first.put(key, from: body, length: length, sha256: sha256, sealedBy: dataKey)
    }

    package func putUnhashed(_ key: ObjectKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws {
        try await first.putUnhashed(key, from: body, length: length, sealedBy: dataKey)
    }

    package func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts {
        do throws(ObjectStoreError) { return try await first.facts(key) } catch .missing { return try await other.facts(key) }
    }

    package func facts(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<ObjectFacts?, ObjectStoreError>] {
        var found = try await first.facts(of: keys)
        let missing = zip(keys, found.indices).filter { _, index in found[index] == .success(nil) }
        guard !missing.isEmpty else { return found }
        for ((_, index), result) in zip(missing, try await other.facts(of: missing.map(\.0))) { found[index] = result }
        return found
    }

    package func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) {
        do throws(ObjectStoreError) { try await first.confirmDurable(key) } catch .missing { try await other.confirmDurable(key) }
    }

    package func read(
        _ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey
    ) async throws(ObjectStoreError) -> any ByteStream {
        do throws(ObjectStoreError) {
            return try await first.read(key, range: range, openedBy: dataKey)
        } catch .missing {
            return try await other.read(key, range: range, openedBy: dataKey)
        }
    }

    /// In the store where the recording arrived. It may have been sent twice, to one store before the switch and to the other after it: one of the two
    /// is promoted, and what is at the final key of either store counts, as within one store. So no recording has two final objects, which a copy
    /// would find to differ.
    package func promote(
        _ key: ObjectKey, to final: ObjectKey, sealedBy dataKey: DataKey, sha256: [UInt8]?
    ) async throws(ObjectStoreError) {
        if try await other.facts(of: [final]).first?.get() != nil {
            // By an earlier try, which may have been interrupted.
            try await other.promote(key, to: final, sealedBy: dataKey, sha256: sha256)
            return try await first.delete(key)
        }
        do throws(ObjectStoreError) {
            try await first.promote(key, to: final, sealedBy: dataKey, sha256: sha256)
        } catch .missing {
            try await other.promote(key, to: final, sealedBy: dataKey, sha256: sha256)
            // It may have arrived since.
            _ = try? await first.delete(key)
            return
        }
        _ = try? await other.delete(key)
    }

    /// At the first store once more after the other: a copy under way, in either direction, then finds the object gone at its source, or its own
    /// object is deleted here (see `CopyObjects`).
    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) {
        try await first.delete(key)
        try await other.delete(key)
        try await first.delete(key)
    }

    /// In the same order, for all of them.
    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] {
        var left: Set<ObjectKey> = []
        for store in [first, other, first] { left.formUnion(try await store.delete(keys)) }
        return keys.filter(left.contains)
    }

    /// Both stores' objects. One that is in both has the earlier time: a copy began it anew.
    package func list(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        let pages = [
            try await first.list(kind, olderThan: olderThan, after: after, limit: limit),
            try await other.list(kind, olderThan: olderThan, after: after, limit: limit),
        ]
        // Beyond the nearer end only one of the pages is known.
        let next = pages.compactMap { page in page.next.map { (key: $0, name: $0.description) } }.min { $0.name < $1.name }
        var objects: [ObjectKey: (object: ObjectPage.Object, name: String)] = [:]
        for object in pages.flatMap(\.objects) {
            let name = object.key.description
            if let next, name > next.name { continue }
            if let known = objects[object.key]?.object, known.storedAt <= object.storedAt { continue }
            objects[object.key] = (object, name)
        }
        return ObjectPage(objects: objects.values.sorted { $0.name < $1.name }.map(\.object), next: next?.key)
    }

    /// An object that is in both counts twice.
    package func count(of owner: Owner) async throws(ObjectStoreError) -> Int {
        try await first.count(of: owner) + other.count(of: owner)
    }

    package func removeAll(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        let removed = try await first.removeAll(of: owner, most: most)
        guard removed < most else { return removed }
        return try await removed + other.removeAll(of: owner, most: most - removed)
    }
}
