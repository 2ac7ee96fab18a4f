import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestServers
import Testing

@testable import DiaryObjectStore
@testable import S3Client

/// Checksums, and conditions at the completion of uploads in parts, as AWS has them, on LocalStack: radosgw has neither.
@Suite(
    "Buckets: checksums and conditions",
    .enabled(
        if: PrivateS3.Kind.localstack.isInstalled,
        "DIARY_TEST_LOCALSTACK names no virtual environment with LocalStack: see CONTRIBUTING.md"))
struct BucketConditionTests {
    @Test("an upload of other bytes than the signed SHA-256 is refused and not stored; the URL still takes the right ones")
    func checksum() async throws {
        let store = try await TestBucket.store(.localstack)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let (key, bytes) = (fixture.key(.staging), pattern(1_000))
        let target = S3UploadSigner(store: store).sign(
            key, contentType: "audio/mp4", length: 1_000, sha256: SHA256.digest(bytes), at: .now, lifetime: 900)
        let upload = S3Presigned(url: target.url, headers: target.headers, expiresAt: target.expiresAt)

        let refusal = try await store.client.tryUpload(upload, bytes.reversed())
        #expect(refusal?.status == 400 && refusal?.code == "BadDigest")
        #expect(try await store.head(key) == nil)

        #expect(try await store.client.tryUpload(upload, bytes) == nil)
        #expect(try await fixture.get(key) == bytes)
    }

    @Test("an upload in parts is not completed over a recording that is at the key")
    func completion() async throws {
        let store = try await TestBucket.store(.localstack)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let key = fixture.key(.staging)
        let name = store.names[key]
        let upload = try await store.client.createUpload(name)
        let part = try await store.client.uploadPart(name, upload: upload, number: 1, [1, 2, 3])
        try await fixture.put(key, [7])

        let refusal = await #expect(throws: S3Error.self) {
            try await store.client.completeUpload(name, upload: upload, parts: [part], ifAbsent: true)
        }

        #expect(refusal?.reason == .exists)
        #expect(try await fixture.get(key) == [7])
    }

    @Test("of eight sets that are joined to one recording at once exactly one wins")
    func joins() async throws {
        let store = try await TestBucket.store(.localstack)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let (key, dataKey, parts) = (fixture.key(.staging), DataKey.generate(), S3UploadParts(store: store))
        var sets: [PartUpload] = []
        for number in UInt8(0)..<8 {
            let id = try await parts.begin(key, contentType: "audio/mp4")
            _ = try await store.client.uploadPart(store.names[key], upload: id, number: 1, [UInt8](repeating: number, count: 100))
            sets.append(PartUpload(key: key, id: id, contentType: "audio/mp4", size: 100, partSize: parts.smallestPart))
        }

        let winners = await withTaskGroup(of: Int?.self) { group in
            for (number, upload) in sets.enumerated() {
                group.addTask {
                    do throws(ObjectStoreError) {
                        try await parts.join(upload, of: try await parts.arrived(upload), sealedBy: dataKey)
                        return number
                    } catch {
                        #expect(error == .alreadyExists)
                        return nil
                    }
                }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }

        #expect(winners.count == 1)
        #expect(try await fixture.get(key) == [UInt8](repeating: UInt8(winners.first ?? 255), count: 100))
    }
}
