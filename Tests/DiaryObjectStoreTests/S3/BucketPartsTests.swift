import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestServers
import Testing

@testable import DiaryObjectStore
@testable import S3Client

/// Uploads in parts on the real services of this run.
@Suite("Buckets: uploads in parts")
struct BucketPartsTests {
    /// A recording of two parts, in a set of its own.
    private struct Scene {
        static let sizes: [Int64] = [5 << 20, 100]
        let store: S3ByteStore
        let parts: S3UploadParts
        let upload: PartUpload
        let dataKey: DataKey

        init(_ kind: PrivateS3.Kind) async throws {
            store = try await TestBucket.store(kind)
            parts = S3UploadParts(store: store)
            dataKey = DataKey.generate()
            upload = try await Self.begin(parts, ByteStoreFixture(store: store, holder: nil).key(.staging))
        }

        static func begin(_ parts: S3UploadParts, _ key: ObjectKey) async throws -> PartUpload {
            PartUpload(
                key: key, id: try await parts.begin(key, contentType: "audio/mp4"), contentType: "audio/mp4",
                size: sizes.reduce(0, +), partSize: parts.smallestPart)
        }

        func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: Int(Self.sizes[number - 1])) }

        /// As a client sends it.
        /// - Parameter number: that the URL is of; `body`: of another one.
        func send(_ number: Int, _ body: [UInt8]? = nil, as other: Int? = nil, of upload: PartUpload? = nil) async throws -> Int {
            let upload = upload ?? self.upload
            let part = PartKey(key: upload.key, upload: upload.id, number: number)
            let target = parts.sign(
                part, contentType: upload.contentType, length: upload.length(of: number) ?? 1, at: .now, lifetime: 60)
            let url = other.map { target.url.replacing("partNumber=\(number)&", with: "partNumber=\($0)&") } ?? target.url
            return try await store.client.tryUpload(
                S3Presigned(url: url, headers: target.headers, expiresAt: target.expiresAt), body ?? bytes(number))?.status ?? 200
        }

        func join() async throws {
            try await parts.join(upload, of: try await parts.arrived(upload), sealedBy: dataKey)
        }
    }

    @Test(
        "parts that clients send are joined to the recording under its type; a URL is bound to its number and length",
        arguments: TestBucket.chosen)
    func joined(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        #expect(try await scene.parts.arrived(scene.upload).isEmpty)

        #expect(try await scene.send(2, scene.bytes(2) + [1]) == 403)
        #expect(try await scene.send(2, as: 1) == 403)
        #expect(try await scene.send(2, [UInt8](repeating: 9, count: 100)) == 200)
        for number in [2, 1] { #expect(try await scene.send(number) == 200) }
        let arrived = try await scene.parts.arrived(scene.upload)
        #expect(arrived.map(\.number) == [1, 2] && arrived.map(\.size) == Scene.sizes && scene.upload.isComplete(arrived))
        await #expect(throws: ObjectStoreError.missing) {
            try await SealedObjectStore(bytes: scene.store, staging: .plain).facts(scene.upload.key)
        }
        try await scene.join()

        let fixture = ByteStoreFixture(store: scene.store, holder: nil)
        #expect(try await fixture.get(scene.upload.key, Scene.sizes[0] - 1..<Scene.sizes[0] + 100) == [1] + scene.bytes(2))
        if kind.differs(.takesPartsAfterJoin) {
            #expect(try await scene.send(2, [UInt8](repeating: 9, count: 100)) == 200)
            // What was not joined is not read in its place.
            await #expect(throws: ObjectStoreError.unavailable(full: false)) {
                try await fixture.get(scene.upload.key, Scene.sizes[0]..<Scene.sizes[0] + 100)
            }
        }
        #expect(try await scene.send(2) == (kind.differs(.takesPartsAfterJoin) ? 200 : 404))
        await #expect(throws: ObjectStoreError.alreadyExists) {
            try await scene.parts.join(scene.upload, of: arrived, sealedBy: scene.dataKey)
        }
        try await scene.store.move(scene.upload.key, to: scene.upload.key.promoted)
        await #expect(throws: ObjectStoreError.alreadyExists) {
            try await scene.parts.join(scene.upload, of: arrived, sealedBy: scene.dataKey)
        }
    }

    @Test("parts that this process holds are joined like those of clients", arguments: TestBucket.chosen)
    func held(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        for number in [1, 2] {
            let part = PartKey(key: scene.upload.key, upload: scene.upload.id, number: number)
            try await scene.parts.put(part, scene.bytes(number), sealedBy: scene.dataKey)
        }
        try await scene.join()
        let fixture = ByteStoreFixture(store: scene.store, holder: nil)
        #expect(try await fixture.get(scene.upload.key, Scene.sizes[0] - 1..<Scene.sizes[0] + 100) == [1] + scene.bytes(2))
    }

    @Test("a recording that is at the key, or was promoted, is not replaced by a join", arguments: TestBucket.chosen)
    func taken(kind: PrivateS3.Kind) async throws {
        for isPromoted in [false, true] {
            let scene = try await Scene(kind)
            let fixture = ByteStoreFixture(store: scene.store, holder: nil)
            let key = isPromoted ? scene.upload.key.promoted : scene.upload.key
            for number in [1, 2] { #expect(try await scene.send(number) == 200) }
            try await fixture.put(key, [7])

            await #expect(throws: ObjectStoreError.alreadyExists) { try await scene.join() }

            #expect(try await fixture.get(key) == [7])
            try await scene.parts.discard(scene.upload.key, id: nil)
        }
    }

    @Test("a part that was sent again since its listing, and a set that ended, are missing to a join", arguments: TestBucket.chosen)
    func lost(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        for number in [1, 2] { #expect(try await scene.send(number) == 200) }
        let arrived = try await scene.parts.arrived(scene.upload)
        #expect(try await scene.send(2, [UInt8](repeating: 9, count: 100)) == 200)

        await #expect(throws: ObjectStoreError.missing) {
            try await scene.parts.join(scene.upload, of: arrived, sealedBy: scene.dataKey)
        }
        for _ in 0..<2 { try await scene.parts.discard(scene.upload.key, id: scene.upload.id) }

        await #expect(throws: ObjectStoreError.missing) { try await scene.parts.arrived(scene.upload) }
        await #expect(throws: ObjectStoreError.missing) {
            try await scene.parts.join(scene.upload, of: arrived, sealedBy: scene.dataKey)
        }
        // The name of a folder's set, after a move to the bucket.
        let foreign = PartUpload(
            key: scene.upload.key, id: UUIDv7.make().lowercaseText, contentType: "audio/mp4", size: 100, partSize: 100)
        await #expect(throws: ObjectStoreError.missing) { try await scene.parts.arrived(foreign) }
        #expect(try await scene.store.head(scene.upload.key) == nil)
    }

    @Test(
        "every set of a recording is discarded, and no other's; the listing has each set once, by pages, with the time of its last part",
        arguments: TestBucket.chosen)
    func listed(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        let fixture = ByteStoreFixture(store: scene.store, holder: nil)
        let again = try await Scene.begin(scene.parts, scene.upload.key)
        let other = try await Scene.begin(scene.parts, fixture.key(.staging))
        // Not named as objects are.
        _ = try await scene.store.client.createUpload(scene.store.names[ObjectPrefix(.staging)] + "stray")
        #expect(try await scene.send(2, of: other) == 200)

        func sets(_ limit: Int, olderThan: Date = .distantFuture) async throws -> [StoredPartUpload] {
            var (found, after): ([StoredPartUpload], StoredPartUpload?) = ([], nil)
            repeat {
                let page = try await scene.parts.list(olderThan: olderThan, after: after, limit: limit)
                found += page.uploads
                after = page.next
            } while after != nil
            return found
        }

        for limit in [1, 2, 100] {
            let found = try await sets(limit)
            #expect(found.count == 3 && Set(found.map(\.id)) == [scene.upload.id, again.id, other.id], "\(limit)")
        }
        #expect(try await sets(100, olderThan: Date(timeIntervalSinceNow: -60)).isEmpty)
        let listed = try #require(try await sets(100).first { $0.id == other.id })
        let part = try #require(
            try await scene.store.client.listParts(scene.store.names[other.key], upload: other.id).first?.storedAt)
        #expect(abs(listed.storedAt.timeIntervalSince(part)) < 0.001)

        try await scene.parts.discard(scene.upload.key, id: nil)
        #expect(try await sets(100).map(\.id) == [other.id])
    }
}
