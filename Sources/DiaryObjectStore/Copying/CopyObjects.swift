import DiaryCore
import FoundationEssentials

/// Copies objects as they are stored, sealed, from one store to another, page by page. What is at the target with the same length is skipped, so that
/// a run that was ended goes on with the next one. Both stores may be in use meanwhile (decision 0047).
package struct CopyObjects: Sendable {
    package struct Counts: Sendable, Equatable {
        /// At the source, when the run began.
        package var objects = 0
        package var bytes: Int64 = 0
        package var copied = 0
        package var copiedBytes: Int64 = 0
        /// Already at the target.
        package var present = 0
        package var presentBytes: Int64 = 0
        /// Objects present at both sides that were read and are equal.
        package var compared = 0
        /// Deleted by the service meanwhile.
        package var vanished = 0
        /// At the target alone.
        package var extra = 0
        /// In staging at the source and not copied: they are the service's to verify.
        package var waiting = 0
    }

    package typealias Progress = @Sendable (Counts) -> Void

    let source: any ByteStore
    let target: any ByteStore
    /// Staging is sealed at both sides or at neither. Else its bytes mean another thing at the target.
    let copiesStaging: Bool
    /// Reads at both sides what is at the target already.
    let comparesAll: Bool
    /// Objects at once.
    let jobs: Int
    let pageSize: Int

    /// Tries of one object, when a store fails.
    private static let tries = 5
    /// Objects without an answer, one after the other, after which a store counts as away.
    static let unanswered = 3
    /// Before the second try; longer before each later one.
    private let retryPause: Duration

    package init(
        from source: any ByteStore, to target: any ByteStore, copiesStaging: Bool, comparesAll: Bool = false, jobs: Int = 8,
        pageSize: Int = 1_000, retryPause: Duration = .milliseconds(400)
    ) {
        self.source = source
        self.target = target
        self.copiesStaging = copiesStaging
        self.comparesAll = comparesAll
        self.jobs = max(1, jobs)
        self.pageSize = max(1, pageSize)
        self.retryPause = retryPause
    }

    /// An object that a store does not serve is reported and left to the next run.
    /// - Throws: `unavailable` when a store serves none of several in turn, or no listing; `CancellationError`. What was copied stays.
    package func run(progress: @escaping Progress, report: @escaping @Sendable (CopyFinding) throws -> Void) async throws -> Counts {
        var counts = Counts()
        if !copiesStaging { counts.waiting = try await total(of: .staging).count }
        let kinds = ObjectKey.Kind.allCases.filter { copiesStaging || $0 != .staging }
        for kind in kinds {
            let found = try await total(of: kind)
            counts.objects += found.count
            counts.bytes += found.bytes
        }
        progress(counts)
        var silence = Silence()
        for kind in kinds { try await copy(kind, &counts, &silence, progress, report) }
        return counts
    }

    private func total(of kind: ObjectKey.Kind) async throws -> (count: Int, bytes: Int64) {
        var cursor = ListingCursor(source, kind, pageSize: pageSize)
        var total = (count: 0, bytes: Int64(0))
        while let object = try await cursor.peek() {
            try Task.checkCancellation()
            total = (total.count + 1, total.bytes + object.size)
            cursor.drop()
        }
        return total
    }

    // MARK: A kind

    private func copy(
        _ kind: ObjectKey.Kind, _ counts: inout Counts, _ silence: inout Silence, _ progress: Progress,
        _ report: (CopyFinding) throws -> Void
    ) async throws {
        var here = ListingCursor(source, kind, pageSize: pageSize)
        var there = ListingCursor(target, kind, pageSize: pageSize)
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var running = 0
            while let object = try await here.peek() {
                try Task.checkCancellation()
                here.drop()
                let name = object.key.description
                while let other = try await there.peek(), other.key.description < name {
                    counts.extra += 1
                    there.drop()
                }
                var found: ByteObject?
                if let other = try await there.peek(), other.key == object.key {
                    found = other
                    there.drop()
                }
                if let found, found.size == object.size, !comparesAll {
                    counts.note(.present(object, isCompared: false))
                    progress(counts)
                    continue
                }
                if running >= jobs, let outcome = try await group.next() {
                    running -= 1
                    try settle(outcome, &counts, &silence, progress, report)
                }
                running += 1
                let isThere = found != nil
                group.addTask { try await isThere ? compare(object) : copy(object) }
            }
            while try await there.peek() != nil {
                counts.extra += 1
                there.drop()
            }
            for try await outcome in group { try settle(outcome, &counts, &silence, progress, report) }
        }
    }

    private func settle(
        _ outcome: Outcome, _ counts: inout Counts, _ silence: inout Silence, _ progress: Progress,
        _ report: (CopyFinding) throws -> Void
    ) throws {
        counts.note(outcome)
        try silence.note(outcome)
        if case .found(let finding) = outcome { try report(finding) }
        progress(counts)
    }

    // MARK: An object

    private func copy(_ object: ByteObject) async throws -> Outcome {
        var mayBeSent = false
        for tried in 1... {
            do throws(ObjectStoreError) {
                return try await copyOnce(object, &mayBeSent)
            } catch {
                if !Task.isCancelled, tried < Self.tries {
                    if error == .checksumMismatch { continue }
                    if error == .unavailable(full: false) {
                        try? await pause(tried)
                        continue
                    }
                }
                // Never read back: the next run would take it, by its length, for a copy that was compared. Also when this run is interrupted.
                if mayBeSent { await Task { try? await target.delete(object.key) }.value }
                try Task.checkCancellation()
                switch error {
                case .checksumMismatch: return .found(CopyFinding(kind: .altered, key: object.key))
                case .unavailable(full: false): return .found(CopyFinding(kind: .unanswered, key: object.key))
                case .damaged, .lengthMismatch: return .found(CopyFinding(kind: .unreadable, key: object.key))
                default: throw error
                }
            }
        }
        throw ObjectStoreError.unavailable(full: false)
    }

    /// - Parameter mayBeSent: becomes true when what is at the target may have been put by this run.
    /// - Throws: `checksumMismatch` when the target returns other bytes than were sent.
    private func copyOnce(_ object: ByteObject, _ mayBeSent: inout Bool) async throws(ObjectStoreError) -> Outcome {
        let key = object.key
        let sent: [UInt8]
        do {
            let bytes = CopiedBytes(try await source.get(key, range: 0..<object.size))
            try await put(key, length: object.size, from: bytes, &mayBeSent)
            sent = bytes.digest()
        } catch ObjectStoreError.missing {
            return try await vanished(key)
        } catch ObjectStoreError.alreadyExists {
            return try await compareOnce(object)
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable(full: false)
        }
        guard let stored = try await digest(key, in: target, size: object.size) else { return try await vanished(key) }
        guard stored == sent else {
            try await target.delete(key)
            throw .checksumMismatch
        }
        // The service deletes at both stores, at the source before it looks at the target for the last time. One of the two therefore finds
        // what the other has left.
        guard try await source.head(key) != nil else {
            try await target.delete(key)
            return .vanished
        }
        return .copied(object)
    }

    /// A put that fails may have stored the object, when its answer was lost. The bytes are asked for only when the target has none at the key, so
    /// what was there before this run does not count. Nor does what another process put before the first try (`alreadyExists`).
    private func put(_ key: ObjectKey, length: Int64, from bytes: CopiedBytes, _ mayBeSent: inout Bool) async throws {
        // Not cancelled once a bucket has the whole body: it would store it after the deletion that follows.
        let put = Task { [target] in try await target.put(key, length: length, from: bytes) }
        do {
            try await withTaskCancellationHandler {
                try await put.value
            } onCancel: {
                bytes.interrupt()
            }
            mayBeSent = true
        } catch {
            let known = error as? ObjectStoreError
            if bytes.hasBegun, known != .alreadyExists, known != .missing { mayBeSent = true }
            throw error
        }
    }

    private func compare(_ object: ByteObject) async throws -> Outcome {
        for tried in 1... {
            do throws(ObjectStoreError) {
                return try await compareOnce(object)
            } catch {
                try Task.checkCancellation()
                switch error {
                case .unavailable(full: false) where tried < Self.tries: try await pause(tried)
                case .unavailable(full: false): return .found(CopyFinding(kind: .unanswered, key: object.key))
                case .damaged: return .found(CopyFinding(kind: .unreadable, key: object.key))
                default: throw error
                }
            }
        }
        throw ObjectStoreError.unavailable(full: false)
    }

    private func compareOnce(_ object: ByteObject) async throws(ObjectStoreError) -> Outcome {
        let key = object.key
        guard let read = try await digest(key, in: source, size: object.size) else { return try await vanished(key) }
        guard let stored = try await digest(key, in: target, size: nil) else { return try await vanished(key) }
        return stored == read ? .present(object, isCompared: true) : .found(CopyFinding(kind: .different, key: key))
    }

    /// Nil when the object is missing.
    /// - Throws: `damaged` when it has not that size.
    private func digest(_ key: ObjectKey, in store: any ByteStore, size: Int64?) async throws(ObjectStoreError) -> [UInt8]? {
        do {
            let bytes = CopiedBytes(try await store.get(key, range: 0..<Int64.max))
            let count = try await bytes.drain()
            if let size, count != size { throw ObjectStoreError.damaged }
            return bytes.digest()
        } catch ObjectStoreError.missing {
            return nil
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable(full: false)
        }
    }

    /// Deleted meanwhile; what is still at the source is for another try. Deletes nothing: only what this run has just put is its own.
    private func vanished(_ key: ObjectKey) async throws(ObjectStoreError) -> Outcome {
        guard try await source.head(key) == nil else { throw .unavailable(full: false) }
        return .vanished
    }

    /// A deletion that is under way at one store has then reached the other.
    private func pause(_ tried: Int) async throws { try await Task.sleep(for: retryPause * tried) }
}

extension CopyObjects {
    fileprivate enum Outcome: Sendable {
        case copied(ByteObject)
        case present(ByteObject, isCompared: Bool)
        case vanished
        case found(CopyFinding)
    }
}

extension CopyObjects {
    /// Tells an object that a store does not serve from a store that is down.
    fileprivate struct Silence {
        private var inTurn = 0

        mutating func note(_ outcome: Outcome) throws(ObjectStoreError) {
            guard case .found(let finding) = outcome, finding.kind == .unanswered else {
                inTurn = 0
                return
            }
            inTurn += 1
            if inTurn >= CopyObjects.unanswered { throw .unavailable(full: false) }
        }
    }
}

extension CopyObjects.Counts {
    fileprivate mutating func note(_ outcome: CopyObjects.Outcome) {
        switch outcome {
        case .copied(let object):
            copied += 1
            copiedBytes += object.size
        case .present(let object, let isCompared):
            present += 1
            presentBytes += object.size
            if isCompared { compared += 1 }
        case .vanished: vanished += 1
        case .found: break
        }
    }
}
