import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestServers
import Testing

@testable import DiaryObjectStore
@testable import S3Client

/// Changed upload URLs on the real services of this run (D1).
@Suite("Buckets: tampered uploads")
struct BucketTamperingTests {
    private struct Scene {
        let kind: PrivateS3.Kind
        let store: S3ByteStore
        let parts: S3UploadParts
        let transfers: CurlTransfers
        let key: ObjectKey
        let other: ObjectKey
        let bytes = pattern(100)

        init(_ kind: PrivateS3.Kind) async throws {
            self.kind = kind
            store = try await TestBucket.store(kind)
            parts = S3UploadParts(store: store)
            transfers = try CurlTransfers(
                TransferConfiguration(hosts: [store.client.configuration.bucket.target]), name: "curl-tampered")
            let fixture = ByteStoreFixture(store: store, holder: nil)
            (key, other) = (fixture.key(.staging), fixture.key(.staging))
        }

        var rows: TamperedBucketUploads {
            let foreign = ObjectKey(kind: .staging, tenant: key.tenant, user: UserID(UUID()), object: key.object)
            let names = store.names
            return TamperedBucketUploads(
                name: names[key],
                others: [
                    (label: "another recording", name: names[other]), (label: "another account", name: names[foreign]),
                    (label: "its final place", name: names[key.promoted]), (label: "the sweep's mark", name: names.sweepMark),
                    (label: "no prefix", name: String(names[key].dropFirst(names.prefix.count))),
                ])
        }

        func whole(at now: Date = .now, lifetime: Double = 900) -> TamperedBucketUploads.Sent {
            sent(
                S3UploadSigner(store: store).sign(
                    key, contentType: "audio/mp4", length: 100, sha256: SHA256.digest(bytes), at: now, lifetime: lifetime))
        }

        func part(_ set: String, number: Int = 2, at now: Date = .now, lifetime: Double = 900) -> TamperedBucketUploads.Sent {
            sent(
                parts.sign(
                    PartKey(key: key, upload: set, number: number), contentType: "audio/mp4", length: 100, at: now, lifetime: lifetime))
        }

        private func sent(_ target: UploadTarget) -> TamperedBucketUploads.Sent {
            TamperedBucketUploads.Sent(url: target.url, headers: target.headers, body: bytes)
        }

        /// False for a known difference of the service.
        func refuses(_ row: TamperedBucketUploads.Row) -> Bool {
            guard let difference = row.difference else { return true }
            return !kind.differs(difference)
        }

        /// Sends each row's request.
        /// - Returns: the rows that changed nothing, and those that were answered otherwise than by a refusal.
        func taken(_ rows: [TamperedBucketUploads.Row], of genuine: TamperedBucketUploads.Sent) async throws -> [String] {
            var taken: [String] = []
            for row in rows {
                var bent = genuine
                row.bend(&bent)
                let status = try await status(of: bent)
                if !(400..<500).contains(status) && status != 501 { taken.append("\(row.name): \(status)") }
            }
            return taken
        }

        func status(of sent: TamperedBucketUploads.Sent) async throws -> Int {
            let hasBody = sent.method == .put || sent.method == .post
            let request = TransferRequest(
                sent.method, sent.url, headers: sent.headers, body: hasBody ? .bytes(sent.body) : .none)
            return try await transfers.collect(request, maximumBytes: 64 * 1024).status
        }
    }

    @Test("D1: no tampered upload URL of a recording is accepted, and none after its end", arguments: TestBucket.chosen)
    func whole(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        let rows = scene.rows.common + scene.rows.whole
        #expect(rows.count >= 60 && Set(rows.map(\.name)).count == rows.count)

        #expect(try await scene.taken(rows.filter(scene.refuses), of: scene.whole()) == [])
        for late in [scene.whole(at: .now.addingTimeInterval(-901)), scene.whole(at: .now.addingTimeInterval(-10), lifetime: 5)] {
            #expect(try await scene.status(of: late) == 403)
        }

        for name in [scene.store.names[scene.key]] + scene.rows.others.map(\.name) {
            #expect(try await scene.store.client.head(name) == nil, "\(name)")
        }
        #expect(try await scene.status(of: scene.whole()) == 200)
    }

    @Test("D1: no tampered upload URL of a part is accepted, and none after the end of its set", arguments: TestBucket.chosen)
    func parts(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        let set = try await scene.parts.begin(scene.key, contentType: "audio/mp4")
        let again = try await scene.parts.begin(scene.key, contentType: "audio/mp4")
        let foreign = try await scene.parts.begin(scene.other, contentType: "audio/mp4")
        let query = String(scene.whole().url.split(separator: "?").last ?? "")
        let sets = [(label: "this recording", id: again), (label: "another recording", id: foreign), (label: "nothing", id: "x")]
        let rows = scene.rows.common + TamperedBucketUploads.part(sets: sets, whole: query)
        #expect(rows.count >= 60 && Set(rows.map(\.name)).count == rows.count)

        #expect(try await scene.taken(rows.filter(scene.refuses), of: scene.part(set)) == [])
        #expect(try await scene.status(of: scene.part(set, at: .now.addingTimeInterval(-901))) == 403)

        for (id, key) in [(set, scene.key), (again, scene.key), (foreign, scene.other)] {
            #expect(try await scene.store.client.listParts(scene.store.names[key], upload: id).isEmpty)
        }
        #expect(try await scene.store.head(scene.key) == nil)
        #expect(try await scene.status(of: scene.part(set)) == 200)
        try await scene.parts.discard(scene.key, id: set)
        #expect(try await scene.status(of: scene.part(set)) == 404)
    }

    @Test("what a service is known not to refuse it does not refuse: a difference that has gone is told", arguments: TestBucket.chosen)
    func differences(kind: PrivateS3.Kind) async throws {
        let scene = try await Scene(kind)
        let set = try await scene.parts.begin(scene.key, contentType: "audio/mp4")
        let rows = (scene.rows.common + TamperedBucketUploads.part(sets: [], whole: "")).filter { !scene.refuses($0) }

        #expect(try await scene.taken(rows, of: scene.part(set)).count == rows.count)
    }
}
