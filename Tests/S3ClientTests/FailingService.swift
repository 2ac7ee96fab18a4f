import DiaryCrypto
import Logging
import TestPeers
import TestSupport

@testable import S3Client

/// A service that fails as keys ask (`s3_fake.py`), and a client of it that waits little.
struct FailingService {
    let peer: PythonPeer
    let client: S3Client

    /// One server for all tests of the process: each uses keys of its own.
    private static let shared = Task { try await PythonPeer("s3_fake.py") }

    init(_ change: (inout S3Configuration) -> Void = { _ in }) async throws {
        peer = try await Self.shared.value
        guard let endpoint = S3Endpoint("http://127.0.0.1:\(peer.port("http"))"),
            let bucket = S3Bucket("bucket", at: endpoint, style: .path)
        else { throw PythonPeer.Failure.notReady }
        var configuration = S3Configuration(
            bucket: bucket, region: "us-east-1", credentials: SigV4Credentials(accessKeyID: "key", secret: SecretBytes([1, 2, 3])))
        configuration.retries.base = .milliseconds(1)
        change(&configuration)
        client = try S3Client(configuration, logger: .quiet)
    }

    /// How many requests of one key have arrived.
    func requests(_ key: String) async throws -> Int {
        try await peer.settle()
        return peer.events("request").filter { ($0["path"] as? String)?.hasPrefix("/bucket/\(key)") == true }.count
    }
}
