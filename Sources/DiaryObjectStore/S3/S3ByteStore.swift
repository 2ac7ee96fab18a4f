package import DiaryCore
import DiaryCrypto
import FoundationEssentials
package import S3Client

/// Objects in a bucket. Any number of processes may share it.
///
/// An object is there as a whole when its PUT is answered, and durable; nothing has to be confirmed. Keys are never used twice, so caches
/// of a bucket cannot answer with another object's bytes.
package struct S3ByteStore: ByteStore {
    package let client: S3Client
    let names: S3Names
    /// The service knows `If-None-Match`: of puts at once exactly one succeeds. Without it the store looks before it puts.
    let guardsOverwrites: Bool
    /// Whether the service takes the hash of an upload in a header of it.
    let signsChecksums: Bool
    private let versions = KeptVersions()

    /// Up to this size a body is held in memory, so that a failed try can be repeated. Larger ones stream, once.
    static let bufferedBytes: Int64 = 8 << 20
    /// Requests at once when many objects are looked up.
    private static let maxConcurrentHeads = 16
    /// Objects in a row that the service could not serve, after which the rest is not asked for: one broken object does not hide the others.
    private static let maxConsecutiveFailures = 3

    /// - Parameter prefix: before every name; empty, or it ends with a slash.
    package init(client: S3Client, prefix: String, guardsOverwrites: Bool = true, signsChecksums: Bool = true) {
        self.client = client
        names = S3Names(prefix: prefix)
        self.guardsOverwrites = guardsOverwrites
        self.signsChecksums = signsChecksums
    }

    package func put(_ key: ObjectKey, length: Int64, from source: any ByteSource) async throws {
        let name = names[key]
        guard try await head(key) == nil else { throw ObjectStoreError.alreadyExists }
        let body = PutBody(source, length: length)
        // Tells this put's object from another one's when the answer to a try was lost.
        let putID = UUIDv7.make().lowercaseText
        do throws(S3Error) {
            let content: S3Body =
                length <= Self.bufferedBytes ? .bytes(try await body.collect()) : .stream(length: length) { try await body.next() }
            try await put(name, content, putID: putID)
        } catch {
            if let failure = body.failure { throw failure }
            try Task.checkCancellation()
            throw ObjectStoreError(error)
        }
    }

    private func put(_ name: String, _ content: S3Body, putID: String) async throws(S3Error) {
        do throws(S3Error) {
            _ = try await client.put(name, content, metadata: [Self.putIDField: putID], ifAbsent: guardsOverwrites)
        } catch {
            guard error.reason == .exists, try await client.head(name)?.metadata[Self.putIDField] == putID else { throw error }
        }
    }

    static let putIDField = "diary-put"

    package func get(_ key: ObjectKey, range: Range<Int64>) async throws(ObjectStoreError) -> any ByteReader {
        let reader = S3ByteReader(client, names[key], range: range)
        guard range.isEmpty else {
            try await reader.begin()
            return reader
        }
        guard let object = try await head(key) else { throw .missing }
        reader.note(object.size)
        return reader
    }

    package func head(
        _ keys: [ObjectKey], leading: Int
    ) async throws(ObjectStoreError) -> [Result<ByteObject?, ObjectStoreError>] {
        let answers = await withTaskGroup(of: Answer.self) { group in
            var answers: [Int: Result<ByteObject?, ObjectStoreError>] = [:]
            var (failures, consecutive) = (0, 0)
            for (place, key) in keys.enumerated() {
                if place >= Self.maxConcurrentHeads, let answer = await group.next() {
                    answers[answer.place] = answer.result
                    if case .failure(.unavailable) = answer.result {
                        (failures, consecutive) = (failures + 1, consecutive + 1)
                    } else {
                        consecutive = 0
                    }
                    if consecutive >= Self.maxConsecutiveFailures || failures >= Self.maxConcurrentHeads { break }
                }
                group.addTask { Answer(place: place, result: await result(of: key, leading: leading)) }
            }
            for await answer in group { answers[answer.place] = answer.result }
            return answers
        }
        // What is not asked for after requests that were not answered: a thousand of them would wait for hours.
        return keys.indices.map { answers[$0] ?? .failure(.unavailable(full: false)) }
    }

    /// Of the key at a place among those that were asked for. No tuple with the place as an index: with one, and the `do throws` in the task's
    /// closure, a release build by Swift 6.3.1 ended with an index out of range, also for one key; debug builds did not.
    private struct Answer: Sendable {
        let place: Int
        let result: Result<ByteObject?, ObjectStoreError>
    }

    private func result(of key: ObjectKey, leading: Int) async -> Result<ByteObject?, ObjectStoreError> {
        do throws(ObjectStoreError) { return .success(try await object(key, leading: leading)) } catch { return .failure(error) }
    }

    /// With first bytes it is one ranged GET, except for an empty object.
    private func object(_ key: ObjectKey, leading: Int) async throws(ObjectStoreError) -> ByteObject? {
        do throws(S3Error) {
            if leading > 0, let piece = try await client.get(names[key], range: 0..<Int64(leading)) {
                return ByteObject(key: key, size: piece.object.size, storedAt: piece.object.storedAt, leading: piece.bytes)
            }
            return try await client.head(names[key]).map { ByteObject(key: key, size: $0.size, storedAt: $0.storedAt) }
        } catch {
            if error.reason == .missing { return nil }
            throw ObjectStoreError(error)
        }
    }

    package func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) {
        guard try await head(key) != nil else { throw .missing }
    }

    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) {
        try await ObjectStoreError.mapping { () async throws(S3Error) in try await remove(names[key]) }
    }

    /// DeleteObjects, which answers for each object.
    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] {
        guard keys.count > 1 else {
            if let key = keys.first { try await delete(key) }
            return []
        }
        let left = try await ObjectStoreError.mapping { () async throws(S3Error) in
            let all = Set(keys.map { names[$0] })
            if await versions.areKept(client) { return try await deleteVersions(of: all) }
            let result = try await client.delete(all.map { S3Version($0) })
            return Set(result.failed.map(\.key)).union(try await deleteVersions(of: Set(result.hidden)))
        }
        return keys.filter { left.contains(names[$0]) }
    }

    /// Deletes all versions directly, without a delete marker: it would hide the object from the listings by which sweepers find what an
    /// interrupted deletion left.
    func remove(_ name: String) async throws(S3Error) {
        if await versions.areKept(client) { return try await client.deleteVersions(of: name) }
        if try await client.delete(name) { try await client.deleteVersions(of: name) }
    }

    /// - Returns: the names of which the service refuses to delete a version.
    private func deleteVersions(of names: Set<String>) async throws(S3Error) -> Set<String> {
        var left: Set<String> = []
        for name in names {
            do throws(S3Error) { try await client.deleteVersions(of: name) } catch {
                guard error.isOfOneObject else { throw error }
                left.insert(name)
            }
        }
        return left
    }

    /// Copies, then deletes. Of two moves to one key at once the later one's bytes stay, because copies have no condition that all services know;
    /// keys that are moved to are made for one object.
    package func move(_ source: ObjectKey, to target: ObjectKey) async throws(ObjectStoreError) {
        guard source != target else { return try await confirmDurable(source) }
        let (from, to) = (names[source], names[target])
        try await ObjectStoreError.mapping { () async throws(S3Error) in
            let taken = try await client.head(to)
            guard let object = try await client.head(from) else {
                if taken == nil { try await client.requireObject(from) }
                return
            }
            if let taken {
                // The same object at both keys: an earlier move was interrupted.
                let isSame = taken.metadata[Self.putIDField] != nil && taken.metadata[Self.putIDField] == object.metadata[Self.putIDField]
                guard isSame, taken.size == object.size else { throw S3Error.taken("CopyObject") }
            } else {
                try await client.copy(from, to: to)
            }
        }
        try await delete(source)
    }
}
