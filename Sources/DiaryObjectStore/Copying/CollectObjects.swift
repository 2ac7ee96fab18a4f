package import DiaryCore
import FoundationEssentials

/// Gives a sink all objects of one app as they are stored, one after the other, page by page: those that the store lists, and then those
/// that rows name and the listing did not have. Changes nothing, and may run while the service works. What cannot be had is reported and
/// not in the way of the others.
package struct CollectObjects: Sendable {
    package struct Counts: Sendable, Equatable {
        /// In the store, when the run began.
        package var objects = 0
        package var bytes: Int64 = 0
        package var collected = 0
        package var collectedBytes: Int64 = 0
        /// In staging that is plain, and left there: they are the service's to verify and to seal.
        package var waiting = 0
    }

    package typealias Progress = (Counts) -> Void
    package typealias Report = (ObjectGap) throws -> Void

    let tenant: TenantID
    let store: any ByteStore
    let rows: any ObjectCheckStore
    /// Clients send to the store themselves. What is collected is sealed, so staging is left out.
    let stagingIsPlain: Bool
    let pageSize: Int
    /// Before the second try of an object; longer before each later one.
    let retryPause: Duration
    /// Between a first and a second look for what a row names: longer than a promotion, or a deletion of row and object.
    let settle: Duration

    /// Tries of one object, when the store fails.
    private static let tries = 5
    private static let piece = 256 << 10
    /// Objects without an answer, one after the other, after which the store counts as away.
    private static let unanswered = 3
    /// Sorts before every id that is given.
    private static let lowest = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    package init(
        of tenant: TenantID, in store: any ByteStore, rows: any ObjectCheckStore, stagingIsPlain: Bool, pageSize: Int = 1_000,
        retryPause: Duration = .milliseconds(400), settle: Duration = .seconds(2)
    ) {
        self.tenant = tenant
        self.store = store
        self.rows = rows
        self.stagingIsPlain = stagingIsPlain
        self.pageSize = max(1, pageSize)
        self.retryPause = retryPause
        self.settle = settle
    }

    /// - Returns: what there is to collect.
    /// - Throws: `unavailable` when the store does not answer.
    package func total() async throws -> Counts {
        var counts = Counts()
        for kind in ObjectKey.Kind.allCases {
            var cursor = listing(of: kind)
            while let object = try await next(&cursor) {
                if isPlain(kind) {
                    counts.waiting += 1
                } else {
                    counts.objects += 1
                    counts.bytes += object.size
                }
            }
        }
        return counts
    }

    /// - Parameter total: as `total()` returned it.
    /// - Throws: `unavailable` when the store serves none of several in turn, or no listing; what the sink throws.
    package func run(_ total: Counts, into sink: any ObjectSink, progress: Progress, report: Report) async throws -> Counts {
        var run = Run(counts: total)
        for kind in ObjectKey.Kind.allCases where !isPlain(kind) {
            var cursor = listing(of: kind)
            while let object = try await next(&cursor) {
                _ = try await collect(object, into: sink, &run, report)
                progress(run.counts)
            }
        }
        let sources: [(places: [ObjectKey.Kind], page: (NamedObject?) async throws -> [NamedObject])] = [
            ([.audio], { try await rows.copies(after: $0, limit: pageSize) }),
            ([.audio, .staging], { try await rows.recordings(after: $0, limit: pageSize) }),
            ([.export], { try await rows.zips(after: $0, limit: pageSize) }),
            ([.staging, .imported], { try await rows.importedZips(after: $0, limit: pageSize) }),
        ]
        for source in sources {
            var after: NamedObject? = NamedObject(
                owner: Owner(tenant: tenant, user: UserID(Self.lowest)), id: Self.lowest, object: Self.lowest)
            repeat {
                let page = try await source.page(after)
                let own = Array(page.prefix { $0.owner.tenant == tenant })
                try await collect(own, at: source.places, into: sink, &run, report)
                progress(run.counts)
                after = own.count == page.count ? own.last : nil
            } while after != nil
        }
        return run.counts
    }

    private struct Run {
        var counts: Counts
        var gaps: Set<ObjectKey> = []
        var unansweredInTurn = 0
    }

    private func isPlain(_ kind: ObjectKey.Kind) -> Bool { stagingIsPlain && kind == .staging }

    // MARK: Listing

    /// From before the app's first object on.
    private func listing(of kind: ObjectKey.Kind) -> ListingCursor {
        let start = ObjectKey(kind: kind, tenant: tenant, user: UserID(Self.lowest), object: Self.lowest)
        return ListingCursor(store, kind, after: start, pageSize: pageSize)
    }

    /// Nil at the end of the app's objects.
    private func next(_ cursor: inout ListingCursor) async throws -> ByteObject? {
        try Task.checkCancellation()
        guard let object = try await cursor.next(), object.key.tenant == tenant else { return nil }
        return object
    }

    // MARK: Rows

    /// What was put or promoted behind the listing, and what is not there.
    private func collect(
        _ named: [NamedObject], at places: [ObjectKey.Kind], into sink: any ObjectSink, _ run: inout Run, _ report: Report
    ) async throws {
        var left: [NamedObject] = []
        for object in named {
            let keys = places.map { object.key($0) }
            if !keys.contains(where: { sink.has($0) || run.gaps.contains($0) }) { left.append(object) }
        }
        left = try await absent(left, places, into: sink, &run, report)
        guard !left.isEmpty else { return }
        // A promotion moves an object from a place not yet looked at to one already looked at, and a deletion takes the row along.
        try await Task.sleep(for: settle)
        for object in try await absent(left, places, into: sink, &run, report) {
            let keys = places.map { object.key($0) }
            guard let first = keys.first, try await rows.orphans(among: keys).count < keys.count else { continue }
            try note(ObjectGap(kind: .missing, key: first), &run, report)
        }
    }

    /// Collects those that are there.
    /// - Returns: the others.
    private func absent(
        _ named: [NamedObject], _ places: [ObjectKey.Kind], into sink: any ObjectSink, _ run: inout Run, _ report: Report
    ) async throws -> [NamedObject] {
        var left = named
        for place in places where !left.isEmpty {
            let found = try await store.head(left.map { $0.key(place) }, leading: 0)
            var others: [NamedObject] = []
            for (object, result) in zip(left, found) {
                switch result {
                case .success(.none): others.append(object)
                case .success(.some) where isPlain(place): break
                case .success(.some(let stored)): if try await !collect(stored, into: sink, &run, report) { others.append(object) }
                case .failure(.damaged): try note(ObjectGap(kind: .unreadable, key: object.key(place)), &run, report)
                case .failure: try note(ObjectGap(kind: .unanswered, key: object.key(place)), &run, report)
                }
            }
            left = others
        }
        return left
    }

    // MARK: An object

    /// - Returns: false when it is not there any more.
    private func collect(
        _ object: ByteObject, into sink: any ObjectSink, _ run: inout Run, _ report: Report
    ) async throws -> Bool {
        for tried in 1...Self.tries {
            try sink.begin(object.key)
            do {
                try await read(object, into: sink)
                try sink.end()
                run.counts.collected += 1
                run.counts.collectedBytes += object.size
                run.unansweredInTurn = 0
                return true
            } catch let error as ObjectStoreError {
                try sink.discard()
                switch error {
                case .missing: return false
                case .unavailable where tried < Self.tries: try await Task.sleep(for: retryPause * tried)
                case .unavailable: try note(ObjectGap(kind: .unanswered, key: object.key), &run, report)
                default:
                    try note(ObjectGap(kind: .unreadable, key: object.key), &run, report)
                    return true
                }
            }
        }
        return true
    }

    /// - Throws: `damaged` when it has not its size.
    private func read(_ object: ByteObject, into sink: any ObjectSink) async throws {
        let reader = try await store.get(object.key, range: 0..<Int64.max)
        var count: Int64 = 0
        while let bytes = try await reader.next(Self.piece, through: { $0 }) {
            try Task.checkCancellation()
            count += Int64(bytes.count)
            try sink.write(bytes)
        }
        guard count == object.size else { throw ObjectStoreError.damaged }
    }

    private func note(_ gap: ObjectGap, _ run: inout Run, _ report: Report) throws {
        guard run.gaps.insert(gap.key).inserted else { return }
        try report(gap)
        run.unansweredInTurn = gap.kind == .unanswered ? run.unansweredInTurn + 1 : 0
        guard run.unansweredInTurn < Self.unanswered else { throw ObjectStoreError.unavailable(full: false) }
    }
}

extension NamedObject {
    fileprivate func key(_ kind: ObjectKey.Kind) -> ObjectKey {
        ObjectKey(kind: kind, tenant: owner.tenant, user: owner.user, object: object)
    }
}
