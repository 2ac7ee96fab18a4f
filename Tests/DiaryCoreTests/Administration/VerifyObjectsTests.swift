import DiaryCrypto
import DiaryTesting
import Foundation
import Synchronization
import Testing

@testable import DiaryCore

/// Rows that tests set, and what happens between a first and a second look.
final class ScriptedChecks: ObjectCheckStore {
    struct Row {
        var named: NamedObject
        var place: ObjectKey.Kind
        var digest: [UInt8]?
        var isCopy = false
        /// Of a zip: its import is to be made.
        var isConfirmed = true
    }

    private struct State {
        var rows: [Row] = []
        var keys: [Owner: WrappedKey] = [:]
        var kept: [ClosedRange<Date>] = []
        var afterOrphans: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var rows: [Row] {
        get { state.withLock { $0.rows } }
        set { state.withLock { $0.rows = newValue } }
    }
    var keys: [Owner: WrappedKey] {
        get { state.withLock { $0.keys } }
        set { state.withLock { $0.keys = newValue } }
    }
    var kept: [ClosedRange<Date>] {
        get { state.withLock { $0.kept } }
        set { state.withLock { $0.kept = newValue } }
    }
    /// Called once, after the next question about orphans.
    var afterOrphans: (@Sendable () -> Void)? {
        get { state.withLock { $0.afterOrphans } }
        set { state.withLock { $0.afterOrphans = newValue } }
    }

    private func page(_ isWanted: (Row) -> Bool, _ after: NamedObject?, _ limit: Int) -> [NamedObject] {
        let named = rows.filter(isWanted).map(\.named)
        let start = after.flatMap { after in named.firstIndex { $0.id == after.id } }.map { $0 + 1 } ?? 0
        return Array(named.dropFirst(start).prefix(limit))
    }
    func recordings(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] {
        page({ $0.place != .export && $0.place != .imported && !$0.isCopy }, after, limit)
    }
    func copies(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] { page({ $0.isCopy }, after, limit) }
    func zips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] { page({ $0.place == .export }, after, limit) }
    func importedZips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] {
        page({ $0.place == .imported && $0.isConfirmed }, after, limit)
    }
    func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey] {
        let wanted = Set(
            rows.map { ObjectKey(kind: $0.place, tenant: $0.named.owner.tenant, user: $0.named.owner.user, object: $0.named.object) })
        defer {
            let hook = state.withLock { state in
                defer { state.afterOrphans = nil }
                return state.afterOrphans
            }
            hook?()
        }
        return keys.filter { !wanted.contains($0) }
    }
    func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] { kept }
    func digest(of recording: NamedObject) async throws(DiaryError) -> [UInt8]? {
        rows.first { $0.named.id == recording.id && $0.named.object == recording.object }?.digest
    }
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? { keys[owner] }
}

@Suite("Rows and objects compared")
struct VerifyObjectsTests {
    private let store = ScriptedChecks()
    private let objects: MemoryObjects
    private let masters: MasterKeyRing
    private let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))

    init() throws {
        masters = try #require(Stub.keyRing)
        let key = DataKey.generate()
        objects = MemoryObjects(sealedBy: key)
        store.keys = [owner: try masters.wrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid)]
    }

    private func key(_ kind: ObjectKey.Kind, _ object: UUID) -> ObjectKey {
        ObjectKey(kind: kind, tenant: owner.tenant, user: owner.user, object: object)
    }

    /// A row, and its object unless there is none.
    @discardableResult
    private func row(
        _ place: ObjectKey.Kind = .audio, bytes: [UInt8]? = [1, 2, 3], digest: [UInt8]? = SHA256.digest([1, 2, 3]),
        isCopy: Bool = false
    ) -> NamedObject {
        let named = NamedObject(owner: owner, id: UUID(), object: UUID())
        store.rows.append(.init(named: named, place: place, digest: digest, isCopy: isCopy))
        if let bytes { objects[key(place, named.object)] = bytes }
        return named
    }

    private func verify(sample: Int = 100) async throws -> (findings: [ObjectFinding], counts: VerifyObjects.Counts) {
        let found = Mutex<[ObjectFinding]>([])
        let counts = try await VerifyObjects(store: store, objects: objects.store, masters: masters, settleSeconds: 0)
            .run(sample: sample, progress: { _, _ in }) { finding in found.withLock { $0.append(finding) } }
        return (found.withLock { $0 }, counts)
    }

    @Test("where all fits nothing is found, a recording that waits for its check in staging included")
    func clean() async throws {
        for place in ObjectKey.Kind.allCases { row(place) }
        row(isCopy: true)

        let (findings, counts) = try await verify()

        #expect(findings.isEmpty)
        #expect(counts == .init(recordings: 2, copies: 1, zips: 2, objects: 5, hashed: 3))
        #expect(try await verify(sample: 0).counts.hashed == 0)
    }

    @Test("a missing object, one without a row, damaged and exchanged bytes, and a missing key are found, each once")
    func findings() async throws {
        let missing = row(bytes: nil)
        let zip = row(.export, bytes: nil)
        let missingCopy = row(bytes: nil, isCopy: true)
        let exchanged = row(bytes: [9])
        let exchangedCopy = row(bytes: [9], isCopy: true)
        let damaged = row()
        let sealed = try #require(objects.bytes[key(.audio, damaged.object)])
        objects.bytes[key(.audio, damaged.object)] = sealed.dropLast() + [sealed.last.map { $0 ^ 1 } ?? 0]
        let orphan = key(.audio, UUID())
        objects[orphan] = [1]

        let found = try await verify().findings

        #expect(Set(found.map(\.id)).count == 7 && found.count == 7)
        func ids(_ kind: ObjectFinding.Kind) -> [String] { found.filter { $0.kind == kind }.map(\.id) }
        #expect(Set(ids(.missing)) == Set([missing, missingCopy, zip].map(\.id.lowercaseText)))
        #expect(Set(ids(.otherHash)) == Set([exchanged, exchangedCopy].map(\.id.lowercaseText)))
        #expect(ids(.damaged) == [damaged.id.lowercaseText])
        #expect(ids(.withoutRow) == [orphan.description])

        store.keys = [:]
        #expect(try await verify().findings.contains { $0.kind == .keyMissing })
    }

    @Test("work under way is no finding: a deletion between two looks, a zip stored before its row, objects kept because of a restore")
    func underWay() async throws {
        let (objects, late) = (objects, key(.audio, UUID()))
        objects[late] = [1]
        store.afterOrphans = { objects[late] = nil }
        #expect(try await verify().findings.isEmpty)

        let target: any ObjectStore = objects.store
        _ = try await target.put(
            key(.export, UUID()), from: ArrayBody([1]), length: 1, sha256: nil, sealedBy: objects.dataKey)
        #expect(try await verify().findings.isEmpty)

        objects[key(.audio, UUID())] = [1]
        store.kept = [Date(timeIntervalSince1970: -1)...Date(timeIntervalSince1970: 1)]
        let (findings, counts) = try await verify()
        #expect(findings.isEmpty && counts.kept == 1)
    }

    @Test("a sample has as many as were asked for, all different, out of more than a page")
    func sample() async throws {
        for _ in 0..<(VerifyObjects.page + 50) { row() }

        let (findings, counts) = try await verify(sample: 20)

        #expect(findings.isEmpty && counts.hashed == 20 && counts.recordings == VerifyObjects.page + 50)
        var sample = ObjectSample(3)
        for named in store.rows.map(\.named) { sample.offer(named) }
        #expect(Set(sample.chosen.map(\.id)).count == 3)
    }
}
