import DiaryCore
import DiaryCrypto
import Foundation
import Testing
import WireFormats

@testable import DiaryObjectStore
@testable import S3Client

/// Signatures made by botocore (make_botocore_cases.py); `DIARY_BOTOCORE_CASES` names a longer file.
@Suite("botocore")
struct BotocoreTests {
    struct Case: Decodable {
        var kind: String
        var access: String
        var secret: String
        var region: String
        var date: String
        // upload
        var base: String?
        var key: String?
        var type: String?
        var length: Int64?
        var sha256: String?
        var expires: Int?
        var url: String?
        // part, with those of an upload
        var number: Int?
        var upload: String?
        // header
        var method: String?
        var host: String?
        var path: String?
        var query: String?
        var headers: [String: String]?
        var payload: String?
        var authorization: String?
    }

    let cases: [Case]

    init() throws {
        let file =
            ProcessInfo.processInfo.environment["DIARY_BOTOCORE_CASES"].map { URL(filePath: $0) }
            ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "botocore-cases.json")
        cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    }

    @Test("D1: upload URLs equal botocore's, byte for byte, and verify")
    func uploads() throws {
        let uploads = cases.filter { $0.kind == "upload" }
        #expect(uploads.count >= 100)
        for test in uploads {
            let base = try #require(test.base.flatMap(PublicURL.init))
            let key = try #require(test.key.flatMap(ObjectKey.init(path:)))
            let keys = SigV4Credentials(accessKeyID: test.access, secret: SecretBytes(Array(test.secret.utf8)))
            let date = try #require(AmzDate(test.date)?.date)
            let expires = try #require(test.expires)
            let digest = try test.sha256.map { try #require(Base64.decode($0)) }
            let signer = SigV4UploadSigner(publicURL: base, credentials: keys, region: test.region)

            let target = signer.sign(
                key, contentType: test.type ?? "", length: test.length ?? -1, sha256: digest, at: date, lifetime: Double(expires))

            #expect(target.url == test.url)
            let (path, query) = split(target.url)
            let verifier = UploadVerifier(publicURL: base, credentials: keys, region: test.region, longestLifetime: 604_800)
            let sent = target.headers + [(name: "Content-Length", value: String(test.length ?? -1))]
            let grant = try verifier.verify(method: "PUT", path: path, query: query, headers: sent, at: date)
            #expect(grant.key == key && grant.length == test.length && grant.contentType == test.type && grant.sha256 == digest)
        }
    }

    @Test("D1: URLs of parts equal botocore's but for the order of parameters, and verify")
    func parts() throws {
        let parts = cases.filter { $0.kind == "part" }
        #expect(parts.count >= 50)
        for test in parts {
            let base = try #require(test.base.flatMap(PublicURL.init))
            let key = try #require(test.key.flatMap(ObjectKey.init(path:)))
            let keys = SigV4Credentials(accessKeyID: test.access, secret: SecretBytes(Array(test.secret.utf8)))
            let date = try #require(AmzDate(test.date)?.date)
            let part = PartKey(key: key, upload: try #require(test.upload), number: try #require(test.number))
            let signer = SigV4UploadSigner(publicURL: base, credentials: keys, region: test.region)

            let target = signer.sign(
                part, contentType: test.type ?? "", length: test.length ?? -1, at: date, lifetime: Double(try #require(test.expires)))

            let (path, query) = split(target.url)
            let (theirPath, theirQuery) = split(try #require(test.url))
            #expect(path == theirPath && query.split(separator: "&").sorted() == theirQuery.split(separator: "&").sorted())
            let verifier = UploadVerifier(publicURL: base, credentials: keys, region: test.region, longestLifetime: 604_800)
            let sent = target.headers + [(name: "Content-Length", value: String(test.length ?? -1))]
            for presented in [query, theirQuery] {
                #expect(try verifier.verify(method: "PUT", path: path, query: presented, headers: sent, at: date).part == part)
            }
        }
    }

    @Test("header signatures equal botocore's")
    func headers() throws {
        let requests = cases.filter { $0.kind == "header" }
        #expect(requests.count >= 50)
        for test in requests {
            let keys = SigV4Credentials(accessKeyID: test.access, secret: SecretBytes(Array(test.secret.utf8)))
            var headers = (test.headers ?? [:]).map { (name: $0.key, value: $0.value) }
            headers.append((name: "Host", value: test.host ?? ""))
            let request = SigV4Request(
                method: test.method ?? "", path: test.path ?? "", query: test.query ?? "", headers: headers, payloadHash: test.payload ?? ""
            )

            let signed = SigV4.authorized(
                request, by: keys, date: try #require(AmzDate(test.date)), region: test.region, service: "s3", addingPayloadHash: true)

            #expect(signed.headers.last?.value == test.authorization)
        }
    }
}

/// The raw path and query of a URL.
func split(_ url: String) -> (path: String, query: String) {
    let start = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let target = start.drop { $0 != "/" }
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    return (String(target[..<mark]), String(target[mark...].dropFirst()))
}
