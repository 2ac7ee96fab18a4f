import DiaryCore
import DiaryCrypto
import Foundation
import S3Client
import Testing
import WireFormats

@testable import DiaryObjectStore

@Suite("Upload URLs")
struct UploadVerifierTests {
    static let parameters = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders", "X-Amz-Signature",
    ]

    @Test("a URL as signed is granted, with and without a checksum")
    func granted() throws {
        let digest = SHA256.digest([1])

        let with = try UploadRequest(sha256: digest).verify()
        let without = try UploadRequest(sha256: nil).verify()

        #expect(with == UploadGrant(key: UploadRequest.key, contentType: "audio/mp4", length: 1000, sha256: digest))
        #expect(without.sha256 == nil)
    }

    @Test("a part's URL grants that part of that set and length, and D1: none of its own values may be altered")
    func part() throws {
        let url = try #require(UploadRequest.publicURL)
        let signer = SigV4UploadSigner(publicURL: url, credentials: UploadRequest.credentials, region: "local")
        let part = PartKey(key: UploadRequest.key, upload: "019a2b70-1c10-7d21-9a3e-0f5f6c1d2e40", number: 12)
        var request = try UploadRequest(sha256: nil)
        let target = signer.sign(part, contentType: "audio/mp4", length: 1000, at: UploadRequest.now, lifetime: 900)
        request.query = String(try #require(target.url.split(separator: "?").last))

        #expect(try request.verify() == UploadGrant(key: part.key, contentType: "audio/mp4", length: 1000, sha256: nil, part: part))

        func refusal(_ bend: (inout UploadRequest) -> Void) -> UploadRefusal? {
            var bent = request
            bend(&bent)
            do {
                _ = try bent.verify()
                return nil
            } catch { return error as? UploadRefusal }
        }
        for value in ["1", "2", "13", "012", "12.0", "%2012", "+12", "-12", "120"] {
            let found = refusal { $0.set("partNumber", value) }
            #expect(found == .signatureInvalid || found == .parameters, "\(value): \(String(describing: found))")
        }
        for value in ["019a2b70-1c10-7d21-9a3e-0f5f6c1d2e41", "019A2B70-1C10-7D21-9A3E-0F5F6C1D2E40", "..", "x"] {
            #expect(refusal { $0.set("uploadId", value) } == .signatureInvalid, "\(value)")
        }
        for name in ["partNumber", "uploadId"] {
            #expect(refusal { $0.set(name, nil) } == .parameters)
            #expect(refusal { $0.set(name, "") } == .parameters || refusal { $0.set(name, "") } == .signatureInvalid)
            #expect(refusal { $0.query += "&\(name)=\($0.value(name))" } == .parameters)
            #expect(refusal { $0.replace(name, name.lowercased()) } == .parameters)
        }
        #expect(
            refusal {
                $0.set("partNumber", nil); $0.set("uploadId", nil)
            } == .signatureInvalid)
        #expect(refusal { $0.header("Content-Length", "1001") } == .signatureInvalid)
        #expect(refusal { $0.header("Content-Length", nil) } == .length)
        #expect(refusal { $0.path = $0.path.replacing("0c", with: "0d") } == .signatureInvalid)
        // The whole recording's URL with a part's parameters.
        var whole = try UploadRequest(sha256: nil)
        whole.query = "partNumber=12&uploadId=\(part.upload)&" + whole.query
        #expect(throws: UploadRefusal.signatureInvalid) { try whole.verify() }
    }

    @Test("a client is given only headers that every HTTP client lets it set, and its own Authorization does not matter")
    func clientHeaders() throws {
        let url = try #require(UploadRequest.publicURL)
        let signer = SigV4UploadSigner(publicURL: url, credentials: UploadRequest.credentials, region: "local")
        let target = signer.sign(
            UploadRequest.key, contentType: "audio/mp4", length: 1000, sha256: SHA256.digest([1]), at: UploadRequest.now, lifetime: 900)
        var request = try UploadRequest()
        request.header("Authorization", "Bearer a")

        #expect(target.headers.map(\.name) == ["Content-Type", "x-amz-checksum-sha256"])
        #expect(try request.verify().length == 1000)
    }

    @Test("another order, other escapes and a proxy's host do not matter")
    func equivalent() throws {
        var request = try UploadRequest()
        request.query = request.query.split(separator: "&").reversed().joined(separator: "&")
        request.replace("%2F", "/")
        request.replace("%3B", "%3b")
        request.header("Host", "upstream:8080")
        request.headers =
            request.headers.map { ($0.name.lowercased(), $0.value) } + [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "192.0.2.2")]

        #expect(try request.verify().key == UploadRequest.key)
    }

    @Test("a public URL with a path works, whether the proxy removes the path or not")
    func prefixed() throws {
        let url = try #require(PublicURL("https://example.com:8443/diary/"))
        var request = try UploadRequest(url: url)
        let verifier = UploadVerifier(publicURL: url, credentials: UploadRequest.credentials, region: "local", longestLifetime: 900)
        #expect(request.path.hasPrefix("/diary/objects/staging/"))

        for _ in 0..<2 {
            let grant = try verifier.verify(
                method: "PUT", path: request.path, query: request.query, headers: request.headers, at: request.now)
            #expect(grant.key == UploadRequest.key)
            request.path = String(request.path.dropFirst("/diary".count))
        }
    }

    @Test("the last second counts, the end does not, and only a URL with a valid signature is called expired")
    func time() throws {
        var request = try UploadRequest()

        request.now = UploadRequest.now.addingTimeInterval(899.9)
        #expect(throws: Never.self) { try request.verify() }
        request.now = UploadRequest.now.addingTimeInterval(900)
        #expect(throws: UploadRefusal.expired) { try request.verify() }
        request.now = UploadRequest.now.addingTimeInterval(-60)
        #expect(throws: Never.self) { try request.verify() }
        request.now = UploadRequest.now.addingTimeInterval(-61)
        #expect(throws: UploadRefusal.notYetValid) { try request.verify() }
        request.now = UploadRequest.now.addingTimeInterval(5000)
        request.set("X-Amz-Signature", String(repeating: "0", count: 64))
        #expect(throws: UploadRefusal.signatureInvalid) { try request.verify() }
    }

    @Test("a refused upload says which header does not fit")
    func details() throws {
        let url = try #require(UploadRequest.publicURL)
        let verifier = UploadVerifier(publicURL: url, credentials: UploadRequest.credentials, region: "local", longestLifetime: 900)
        func detail(_ bend: (inout UploadRequest) -> Void) throws -> String? {
            var request = try UploadRequest()
            bend(&request)
            let bent = request
            let error = #expect(throws: DiaryError.self) {
                try verifier.verify(method: "PUT", path: bent.path, query: bent.query, headers: bent.headers, at: bent.now)
            }
            return error?.detail
        }
        let wanted = "Send exactly these headers: content-length, content-type, x-amz-checksum-sha256"
        #expect(try detail { $0.header("x-amz-checksum-sha256", nil) } == "\(wanted); missing: x-amz-checksum-sha256.")
        #expect(try detail { $0.header("x-amz-acl", "public-read") } == "\(wanted).")
        #expect(try detail { $0.header("Content-Type", "audio/mpeg") } == "Content-Type must be audio/mp4.")
        for bend: (inout UploadRequest) -> Void in [
            { $0.header("Content-Length", "1001") }, { $0.set("X-Amz-Signature", String(repeating: "0", count: 64)) },
        ] {
            #expect(try detail(bend)?.hasSuffix("is not as announced, or the URL was changed.") == true)
        }
        // Names that are none of an upload are not repeated.
        #expect(try detail { $0.set("X-Amz-SignedHeaders", "host%3Bcanary") }?.contains("canary") != true)
    }

    @Test("a client learns of expiry, of a length that it did not send, and of a method or a time that does not fit the code alone")
    func codes() throws {
        let url = try #require(UploadRequest.publicURL)
        let verifier = UploadVerifier(publicURL: url, credentials: UploadRequest.credentials, region: "local", longestLifetime: 900)
        let request = try UploadRequest()

        for (method, after, code) in [
            ("PUT", 901.0, ErrorCode.uploadURLExpired), ("GET", 0, .uploadRefused), ("PUT", -100, .uploadRefused),
        ] {
            let error = #expect(throws: DiaryError.self) {
                try verifier.verify(
                    method: method, path: request.path, query: request.query, headers: request.headers,
                    at: request.now.addingTimeInterval(after))
            }
            #expect(error?.code == code && error?.detail == nil)
        }
        for refusal in UploadRefusal.allCases {
            #expect(refusal.error.code == (refusal == .expired ? ErrorCode.uploadURLExpired : .uploadRefused), "\(refusal)")
            #expect((refusal.error.detail != nil) == (refusal == .length), "\(refusal)")
        }

        var chunked = request
        chunked.header("Content-Length", nil)
        chunked.header("Transfer-Encoding", "chunked")
        let headers = chunked.headers
        let error = #expect(throws: DiaryError.self) {
            try verifier.verify(method: "PUT", path: request.path, query: request.query, headers: headers, at: request.now)
        }
        #expect(error?.code == .uploadRefused && error?.detail?.contains("Content-Length") == true)
        // Said before the signature is looked at, so it tells nothing of that.
        chunked.set("X-Amz-Signature", String(repeating: "0", count: 64))
        #expect(throws: UploadRefusal.length) { try chunked.verify() }
    }

    @Test("D1: tampered uploads are refused, each for its reason")
    func tampered() throws {
        let cases = try TamperedUploads.all()

        #expect(cases.count >= 45)
        #expect(Set(cases.map(\.name)).count == cases.count)
        for test in cases {
            #expect(throws: test.refusal, "\(test.name)") { try test.request.verify() }
        }
    }

    @Test("D1: tampered uploads of parts are refused")
    func tamperedParts() throws {
        let cases = try TamperedParts.all()

        #expect(try UploadRequest(part: TamperedParts.part).verify().part == TamperedParts.part)
        #expect(cases.count >= 60)
        #expect(Set(cases.map(\.name)).count == cases.count)
        for test in cases {
            let found = #expect(throws: UploadRefusal.self, "\(test.name)") { try test.request.verify() }
            if let refusal = test.refusal { #expect(found == refusal, "\(test.name)") }
        }
    }

    @Test("D1: any one changed byte of path or query is refused", arguments: [false, true])
    func everyByte(isPart: Bool) throws {
        let genuine = try isPart ? UploadRequest(part: TamperedParts.part) : UploadRequest()
        var accepted = 0

        for (isPath, text) in [(true, genuine.path), (false, genuine.query)] {
            let bytes = Array(text.utf8)
            for index in bytes.indices {
                for replacement in [bytes[index] ^ 1, UInt8(ascii: "0"), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "&")]
                where replacement != bytes[index] {
                    var changed = bytes
                    changed[index] = replacement
                    var request = genuine
                    let text = String(decoding: changed, as: UTF8.self)
                    if isPath { request.path = text } else { request.query = text }
                    // Only a real change: `%2F` and `/` say the same.
                    if PercentEncoding.decode(text) == PercentEncoding.decode(isPath ? genuine.path : genuine.query) { continue }
                    if (try? request.verify()) != nil { accepted += 1 }
                }
            }
        }

        #expect(accepted == 0)
    }
}
