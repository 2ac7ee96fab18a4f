package import DiaryCrypto
import FoundationEssentials

/// Whether every row has its object, every object its row, and a sample of recordings and copies the digests that rows say. Reads page by page, so that
/// memory does not grow with the service; changes nothing, and may run while the service works: what does not fit is looked at again.
package struct VerifyObjects: Sendable {
    package struct Counts: Sendable, Equatable {
        package var recordings = 0
        /// Copies of recordings, for players.
        package var copies = 0
        package var zips = 0
        package var objects = 0
        /// Recordings and copies that were read and compared.
        package var hashed = 0
        /// Objects without a row that sweepers keep because of a restore.
        package var kept = 0
    }

    /// What is being looked at, for the operator's patience.
    package typealias Progress = (_ part: String, _ count: Int) -> Void

    static let page = 1_000
    /// An export's zip is stored before its row names it.
    static let youngSeconds = 600.0

    let store: any ObjectCheckStore
    let objects: any ObjectStore
    /// For the sample.
    let masters: MasterKeyRing?
    let clock: WallClock
    /// Between a first and a second look: longer than a promotion, or a deletion of row and object.
    let settleSeconds: Double

    package init(
        store: any ObjectCheckStore, objects: any ObjectStore, masters: MasterKeyRing?, clock: WallClock = .system,
        settleSeconds: Double = 2
    ) {
        self.store = store
        self.objects = objects
        self.masters = masters
        self.clock = clock
        self.settleSeconds = settleSeconds
    }

    /// - Parameter sample: recordings and copies whose bytes are read; the others' presence is checked alone.
    package func run(sample: Int, progress: Progress, report: (ObjectFinding) throws -> Void) async throws -> Counts {
        var counts = Counts()
        var chosen = ObjectSample(sample)
        var after: NamedObject?
        while let page = try await nonEmpty(store.copies(after: after, limit: Self.page)) {
            for copy in page { chosen.offer(copy) }
            try await checkPresence(page, [.audio], report)
            counts.copies += page.count
            progress("copies", counts.copies)
            after = page.last
        }
        after = nil
        while let page = try await nonEmpty(store.recordings(after: after, limit: Self.page)) {
            for recording in page { chosen.offer(recording) }
            try await checkPresence(page, [.audio, .staging], report)
            counts.recordings += page.count
            progress("recordings", counts.recordings)
            after = page.last
        }
        after = nil
        while let page = try await nonEmpty(store.zips(after: after, limit: Self.page)) {
            try await checkPresence(page, [.export], report)
            counts.zips += page.count
            progress("zips", counts.zips)
            after = page.last
        }
        after = nil
        while let page = try await nonEmpty(store.importedZips(after: after, limit: Self.page)) {
            try await checkPresence(page, [.staging, .imported], report)
            counts.zips += page.count
            progress("zips", counts.zips)
            after = page.last
        }
        try await checkObjects(&counts, progress, report)
        for recording in chosen.chosen {
            try Task.checkCancellation()
            if try await checkDigest(recording, report) { counts.hashed += 1 }
            progress("hashes", counts.hashed)
        }
        return counts
    }

    private func nonEmpty(_ page: [NamedObject]) -> [NamedObject]? { page.isEmpty ? nil : page }

    // MARK: Rows

    private func checkPresence(
        _ named: [NamedObject], _ places: [ObjectKey.Kind], _ report: (ObjectFinding) throws -> Void
    ) async throws {
        guard try await !absent(named, places).isEmpty else { return }
        // A promotion moves an object from a place not yet looked at to one already looked at, and a deletion takes the row along.
        try await settle()
        for object in try await absent(named, places) where try await isNamed(object, places) {
            try report(ObjectFinding(kind: .missing, owner: object.owner, id: object.id.lowercaseText))
        }
    }

    /// Objects that are at none of the places where their row wants them, or not whole.
    private func absent(_ named: [NamedObject], _ places: [ObjectKey.Kind]) async throws -> [NamedObject] {
        var left = named
        for place in places where !left.isEmpty {
            let found = try await objects.facts(of: left.map { $0.key(place) })
            left = try zip(left, found).compactMap { object, facts in try facts.get() == nil ? object : nil }
        }
        return left
    }

    private func isNamed(_ object: NamedObject, _ places: [ObjectKey.Kind]) async throws -> Bool {
        let keys = places.map { object.key($0) }
        return try await store.orphans(among: keys).count < keys.count
    }

    // MARK: Objects

    private func checkObjects(
        _ counts: inout Counts, _ progress: Progress, _ report: (ObjectFinding) throws -> Void
    ) async throws {
        let kept = try await store.keptTimes()
        let before = clock.now().addingTimeInterval(-Self.youngSeconds)
        for kind in ObjectKey.Kind.allCases {
            var after: ObjectKey?
            repeat {
                let page = try await objects.list(kind, olderThan: .distantFuture, after: after, limit: Self.page)
                let orphans = page.objects.isEmpty ? [] : Set(try await store.orphans(among: page.keys))
                let suspects = page.objects.filter { object in
                    guard orphans.contains(object.key) else { return false }
                    if kept.contains(where: { $0.contains(object.storedAt) }) {
                        counts.kept += 1
                        return false
                    }
                    return object.storedAt < before
                }
                try await confirm(suspects.map(\.key), report)
                counts.objects += page.objects.count
                progress("objects", counts.objects)
                after = page.next
            } while after != nil
        }
    }

    /// Reports those that are still there, and still without a row.
    private func confirm(_ suspects: [ObjectKey], _ report: (ObjectFinding) throws -> Void) async throws {
        guard !suspects.isEmpty else { return }
        try await settle()
        let orphans = Set(try await store.orphans(among: suspects))
        for (key, facts) in zip(suspects, try await objects.facts(of: suspects)) where orphans.contains(key) {
            // Bytes that are not whole are there too.
            if try facts.get() == nil, try await isGone(key) { continue }
            try report(ObjectFinding(kind: .withoutRow, owner: Owner(tenant: key.tenant, user: key.user), id: key.description))
        }
    }

    private func isGone(_ key: ObjectKey) async throws -> Bool {
        do throws(ObjectStoreError) {
            _ = try await objects.facts(key)
            return false
        } catch .missing {
            return true
        } catch .damaged {
            return false
        }
    }

    private func settle() async throws {
        if settleSeconds > 0 { try await Task.sleep(for: .seconds(settleSeconds)) }
    }

    // MARK: Digests

    /// - Returns: false when there was nothing to compare: it was removed meanwhile, or is missing, which is reported by its row.
    private func checkDigest(_ recording: NamedObject, _ report: (ObjectFinding) throws -> Void) async throws -> Bool {
        guard let masters, try await store.digest(of: recording) != nil else { return false }
        guard let wrapped = try await store.wrappedKey(of: recording.owner),
            let key = try? masters.unwrap(wrapped, tenant: recording.owner.tenant.uuid, user: recording.owner.user.uuid)
        else {
            try report(ObjectFinding(kind: .keyMissing, owner: recording.owner, id: recording.id.lowercaseText))
            return false
        }
        let digest: [UInt8]
        do throws(ObjectStoreError) {
            guard let read = try await self.digest(of: recording, key) else { return false }
            digest = read
        } catch .damaged {
            try report(ObjectFinding(kind: .damaged, owner: recording.owner, id: recording.id.lowercaseText))
            return true
        }
        // The row as it is now.
        if let expected = try await store.digest(of: recording), expected != digest {
            try report(ObjectFinding(kind: .otherHash, owner: recording.owner, id: recording.id.lowercaseText))
        }
        return true
    }

    /// nil when it is at neither place.
    private func digest(of recording: NamedObject, _ dataKey: DataKey) async throws(ObjectStoreError) -> [UInt8]? {
        for place in [ObjectKey.Kind.audio, .staging] {
            let key = recording.key(place)
            do {
                let size = try await objects.facts(key).size
                var hash = SHA256Stream()
                guard size > 0 else { return hash.finish() }
                let stream = try await objects.read(key, range: 0..<size, openedBy: dataKey)
                while let piece = try await stream.next() { hash.update(piece) }
                return hash.finish()
            } catch let error as ObjectStoreError {
                guard case .missing = error else { throw error }
            } catch {
                throw .unavailable(full: false)
            }
        }
        return nil
    }
}

extension NamedObject {
    fileprivate func key(_ kind: ObjectKey.Kind) -> ObjectKey {
        ObjectKey(kind: kind, owner: owner, object: object)
    }
}
