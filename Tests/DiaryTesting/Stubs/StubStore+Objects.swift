package import DiaryCrypto
package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: ObjectStore {
    package func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8] {
        var digest = SHA256Stream()
        while let piece = try await body.next() { digest.update(piece) }
        return digest.finish()
    }
    package func putUnhashed(_ key: ObjectKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws {
        while try await body.next() != nil {}
    }
    package func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts {
        guard key.kind == .audio, key.object == Stub.recording.facts.object else { throw .missing }
        return ObjectFacts(size: 10)
    }
    package func facts(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<ObjectFacts?, ObjectStoreError>] {
        keys.map { _ in .success(nil) }
    }
    package func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) { throw .missing }
    package func read(_ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey) async throws(ObjectStoreError) -> any ByteStream {
        ArrayBody(Array(Array("0123456789".utf8)[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
    package func promote(
        _ key: ObjectKey, to final: ObjectKey, sealedBy dataKey: DataKey, sha256: [UInt8]?
    ) async throws(ObjectStoreError) {}
    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) {}
    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] { [] }
    package func list(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage { ObjectPage(objects: [], next: nil) }
    package func count(of owner: Owner) async throws(ObjectStoreError) -> Int { 0 }
    package func removeAll(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int { 0 }
}
