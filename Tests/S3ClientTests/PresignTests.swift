import DiaryCrypto
import Foundation
import TestSupport
import Testing
import WireFormats

@testable import S3Client

/// URLs that botocore made (make_presign_cases.py); `DIARY_PRESIGN_CASES` names a longer file.
@Suite("Presigned uploads: botocore")
struct PresignTests {
    struct Case: Decodable {
        var endpoint: String
        var style: String
        var region: String
        var token: String?
        var key: String
        var length: Int64
        var date: String
        var expires: Int
        var md5: String?
        var sha256: String?
        var type: String?
        var absent: Bool?
        var upload: String?
        var part: Int?
        var url: String
    }

    @Test("D1: uploads of objects and of parts, with hard keys and in both styles, equal botocore's but for the order of parameters")
    func equal() throws {
        let file =
            ProcessInfo.processInfo.environment["DIARY_PRESIGN_CASES"].map { URL(filePath: $0) }
            ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "presign-cases.json")
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
        #expect(cases.count >= 200)
        var clients: [String: S3Client] = [:]
        for test in cases {
            let name = "\(test.endpoint) \(test.style) \(test.region) \(test.token ?? "")"
            let client = try clients[name] ?? make(test)
            clients[name] = client
            let terms = S3UploadTerms(
                contentType: test.type, length: test.length, sha256: test.sha256.flatMap(Base64.decode),
                md5: test.md5.flatMap(Base64.decode),
                ifAbsent: test.absent ?? false)
            let date = try #require(AmzDate(test.date)?.date)

            let signed: S3Presigned
            if let upload = test.upload, let part = test.part {
                signed = client.presignedPart(
                    test.key, upload: upload, number: part, terms, at: date, lifetime: Double(test.expires))
            } else {
                signed = client.presignedPut(test.key, terms, at: date, lifetime: Double(test.expires))
            }

            #expect(parts(signed.url) == parts(test.url), "\(test.key)")
            #expect(signed.expiresAt == date.addingTimeInterval(Double(test.expires)))
        }
    }

    private func make(_ test: Case) throws -> S3Client {
        let endpoint = try #require(S3Endpoint(test.endpoint))
        let style = try #require(S3Bucket.Style(rawValue: test.style))
        let bucket = try #require(S3Bucket("my-bucket", at: endpoint, style: style))
        let credentials = SigV4Credentials(
            accessKeyID: "test:key", secret: SecretBytes(Array("secret/+key".utf8)), sessionToken: test.token)
        return try S3Client(S3Configuration(bucket: bucket, region: test.region, credentials: credentials), logger: .quiet)
    }

    /// The address, then the parameters in order.
    private func parts(_ url: String) -> [String] {
        let sides = url.split(separator: "?", maxSplits: 1).map(String.init)
        return sides.prefix(1) + (sides.last ?? "").split(separator: "&").map(String.init).sorted()
    }
}
