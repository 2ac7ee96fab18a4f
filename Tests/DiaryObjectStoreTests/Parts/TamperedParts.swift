import DiaryCore
import DiaryCrypto
import Foundation

@testable import DiaryObjectStore
@testable import S3Client

/// D1's list for URLs of parts on disk. Rows that need entries and accounts are in `Tests/blackbox/test_attack_parts.py`.
enum TamperedParts {
    struct Case: Sendable {
        var name: String
        var request: UploadRequest
        /// nil: for whatever reason.
        var refusal: UploadRefusal?
    }

    static let part = PartKey(key: UploadRequest.key, upload: "019a2b70-1c10-7d21-9a3e-0f5f6c1d2e40", number: 12)
    static let other = PartKey(key: UploadRequest.key, upload: "019a2b70-1c10-7d21-9a3e-0f5f6c1d2e41", number: 13)

    static func all() throws -> [Case] { try parameters() + values() + swapped() + requests() + foreign() }

    private static func bent(_ name: String, _ refusal: UploadRefusal? = nil, _ bend: (inout UploadRequest) -> Void) throws -> Case {
        var request = try UploadRequest(part: part)
        bend(&request)
        return Case(name: name, request: request, refusal: refusal)
    }

    private static func parameters() throws -> [Case] {
        try (["partNumber", "uploadId"] + UploadVerifierTests.parameters).flatMap { name in
            [
                try bent("\(name) missing", .parameters) { $0.set(name, nil) },
                try bent("\(name) twice", .parameters) { $0.query += "&\(name)=\($0.value(name))" },
                try bent("\(name) twice, another first", .parameters) { $0.query = "\(name)=1&" + $0.query },
                try bent("\(name) empty") { $0.set(name, "") },
                try bent("\(name) in other letters", .parameters) { $0.replace("\(name)=", "\(name.uppercased())_=") },
                try bent("\(name) with a zero byte", .parameters) { $0.set(name, $0.value(name) + "%00") },
            ]
        }
    }

    private static func values() throws -> [Case] {
        // Other digits than ASCII's are no numbers.
        let digits = ["%D9%A1%D9%A2", "%EF%BC%91%EF%BC%92", "%C2%B9%C2%B2"]
        let numbers = ["1", "13", "0", "-12", "%2B12", "012", "12.0", "0xc", "12%2C13", "10001", "9223372036854775808"]
        let sets = ["019a2b70-1c10-7d21-9a3e-0f5f6c1d2e41", "019A2B70-1C10-7D21-9A3E-0F5F6C1D2E40", "..", "%2E%2E%2Fx", "x"]
        var cases = try digits.map { value in try bent("partNumber=\(value)", .parameters) { $0.set("partNumber", value) } }
        cases += try numbers.map { value in try bent("partNumber=\(value)", .signatureInvalid) { $0.set("partNumber", value) } }
        cases += try sets.map { value in try bent("uploadId=\(value)", .signatureInvalid) { $0.set("uploadId", value) } }
        for (value, refusal) in [("899", UploadRefusal.signatureInvalid), ("901", .parameters), ("604800", .parameters)] {
            cases.append(try bent("valid for \(value)", refusal) { $0.set("X-Amz-Expires", value) })
        }
        return cases
    }

    /// Parts of one signed URL in another: of another part, another set, the whole recording.
    private static func swapped() throws -> [Case] {
        let others = [
            ("another part", try UploadRequest(part: PartKey(key: part.key, upload: part.upload, number: 13))),
            ("another set", try UploadRequest(part: PartKey(key: part.key, upload: other.upload, number: 12))),
            ("the whole", try UploadRequest(sha256: nil)),
        ]
        var cases = try others.map { name, from in
            try bent("the signature of \(name)", .signatureInvalid) { $0.set("X-Amz-Signature", from.value("X-Amz-Signature")) }
        }
        let whole = try UploadRequest(sha256: nil).query
        cases.append(
            try bent("the whole's URL with this part", .signatureInvalid) {
                $0.query = "partNumber=12&uploadId=\(part.upload)&" + whole
            })
        cases.append(
            try bent("without number and set", .signatureInvalid) {
                $0.set("partNumber", nil)
                $0.set("uploadId", nil)
            })
        return cases
    }

    private static func requests() throws -> [Case] {
        let key = UploadRequest.key
        var cases = try ["GET", "POST", "DELETE", "HEAD", "put"].map { method in
            try bent("method \(method)", .method) { $0.method = method }
        }
        let paths = [
            "/objects/audio/\(key.tenant)", "/objects/parts/\(key.tenant)", "/objects/\(key)/12", "/objects/\(key)%00", "//objects/\(key)",
        ]
        cases += try paths.map { path in try bent("path \(path)", .path) { $0.path = path } }
        let moved = ObjectKey(kind: .staging, tenant: key.tenant, user: UserID(key.object), object: key.object)
        cases.append(try bent("another account", .signatureInvalid) { $0.path = "/objects/\(moved)" })
        let headers: [(String, String?, UploadRefusal)] = [
            ("Content-Type", "audio/mpeg", .signatureInvalid), ("Content-Type", nil, .headers),
            ("Content-Length", "999", .signatureInvalid),
            ("Content-Length", "1001", .signatureInvalid), ("Content-Length", nil, .length), ("Content-Length", "01000", .headers),
            ("x-amz-checksum-sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", .headers), ("x-amz-acl", "public-read", .headers),
            ("Transfer-Encoding", "chunked", .headers), ("Content-Range", "bytes 0-9/1000", .headers),
        ]
        return try cases
            + headers.map { name, value, refusal in try bent("\(name): \(value ?? "missing")", refusal) { $0.header(name, value) } }
    }

    /// Well formed and signed, but with another key, for another server, for another kind of object, or at another time.
    private static func foreign() throws -> [Case] {
        let secret = SigV4Credentials(accessKeyID: UploadRequest.credentials.accessKeyID, secret: .random(32))
        func at(_ seconds: Double) throws -> UploadRequest {
            var request = try UploadRequest(part: part)
            request.now = request.now.addingTimeInterval(seconds)
            return request
        }
        let final = PartKey(key: part.key.promoted, upload: part.upload, number: part.number)
        return [
            Case(name: "expired", request: try at(900), refusal: .expired),
            Case(name: "expired for long", request: try at(1e9), refusal: .expired),
            Case(name: "from the future", request: try at(-61), refusal: .notYetValid),
            Case(name: "signed for too long", request: try UploadRequest(part: part, lifetime: 901), refusal: .parameters),
            Case(name: "another secret", request: try UploadRequest(part: part, credentials: secret), refusal: .signatureInvalid),
            Case(name: "another region", request: try UploadRequest(part: part, region: "us-east-1"), refusal: .scope),
            Case(
                name: "another host", request: try UploadRequest(part: part, url: PublicURL("https://evil.example")),
                refusal: .signatureInvalid),
            Case(
                name: "another port", request: try UploadRequest(part: part, url: PublicURL("https://api.example.com:444")),
                refusal: .signatureInvalid),
            Case(name: "a final key", request: try UploadRequest(part: final), refusal: .path),
        ]
    }
}

extension UploadRequest {
    init(
        part: PartKey, url: PublicURL? = Self.publicURL, credentials: SigV4Credentials = Self.credentials, region: String = "local",
        lifetime: Double = 900
    ) throws {
        guard let url else { throw CocoaError(.coderInvalidValue) }
        try self.init(part.key, sha256: nil)
        let target = SigV4UploadSigner(publicURL: url, credentials: credentials, region: region)
            .sign(part, contentType: "audio/mp4", length: 1000, at: Self.now, lifetime: lifetime)
        (path, query) = split(target.url)
    }
}
