package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

/// The sealing layer: objects in the format of `docs/sealed-format.md` over any store of bytes.
package struct SealedObjectStore: ObjectStore {
    /// How recordings lie in staging.
    package enum Staging: Sendable {
        /// The API receives them and seals what arrives.
        case sealed
        /// Clients send them to the service; they are sealed when they are promoted.
        case plain
    }

    let bytes: any ByteStore
    var staging: Staging = .sealed

    package init(bytes: any ByteStore, staging: Staging = .sealed) {
        self.bytes = bytes
        self.staging = staging
    }

    package func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8] {
        if isPlain(key) { return try await putPlain(key, from: body, length: length, sha256: sha256) }
        let source = try SealingSource(body, length: length, sha256: sha256, key: key, sealedBy: dataKey)
        try await put(source, as: key, length: length)
        guard let digest = source.digest else { throw ObjectStoreError.unavailable(full: false) }
        return digest
    }

    package func putUnhashed(_ key: ObjectKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws {
        if isPlain(key) {
            _ = try await putPlain(key, from: body, length: length, sha256: nil)
            return
        }
        let source = try SealingSource(body, length: length, isHashed: false, key: key, sealedBy: dataKey)
        try await put(source, as: key, length: length)
    }

    private func put(_ source: SealingSource, as key: ObjectKey, length: Int64) async throws {
        if try await isPromoted(key) { throw ObjectStoreError.alreadyExists }
        try await bytes.put(key, length: SealedObjectLayout.sealedLength(ofPlain: length), from: source)
        // Asked again: another put of the key may have been promoted while this body arrived. A promotion makes the final object before it
        // frees the staging key, so a put that found the staging key free finds the final object here.
        if try await isPromoted(key) {
            try await bytes.delete(key)
            throw ObjectStoreError.alreadyExists
        }
        try Failpoint.putAfterLink.hit()
    }

    package func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts {
        guard isPlain(key) else { return ObjectFacts(size: try await header(key).plainLength) }
        guard let object = try await bytes.head(key) else { throw .missing }
        return ObjectFacts(size: object.size)
    }

    package func facts(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<ObjectFacts?, ObjectStoreError>] {
        try await bytes.head(keys, leading: keys.allSatisfy(isPlain) ? 0 : SealedObjectHeader.count).map { found in
            switch found {
            case .success(.none), .failure(.damaged): .success(nil)
            case .success(.some(let object)) where isPlain(object.key): .success(ObjectFacts(size: object.size))
            case .success(.some(let object)): .success((try? SealedObjectHeader(of: object)).map { ObjectFacts(size: $0.plainLength) })
            case .failure(let error): .failure(error)
            }
        }
    }

    package func confirmDurable(_ key: ObjectKey) async throws(ObjectStoreError) { try await bytes.confirmDurable(key) }

    package func read(
        _ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey
    ) async throws(ObjectStoreError) -> any ByteStream {
        if isPlain(key) { return PlainStream(try await bytes.get(key, range: range)) }
        let (header, begun) = try await begin(key, range)
        let opener: SegmentOpener
        do {
            opener = try SegmentOpener(key: dataKey, purpose: key.purpose, header: header, objectID: key.object)
        } catch {
            throw .damaged
        }
        let cover = SealedObjectLayout.segments(coveringPlain: range, total: header.plainLength)
        guard !cover.segments.isEmpty else { return EmptyStream() }
        let reader = if let begun { begun } else { try await bytes.get(key, range: cover.sealedRange) }
        return OpeningStream(reader, opener, cover, total: header.plainLength)
    }

    /// Reads the header. What begins in the first segment is read with it, which is one request to a bucket instead of two.
    /// - Returns: the reader of that range, after the header; nil for one that begins later.
    private func begin(_ key: ObjectKey, _ range: Range<Int64>) async throws(ObjectStoreError) -> (SealedObjectHeader, (any ByteReader)?) {
        let most = SealedObjectLayout.segments(coveringPlain: range, total: SealedObjectLayout.maximumPlainLength)
        guard most.segments.lowerBound == 0, !most.segments.isEmpty else { return (try await header(key), nil) }
        let reader = try await bytes.get(key, range: 0..<most.sealedRange.upperBound)
        let leading = try await reader.next(SealedObjectHeader.count) { $0 } ?? []
        return (try SealedObjectHeader(leading, of: key, size: reader.objectSize), reader)
    }

    /// A move where staging is sealed too.
    package func promote(
        _ key: ObjectKey, to final: ObjectKey, sealedBy dataKey: DataKey, sha256: [UInt8]? = nil
    ) async throws(ObjectStoreError) {
        guard key.object == final.object, key != final, key.purpose == final.purpose else { throw .damaged }
        guard isPlain(key) else { return try await bytes.move(key, to: final) }
        try await seal(key, to: final, with: dataKey, sha256: sha256)
    }

    package func delete(_ key: ObjectKey) async throws(ObjectStoreError) { try await bytes.delete(key) }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey] { try await bytes.delete(keys) }

    package func list(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        let page = try await bytes.list(ObjectPrefix(kind), after: after, olderThan: olderThan, limit: limit)
        return ObjectPage(objects: page.objects.map { .init(key: $0.key, storedAt: $0.storedAt) }, next: page.next)
    }

    package func count(of owner: Owner) async throws(ObjectStoreError) -> Int {
        var count = 0
        for kind in ObjectKey.Kind.allCases {
            var after: ObjectKey?
            repeat {
                let page = try await bytes.list(ObjectPrefix(kind, of: owner), after: after, olderThan: .distantFuture, limit: 1_000)
                count += page.objects.count
                after = page.next
            } while after != nil
        }
        return count
    }

    package func removeAll(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        var removed = 0
        for kind in ObjectKey.Kind.allCases where removed < most {
            removed += try await bytes.deleteAll(kind, of: owner, most: most - removed)
        }
        return removed
    }

    /// The final key of this staging key is taken.
    private func isPromoted(_ key: ObjectKey) async throws(ObjectStoreError) -> Bool {
        guard key.promoted != key else { return false }
        return try await bytes.head(key.promoted) != nil
    }

    private func header(_ key: ObjectKey) async throws(ObjectStoreError) -> SealedObjectHeader {
        guard let object = try await bytes.head(key, leading: SealedObjectHeader.count) else { throw .missing }
        return try SealedObjectHeader(of: object)
    }
}
