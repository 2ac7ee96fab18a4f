import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore

@Suite("What staging and parts hold")
struct WaitingUploadsTests {
    private let rows = ScriptedChecks()
    private let objects = MemoryObjects()
    private let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))

    /// An object in staging, and a row that names it at these places.
    private func stage(_ places: ObjectKey.Kind..., isConfirmed: Bool = true) {
        let object = UUID()
        for place in places {
            let named = NamedObject(owner: owner, id: UUID(), object: object)
            rows.rows.append(.init(named: named, place: place, digest: nil, isConfirmed: isConfirmed))
        }
        objects[ObjectKey(kind: .staging, owner: owner, object: object)] = [1]
    }

    /// An entry of so many bytes that waits for parts of four.
    private func entry(of size: Int64) -> AwaitingParts {
        let upload = AwaitingUpload(owner: owner, entry: EntryID(UUID()), object: UUID(), size: size, createdAt: .now, expiresAt: .now)
        let key = ObjectKey(kind: .staging, owner: owner, object: upload.object)
        return AwaitingParts(
            upload: upload, parts: PartUpload(key: key, id: "set", contentType: "audio/mp4", size: size, partSize: 4))
    }

    private func waiting(_ sets: [AwaitingParts], _ parts: MemoryParts) async throws -> WaitingUploads.Counts {
        let waiting = WaitingUploads(rows: rows, objects: objects.store, parts: parts) { after, limit async throws(WorkError) in
            let start = after.flatMap { after in sets.firstIndex { $0.upload.entry == after } }.map { $0 + 1 } ?? 0
            return Array(sets.dropFirst(start).prefix(limit))
        }
        return try await waiting.run()
    }

    @Test(
        "recordings, confirmed zips and whole sets are left to workers; what a client has not ended is told apart, what no row names is nothing"
    )
    func counts() async throws {
        stage(.staging)
        stage(.staging)
        stage(.staging, .imported)
        stage(.staging, .imported, isConfirmed: false)
        stage()

        let counts = try await waiting([entry(of: 10), entry(of: 12)], MemoryParts([1: 4, 2: 4, 3: 2]))

        #expect(counts == .init(recordings: 2, zips: 1, parts: 1, begun: 2) && counts.forWorkers == 4)
    }

    @Test("sets without a part, and sets that the store does not know, are nothing")
    func none() async throws {
        #expect(try await waiting([entry(of: 10)], MemoryParts([:])) == .init())
        #expect(try await waiting([entry(of: 10)], MemoryParts(isEnded: true)) == .init())
    }
}
