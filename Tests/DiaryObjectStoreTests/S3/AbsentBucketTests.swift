import DiaryCore
import DiaryCrypto
import Foundation
import Logging
import TestPeers
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

    /// - Parameter lines: each request that fails is one.
    private func store(at port: Int, _ lines: Shared<Int>) throws -> S3ByteStore {
        let endpoint = try #require(S3Endpoint("http://127.0.0.1:\(port)"))
        var configuration = S3Configuration(
            bucket: try #require(S3Bucket("tests", at: endpoint, style: .path)), region: "us-east-1",
            credentials: SigV4Credentials(accessKeyID: "key", secret: SecretBytes([1, 2, 3])))
        configuration.retries.tries = 1
        let logger = Logger(label: "test") { _ in CountedLines(lines: lines) }
        return S3ByteStore(client: try S3Client(configuration, logger: logger), prefix: "")
    }

    private func keys(_ count: Int) -> [ObjectKey] {
        let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
        return (0..<count).map { _ in ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: UUID()) }
    }

    @Test("A8: is not asked for each of a thousand keys")
    func heads() async throws {
        let lines = Shared(0)
        // The port of no server.
        let store = try store(at: 1, lines)
        let keys = keys(1_000)

        let found = try await store.head(keys, leading: 0)

        #expect(found.count == 1_000)
        for result in found { #expect(throws: ObjectStoreError.unavailable(full: false)) { try result.get() } }
        #expect((1..<50).contains(lines.now))
        await #expect(throws: ObjectStoreError.unavailable(full: false)) { _ = try await store.delete(keys) }
    }

    @Test("A8: one that serves all but some objects is asked for the others")
    func brokenObjects() async throws {
        let peer = try await PythonPeer("s3_fake.py")
        let store = try store(at: peer.port("http"), Shared(0))
        var keys = keys(100)
        func broken(_ number: Int) throws -> ObjectKey {
            let object = try #require(UUID(uuidString: "0000000\(number)-0000-7000-8000-00000000dead"))
            return ObjectKey(kind: .staging, tenant: keys[0].tenant, user: keys[0].user, object: object)
        }
        for number in 1...5 { keys[10 * number] = try broken(number) }

        let served = try await store.head(keys, leading: 0)
        #expect(served.indices.filter { (try? served[$0].get()) == nil } == [10, 20, 30, 40, 50])
    }
}
