import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestServers
import Testing

@testable import DiaryObjectStore
@testable import S3Client

/// What only a bucket does, on the real services of this run.
@Suite("Buckets")
struct BucketTests {
    @Test("a body that is too large for memory streams through, and a longer or failing one is never stored", arguments: TestBucket.chosen)
    func streams(kind: PrivateS3.Kind) async throws {
        let store = try await TestBucket.store(kind)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let key = fixture.key()
        let bytes = [UInt8](repeating: 7, count: Int(S3ByteStore.bufferedBytes) + 100_000)

        try await fixture.put(key, bytes, chunk: 65_536)

        #expect(try await store.head(key)?.size == Int64(bytes.count))
        #expect(try await fixture.get(key, 8_000_000..<8_000_100) == [UInt8](repeating: 7, count: 100))
        for length in [bytes.count - 1, bytes.count + 1] {
            let other = fixture.key()
            await #expect(throws: ObjectStoreError.lengthMismatch) {
                try await store.put(other, length: Int64(length), from: ArraySource(bytes, chunk: 65_536))
            }
            if !kind.differs(.storesCutBodies) { #expect(try await store.head(other) == nil) }
        }
    }

    @Test("an upload URL takes its own bytes, type and length, once where the service can, and no others", arguments: TestBucket.chosen)
    func uploads(kind: PrivateS3.Kind) async throws {
        let store = try await TestBucket.store(kind)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let key = fixture.key(.staging)
        let bytes = pattern(1_000)
        let target = S3UploadSigner(store: store).sign(
            key, contentType: "audio/mp4", length: 1_000, sha256: SHA256.digest(bytes), at: .now, lifetime: 900)
        func send(_ body: [UInt8], url: String? = nil, headers: [(name: String, value: String)]? = nil) async throws -> Int {
            let upload = S3Presigned(url: url ?? target.url, headers: headers ?? target.headers, expiresAt: target.expiresAt)
            return try await store.client.tryUpload(upload, body)?.status ?? 200
        }

        #expect(try await send(bytes + [1]) == 403)
        #expect(try await send(Array(bytes.dropLast())) == 403)
        var headers = target.headers
        headers[0].value = "audio/mpeg"
        #expect(try await send(bytes, headers: headers) == 403)
        #expect(try await send(bytes, headers: Array(target.headers.dropLast())) == 403)
        let foreign = target.url.replacing(key.object.lowercaseText, with: UUID().uuidString.lowercased())
        #expect(try await send(bytes, url: foreign) == 403)
        #expect(try await store.head(key) == nil)

        #expect(try await send(bytes) == 200)
        #expect(try await fixture.get(key) == bytes)
        if !kind.differs(.refusesConditions) { #expect(try await send(bytes) == 412) }
    }

    @Test("what a bucket with versions keeps of a deleted object is deleted too", arguments: TestBucket.chosen)
    func versions(kind: PrivateS3.Kind) async throws {
        guard kind != .swift else { return }
        let store = try await TestBucket.store(kind, bucket: "versions", versions: true)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let (single, others) = (fixture.key(.staging), (0..<3).map { _ in fixture.key() })
        for key in [single] + others { try await fixture.put(key, [1]) }
        // Hidden by a deletion that knew nothing of versions.
        try await store.client.delete(store.names[others[0]])
        for number in 1...3 { try await store.write(Int64(number)) }

        try await store.delete(single)
        #expect(try await store.delete([others[0], others[1]]).isEmpty)
        for key in others[..<2] { #expect(try await store.client.listVersions(prefix: store.names[key]).versions.isEmpty) }
        #expect(try await store.deleteAll(.audio, of: fixture.owner, most: .max) == 1)

        let left = try await store.client.listVersions(prefix: store.names.prefix).versions
        #expect(left.map(\.key) == [store.names.sweepMark])
        #expect(try await store.number() == 3)
    }

    @Test("uploads in parts that were not completed go with a user's objects", arguments: TestBucket.chosen)
    func openUploads(kind: PrivateS3.Kind) async throws {
        let store = try await TestBucket.store(kind)
        let fixture = ByteStoreFixture(store: store, holder: nil)
        let name = store.names[fixture.key(.staging)]
        let upload = try await store.client.createUpload(name)
        _ = try await store.client.uploadPart(name, upload: upload, number: 1, [1, 2, 3])

        #expect(try await store.deleteAll(.staging, of: fixture.owner, most: 10) == 0)

        #expect(try await store.client.listUploads(prefix: name).uploads.isEmpty)
        await #expect(throws: S3Error.self) { try await store.client.listParts(name, upload: upload) }
    }

    @Test("parts that a client sends are joined in order, again without harm, and aborted for good", arguments: TestBucket.chosen)
    func parts(kind: PrivateS3.Kind) async throws {
        let store = try await TestBucket.store(kind)
        let client = store.client
        let name = store.names[ByteStoreFixture(store: store, holder: nil).key(.staging)]
        let upload = try await client.createUpload(name, contentType: "audio/mp4")
        let (first, second) = ([UInt8](repeating: 1, count: 5 << 20), [UInt8](repeating: 2, count: 100))
        for (number, bytes) in [(2, second), (1, first)] {
            let target = client.presignedPart(
                name, upload: upload, number: number, S3UploadTerms(length: Int64(bytes.count), md5: MD5.digest(bytes)), at: .now,
                lifetime: 60)
            #expect(try await client.tryUpload(target, bytes.dropLast() + [9])?.code == "BadDigest")
            #expect(try await client.tryUpload(target, bytes) == nil)
        }

        let arrived = try await client.listParts(name, upload: upload)
        #expect(arrived.map(\.number) == [1, 2] && arrived.map(\.size) == [5 << 20, 100])
        for _ in 0..<2 { try await client.completeUpload(name, upload: upload, parts: arrived) }

        #expect(try await client.head(name)?.size == Int64(first.count + second.count))
        #expect(try await client.get(name, range: Int64(first.count) - 1..<Int64(first.count) + 1)?.bytes == [1, 2])
        let dropped = try await client.createUpload(name)
        for _ in 0..<2 { try await client.abortUpload(name, upload: dropped) }
        let gone = await #expect(throws: S3Error.self) { try await client.listParts(name, upload: dropped) }
        #expect(gone?.reason == .noUpload)
    }

    @Test("the check finds a usable bucket usable, names what the service cannot, and leaves nothing", arguments: TestBucket.chosen)
    func check(kind: PrivateS3.Kind) async throws {
        let store = try await TestBucket.store(kind)
        let lying = S3ByteStore(client: store.client, prefix: store.names.prefix, guardsOverwrites: !store.guardsOverwrites)
        let isGuarding = !kind.differs(.refusesConditions)

        let findings = await BucketCheck(store: store).run()
        let state = Dictionary(uniqueKeysWithValues: findings.map { ($0.check, $0.state) })
        let wrong = await BucketCheck(store: lying).run().first { $0.check == .overwriting }

        #expect(findings.allSatisfy { $0.state != .fault || $0.check == .access && kind.differs(.servesUnsigned) }, "\(findings)")
        #expect(Set(findings.map(\.check)) == Set(BucketFinding.Check.allCases))
        #expect(state[.bucket] == .ok && state[.rights] == .ok && state[.uploads] == .ok)
        #expect(state[.access] == (kind.differs(.servesUnsigned) ? .fault : .ok))
        #expect(state[.overwriting] == (isGuarding ? .ok : .warning))
        #expect(wrong?.state == (isGuarding ? .warning : .fault))
        #expect(try await store.client.list(prefix: store.names.prefix).entries.isEmpty)
    }
}

@Suite("Check of a bucket: rules")
struct BucketRuleTests {
    private func rule(_ prefix: String, days: Int?, aborts: Int? = 9, isEnabled: Bool = true) -> S3LifecycleRule {
        S3LifecycleRule(
            prefix: prefix, isEnabled: isEnabled, expiresAfterDays: days, abortsUploadsAfterDays: aborts, expiresOldVersionsAfterDays: nil)
    }

    private func state(_ rules: S3LifecycleRule...) -> BucketFinding.State {
        BucketCheck.lifecycle(rules, names: S3Names(prefix: "d/")).state
    }

    @Test("a lifecycle must reach staging and must not reach recordings")
    func lifecycle() {
        #expect(state(rule("d/staging/", days: 9)) == .ok)
        #expect(state() == .warning)
        #expect(state(rule("d/staging/", days: 9, isEnabled: false)) == .warning)
        #expect(state(rule("d/staging/", days: 9, aborts: nil)) == .warning)
        #expect(state(rule("other/", days: 9)) == .warning)
        for prefix in ["", "d/", "d/audio/", "d/audio/x", "d/export/", "d/import/"] {
            #expect(state(rule("d/staging/", days: 9), rule(prefix, days: 365)) == .fault, "\(prefix)")
        }
        var tagged = rule("d/staging/", days: 9)
        tagged.hasTags = true
        #expect(state(tagged) == .warning, "it deletes nothing of ours")
    }

    @Test("a rule that deletes at a date, or moves recordings to where they cannot be read, is a fault; other classes of storage are not")
    func moves() {
        for prefix in ["", "d/audio/", "d/export/", "d/import/", "d/staging/"] {
            var (dated, moving) = (rule(prefix, days: nil, aborts: nil), rule(prefix, days: nil, aborts: nil))
            dated.expiresOn = "2030-01-01T00:00:00Z"
            #expect(state(rule("d/staging/", days: 9), dated) == .fault, "\(prefix)")
            for (to, found) in [
                ("DEEP_ARCHIVE", BucketFinding.State.fault), ("GLACIER", .fault), ("STANDARD_IA", .ok), ("GLACIER_IR", .ok),
                ("COLD", .warning),
            ] {
                moving.transitions = ["STANDARD_IA", to]
                #expect(state(rule("d/staging/", days: 9), moving) == found, "\(prefix) \(to)")
            }
        }
    }

    @Test("staging must not end before entries stop waiting for their recordings", arguments: [1, 7])
    func window(days: Int) {
        #expect(state(rule("d/staging/", days: days)) == .warning)
        #expect(state(rule("d/staging/", days: 9, aborts: days)) == .warning)
        #expect(state(rule("d/staging/", days: 9), rule("d/staging/a", days: days)) == .warning)
        #expect(state(rule("d/staging/", days: 8, aborts: 8)) == .ok)
    }

    @Test("cross-origin rules must allow PUT with the headers that are signed")
    func crossOrigin() {
        func state(_ methods: [String], _ headers: [String]) -> BucketFinding.State {
            BucketCheck.crossOrigin(
                [S3CrossOriginRule(origins: ["https://a.example"], methods: methods, headers: headers)], guardsOverwrites: true
            ).state
        }

        #expect(state(["GET", "PUT"], ["*"]) == .ok)
        #expect(state(["PUT"], ["Content-Type", "If-None-Match", "x-amz-*"]) == .ok)
        #expect(state(["PUT"], ["content-type", "x-amz-checksum-sha256"]) == .warning)
        #expect(state(["GET"], ["*"]) == .warning)
    }

    @Test("a clock that is off is named before the service refuses it")
    func clock() {
        #expect(BucketCheck.clock(3).state == .ok)
        #expect(BucketCheck.clock(-120).state == .warning)
        #expect(BucketCheck.clock(1_200).state == .fault)
        #expect(BucketCheck.clock(nil).state == .unknown)
    }
}
