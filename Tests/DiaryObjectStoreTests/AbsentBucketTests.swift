import AWSSigning
import DiaryCore
import DiaryCrypto
import Foundation
import Logging
import TestSupport
import Testing

@testable import DiaryObjectStore
@testable import S3Client

@Suite("A bucket that does not answer")
struct AbsentBucketTests {
    private struct CountedLines: LogHandler {
        let lines: Shared<Int>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { lines.change { $0 += 1 } }
    }

    @Test("A8: is not asked for each of a thousand keys")
    func heads() async throws {
        let lines = Shared(0)
        // The port of no server.
        let endpoint = try #require(S3Endpoint("http://127.0.0.1:1"))
        var configuration = S3Configuration(
            bucket: try #require(S3Bucket("tests", at: endpoint, style: .path)), region: "us-east-1",
            credentials: SigV4Credentials(accessKeyID: "key", secret: SecretBytes([1, 2, 3])))
        configuration.retries.tries = 1
        // Each request that fails is a line.
        let logger = Logger(label: "test") { _ in CountedLines(lines: lines) }
        let store = S3ByteStore(client: try S3Client(configuration, logger: logger), prefix: "")
        let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
        let keys = (0..<1_000).map { _ in ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: UUID()) }

        let found = try await store.head(keys, leading: 0)

        #expect(found.count == 1_000)
        for result in found { #expect(throws: ObjectStoreError.unavailable(full: false)) { try result.get() } }
        #expect((1..<50).contains(lines.now))
        await #expect(throws: ObjectStoreError.unavailable(full: false)) { _ = try await store.delete(keys) }
    }
}
