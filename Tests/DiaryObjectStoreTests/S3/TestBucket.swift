import CurlTransfer
import DiaryCrypto
import Foundation
import Logging
import TestServers
import TestSupport

@testable import DiaryObjectStore
@testable import S3Client

/// A bucket of a real service, one for the process; each test has a prefix of its own.
enum TestBucket {
    private static let radosgw = Task { try await make(.radosgw) }
    private static let swift = Task { try await make(.swift) }
    private static let localstack = Task { try await make(.localstack) }

    /// The services to test: radosgw when it is installed, because it starts in seconds, and LocalStack when `DIARY_TEST_LOCALSTACK` says
    /// where it is; Swift when `DIARY_STORES` names it. That list, separated by commas, replaces the choice; a service in it that is not
    /// installed fails its tests.
    static let chosen: [PrivateS3.Kind] = {
        guard let given = ProcessInfo.processInfo.environment["DIARY_STORES"], !given.isEmpty else {
            return [PrivateS3.Kind.radosgw, .localstack].filter(\.isInstalled)
        }
        return given.split(separator: ",").compactMap { PrivateS3.Kind(rawValue: String($0)) }
    }()

    /// - Parameter versions: of a bucket that keeps them.
    static func store(_ kind: PrivateS3.Kind, bucket: String? = nil, versions: Bool = false) async throws -> S3ByteStore {
        let server =
            switch kind {
            case .radosgw: radosgw
            case .swift: swift
            case .localstack: localstack
            }
        var client = try await server.value.1
        if let bucket, let other = S3Bucket(bucket, at: client.configuration.bucket.endpoint, style: .path) {
            var configuration = client.configuration
            (configuration.bucket, configuration.publicBucket) = (other, other)
            client = try S3Client(configuration, logger: .quiet)
            try await client.createBucket()
            if versions { try await client.keepVersions() }
        }
        return S3ByteStore(
            client: client, prefix: "t-\(UUID().uuidString.lowercased())/", guardsOverwrites: !kind.differs(.refusesConditions))
    }

    /// - Returns: the server too, which ends with its object.
    private static func make(_ kind: PrivateS3.Kind) async throws -> (PrivateS3, S3Client) {
        let server = try await PrivateS3(kind)
        guard let endpoint = S3Endpoint(server.endpoint), let bucket = S3Bucket("tests", at: endpoint, style: .path) else {
            throw PrivateS3.Failure.notStarted
        }
        let client = try S3Client(
            S3Configuration(
                bucket: bucket, region: "us-east-1",
                credentials: SigV4Credentials(accessKeyID: kind.accessKey, secret: SecretBytes(Array(kind.secretKey.utf8)))),
            logger: .quiet)
        let deadline = ContinuousClock.now + .seconds(90)
        while true {
            do throws(S3Error) {
                try await client.createBucket()
                return (server, client)
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension S3Client {
    /// Makes the bucket when it is not there.
    fileprivate func createBucket() async throws(S3Error) {
        let request = try request("CreateBucket", .put, nil)
        do throws(S3Error) {
            try await send(request) { _ throws(S3Error) in }
        } catch {
            guard error.status == 409 else { throw error }
        }
    }

    fileprivate func keepVersions() async throws(S3Error) {
        var request = try request("PutBucketVersioning", .put, nil)
        request.query = [(name: "versioning", value: nil)]
        request.headers = [(name: "Content-Type", value: "application/xml")]
        request.body = .bytes(
            Array(
                #"<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>"#
                    .utf8))
        request.addContentMD5()
        try await send(request) { _ throws(S3Error) in }
    }
}
