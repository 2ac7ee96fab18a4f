import DiaryCore
import DiaryTesting
import Foundation
import Synchronization
import TestServers

@testable import DiaryObjectStore

/// The byte stores that pass the conformance suite.
enum TestedByteStore: Sendable, Equatable {
    case disk, memory
    case s3(PrivateS3.Kind)

    /// Of this run.
    static let all = [disk, memory] + TestBucket.chosen.map { s3($0) }
    /// Those where of puts at once exactly one succeeds.
    static let guarding = all.filter { if case .s3(let kind) = $0 { !kind.differs(.refusesConditions) } else { true } }

    func make() async throws -> ByteStoreFixture {
        switch self {
        case .disk:
            let disk = try TestDisk()
            return ByteStoreFixture(store: disk.bytes, holder: disk)
        case .memory: return ByteStoreFixture(store: MemoryByteStore(), holder: nil)
        case .s3(let kind): return ByteStoreFixture(store: try await TestBucket.store(kind), holder: nil, tick: 1)
        }
    }
}

/// An empty store of bytes and a user.
struct ByteStoreFixture: Sendable {
    let store: any ByteStore
    /// Keeps the disk store's folder.
    let holder: TestDisk?
    /// Seconds by which times of storage differ at least, when they differ.
    var tick = 0.05
    let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))

    func key(_ kind: ObjectKey.Kind = .audio, _ owner: Owner? = nil) -> ObjectKey {
        let owner = owner ?? self.owner
        return ObjectKey(kind: kind, tenant: owner.tenant, user: owner.user, object: UUID())
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8], chunk: Int = 10_000) async throws {
        try await store.put(key, length: Int64(bytes.count), from: ArraySource(bytes, chunk: chunk))
    }

    func get(_ key: ObjectKey, _ range: Range<Int64> = 0..<Int64.max, pieces: Int = 4_096) async throws -> [UInt8] {
        let reader = try await store.get(key, range: range)
        var all: [UInt8] = []
        while let piece = try await reader.next(pieces, through: { $0 }) {
            guard (1...pieces).contains(piece.count) else { throw ObjectStoreError.lengthMismatch }
            all += piece
        }
        return all
    }
}

final class ArraySource: ByteSource {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let chunk: Int

    init(_ bytes: [UInt8], chunk: Int) {
        rest = Mutex(bytes[...])
        self.chunk = chunk
    }

    func next() async throws -> DeferredBytes? {
        let piece = rest.withLock { rest in
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
        return piece.isEmpty ? nil : DeferredBytes { piece }
    }
}

/// Any source, from a closure.
final class ClosureSource: ByteSource {
    private let produce: @Sendable () async throws -> DeferredBytes?

    init(_ produce: @escaping @Sendable () async throws -> DeferredBytes?) { self.produce = produce }

    func next() async throws -> DeferredBytes? { try await produce() }
}
