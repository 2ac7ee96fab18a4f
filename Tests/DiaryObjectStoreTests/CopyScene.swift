import DiaryCore
import Foundation
import Synchronization

@testable import DiaryObjectStore

/// Two stores, and what a copy from one to the other reports.
struct CopyScene: Sendable {
    /// Every store as source and as target; a bucket beside a folder, as the command has it.
    static let pairs: [(TestedByteStore, TestedByteStore)] =
        [(.disk, .disk), (.disk, .memory), (.memory, .disk)]
        + TestBucket.chosen.flatMap { [(.disk, .s3($0)), (.s3($0), .disk)] }

    let from: ByteStoreFixture
    let to: ByteStoreFixture
    let source: HookedByteStore
    let target: HookedByteStore

    init(_ from: TestedByteStore = .memory, _ to: TestedByteStore = .memory) async throws {
        self.from = try await from.make()
        self.to = try await to.make()
        source = HookedByteStore(self.from.store)
        target = HookedByteStore(self.to.store)
    }

    /// Objects of several users at the source.
    func fill(_ sizes: [Int], _ kinds: [ObjectKey.Kind] = [.audio, .export], users: Int = 2) async throws -> [ObjectKey: [UInt8]] {
        var objects: [ObjectKey: [UInt8]] = [:]
        for user in 0..<users {
            let owner = user == 0 ? from.owner : Owner(tenant: from.owner.tenant, user: UserID(UUID()))
            for kind in kinds {
                for (index, size) in sizes.enumerated() {
                    let key = from.key(kind, owner)
                    objects[key] = pattern(size).map { $0 &+ UInt8(truncatingIfNeeded: user * 31 + index) }
                    try await from.put(key, objects[key] ?? [])
                }
            }
        }
        return objects
    }

    @discardableResult
    func copy(
        staging: Bool = false, comparing: Bool = false, jobs: Int = 4, findings: Findings = Findings(), pageSize: Int = 3
    ) async throws -> CopyObjects.Counts {
        try await CopyObjects(
            from: source, to: target, copiesStaging: staging, comparesAll: comparing, jobs: jobs, pageSize: pageSize,
            retryPause: .milliseconds(1)
        ).run(progress: { _ in }, report: { findings.add($0) })
    }

    /// Whether the target has exactly these objects.
    func targetHas(_ objects: [ObjectKey: [UInt8]]) async throws -> Bool {
        var found: [ObjectKey: [UInt8]] = [:]
        for kind in ObjectKey.Kind.allCases {
            let listed = try await to.store.list(ObjectPrefix(kind), after: nil, olderThan: .distantFuture, limit: 1_000)
            for object in listed.objects { found[object.key] = try await to.get(object.key, pieces: 100_000) }
        }
        return found == objects
    }

    final class Findings: Sendable {
        private let found = Mutex<[CopyFinding]>([])
        var all: [CopyFinding] { found.withLock { $0 } }
        func add(_ finding: CopyFinding) { found.withLock { $0.append(finding) } }
    }
}
