import DiaryCore
import DiaryCrypto
import Foundation
import S3Client
import WireFormats

@testable import DiaryObjectStore

/// D1's list.
enum TamperedUploads {
    struct Case: Sendable {
        var name: String
        var request: UploadRequest
        var refusal: UploadRefusal
    }

    static func all() throws -> [Case] {
        try parameters() + values() + paths() + headers() + foreign()
    }

    private static func bent(
        _ name: String, _ refusal: UploadRefusal, sha256: [UInt8]? = SHA256.digest([1]), _ bend: (inout UploadRequest) -> Void
    ) throws -> Case {
        var request = try UploadRequest(sha256: sha256)
        bend(&request)
        return Case(name: name, request: request, refusal: refusal)
    }

    private static func parameters() throws -> [Case] {
        var cases: [Case] = []
        for name in UploadVerifierTests.parameters {
            cases.append(try bent("\(name) missing", .parameters) { $0.set(name, nil) })
            cases.append(try bent("\(name) twice", .parameters) { $0.query += "&\(name)=\($0.value(name))" })
            cases.append(try bent("\(name) twice, the first one ours", .parameters) { $0.query = "\(name)=x&" + $0.query })
            cases.append(try bent("\(name) empty", .parameters) { $0.set(name, "") }.orHeaders(name))
            cases.append(try bent("\(name) in lower case", .parameters) { $0.replace(name, name.lowercased()) })
            cases.append(try bent("\(name) escaped", .parameters) { $0.replace(name, name.replacingOccurrences(of: "-", with: "%2D")) })
        }
        for extra in ["a=b", "X-Amz-Security-Token=t", "x-id=PutObject", "", "=", "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD", "partNumber=1"] {
            cases.append(try bent("extra parameter '\(extra)'", .parameters) { $0.query += "&" + extra })
        }
        cases.append(try bent("no query", .parameters) { $0.query = "" })
        cases.append(try bent("a long query", .parameters) { $0.query += String(repeating: "&", count: 5000) })
        cases.append(try bent("semicolons between", .parameters) { $0.replace("&", ";") })
        return cases
    }

    private static func values() throws -> [Case] {
        let good = try UploadRequest()
        let date = good.value("X-Amz-Date")
        let signature = good.value("X-Amz-Signature")
        let table: [(String, [(String, UploadRefusal)])] = [
            (
                "X-Amz-Algorithm",
                [
                    ("AWS4-HMAC-SHA1", .parameters), ("AWS4-ECDSA-P256-SHA256", .parameters), ("none", .parameters),
                    ("aws4-hmac-sha256", .parameters),
                ]
            ),
            (
                "X-Amz-Credential",
                [
                    ("other/20250615/local/s3/aws4_request", .scope), ("diary-uploads/20250615/us-east-1/s3/aws4_request", .scope),
                    ("diary-uploads/20250615/local/ses/aws4_request", .scope),
                    ("diary-uploads/20250614/local/s3/aws4_request", .parameters),
                    ("diary-uploads/20250616/local/s3/aws4_request", .parameters),
                    ("diary-uploads/20250615/local/s3/aws5_request", .parameters),
                    ("diary-uploads/20250615/local/s3", .parameters), ("diary-uploads/20250615/local/s3/aws4_request/", .parameters),
                    ("/diary-uploads/20250615/local/s3/aws4_request", .parameters),
                ]
            ),
            (
                "X-Amz-Date",
                [
                    (AmzDate(UploadRequest.now.addingTimeInterval(1)).description, .signatureInvalid),
                    (AmzDate(UploadRequest.now.addingTimeInterval(-1)).description, .signatureInvalid),
                    (AmzDate(UploadRequest.now.addingTimeInterval(86400)).description, .parameters),
                    ("20251315T000000Z", .parameters), ("20250230T000000Z", .parameters), (date.lowercased(), .parameters),
                    ("2025-06-15T15:06:40Z", .parameters), (date + "Z", .parameters), ("1750000000", .parameters),
                ]
            ),
            (
                "X-Amz-Expires",
                [
                    ("899", .signatureInvalid), ("1", .signatureInvalid), ("901", .parameters), ("604800", .parameters),
                    ("604801", .parameters),
                    ("0", .parameters), ("-1", .parameters), ("900.0", .parameters), ("%20900", .parameters), ("+900", .parameters),
                    ("0900", .parameters), ("9e2", .parameters), ("99999999999999999999", .parameters), ("%D9%A9%D9%A0%D9%A0", .parameters),
                ]
            ),
            (
                "X-Amz-SignedHeaders",
                [
                    ("host", .headers), ("content-type%3Bhost%3Bx-amz-checksum-sha256", .headers),
                    ("content-length%3Bhost%3Bx-amz-checksum-sha256", .headers), ("content-length%3Bcontent-type%3Bhost", .headers),
                    ("content-length%3Bcontent-type%3Bx-amz-checksum-sha256", .headers),
                    ("host%3Bcontent-type%3Bcontent-length%3Bx-amz-checksum-sha256", .headers),
                    ("content-length%3Bcontent-type%3Bhost%3Buser-agent%3Bx-amz-checksum-sha256", .headers),
                    ("content-length%3Bcontent-type%3Bhost%3Bhost%3Bx-amz-checksum-sha256", .headers),
                    ("Content-Length%3BContent-Type%3BHost%3BX-Amz-Checksum-Sha256", .headers),
                    ("content-length%3Bcontent-type%3Bhost%3Bx-amz-checksum-sha256%3B", .headers),
                ]
            ),
            (
                "X-Amz-Signature",
                [
                    ((signature.hasPrefix("a") ? "b" : "a") + signature.dropFirst(), .signatureInvalid),
                    (String(signature.dropLast()) + (signature.hasSuffix("a") ? "b" : "a"), .signatureInvalid),
                    (String(signature.reversed()), .signatureInvalid), (String(repeating: "0", count: 64), .signatureInvalid),
                    (signature.uppercased(), .parameters), (String(signature.dropLast()), .parameters), (signature + "0", .parameters),
                    (signature + signature, .parameters), (String(signature.dropLast()) + "g", .parameters),
                    (String(signature.dropLast()) + "%00", .parameters),
                ]
            ),
        ]
        return try table.flatMap { name, values in
            try values.map { value, refusal in try bent("\(name)=\(value)", refusal) { $0.set(name, value) } }
        }
    }

    private static func paths() throws -> [Case] {
        let key = UploadRequest.key
        let other = UUID()
        let signedElsewhere = [
            ObjectKey(kind: .staging, tenant: key.tenant, user: key.user, object: other),
            ObjectKey(kind: .staging, tenant: key.tenant, user: UserID(other), object: key.object),
            ObjectKey(kind: .staging, tenant: TenantID(other), user: key.user, object: key.object),
        ]
        var cases = try signedElsewhere.map { moved in try bent("another key \(moved)", .signatureInvalid) { $0.path = "/objects/\(moved)" }
        }
        let paths = [
            "/objects/audio/\(key.tenant)/\(key.user)/\(key.object.uuidString.lowercased())",
            "/objects/export/\(key.tenant)/\(key.user)/\(key.object.uuidString.lowercased())",
            "/objects/\(key.description.uppercased())", "/objects/\(key)/", "/objects//\(key)", "//objects/\(key)", "/objects/./\(key)",
            "/objects/x/../\(key)", "/objects/%73taging/\(key.tenant)/\(key.user)/\(key.object)", "/objects/\(key)%00", "/objects/\(key)?",
            "/objects/\(key);v=1", "/Objects/\(key)", "/audio/\(key)", "/\(key)", "", "/", "/objects/", "objects/\(key)",
            "/v1/objects/\(key)",
        ]
        cases += try paths.map { path in try bent("path \(path)", .path) { $0.path = path } }
        cases += try ["GET", "HEAD", "POST", "DELETE", "PATCH", "put", "PUT ", ""].map { method in
            try bent("method '\(method)'", .method) { $0.method = method }
        }
        return cases
    }

    private static func headers() throws -> [Case] {
        let digest = Base64.encode(SHA256.digest([2]))
        let table: [(String, String?, UploadRefusal)] = [
            ("Content-Type", "audio/mpeg", .signatureInvalid), ("Content-Type", "AUDIO/MP4", .signatureInvalid),
            ("Content-Type", nil, .headers),
            ("Content-Type", "", .headers), ("Content-Type", "text/html", .signatureInvalid),
            ("Content-Type", "audio/mp4\u{212A}", .headers),
            ("Content-Length", "999", .signatureInvalid), ("Content-Length", "1001", .signatureInvalid),
            ("Content-Length", "0", .signatureInvalid),
            ("Content-Length", nil, .length), ("Content-Length", "-1", .headers), ("Content-Length", "+1000", .headers),
            ("Content-Length", "01000", .headers), ("Content-Length", "1000, 1000", .headers),
            ("Content-Length", "99999999999999999999", .headers),
            ("Content-Length", "0x3e8", .headers), ("Content-Length", " 1000", .headers),
            ("x-amz-checksum-sha256", digest, .signatureInvalid), ("x-amz-checksum-sha256", nil, .headers),
            ("x-amz-checksum-sha256", "", .headers), ("x-amz-checksum-sha256", String(digest.dropLast()), .headers),
            ("x-amz-checksum-sha256", "AAAA", .headers), ("X-Amz-Acl", "public-read", .headers),
            ("x-amz-content-sha256", "UNSIGNED-PAYLOAD", .headers),
            ("x-amz-meta-a", "b", .headers), ("X-Amz-Copy-Source", "/objects/a", .headers), ("Content-Encoding", "gzip", .headers),
            ("Transfer-Encoding", "chunked", .headers), ("Content-Range", "bytes 0-9/1000", .headers),
            ("X-HTTP-Method-Override", "DELETE", .headers),
        ]
        var cases = try table.map { name, value, refusal in
            try bent("\(name): \(value ?? "missing")", refusal) { $0.header(name, value) }
        }
        for name in ["Content-Type", "content-length", "HOST", "X-Amz-Checksum-Sha256"] {
            cases.append(
                try bent("\(name) twice", .headers) { request in
                    request.headers += request.headers.filter { $0.name.lowercased() == name.lowercased() }.map { (name, $0.value) }
                })
        }
        cases.append(
            try bent("in chunks, without a length", .length) {
                $0.header("Content-Length", nil)
                $0.header("Transfer-Encoding", "chunked")
            })
        cases.append(
            try bent("an unsigned checksum", .headers, sha256: nil) { $0.header("x-amz-checksum-sha256", digest) })
        return cases
    }

    /// Well formed and signed, but with another key, for another server or for another kind of object.
    private static func foreign() throws -> [Case] {
        let key = UploadRequest.key
        let foreign = SigV4Credentials(accessKeyID: UploadRequest.credentials.accessKeyID, secret: .random(32))
        func final(_ kind: ObjectKey.Kind) -> ObjectKey { ObjectKey(kind: kind, tenant: key.tenant, user: key.user, object: key.object) }
        var expired = try UploadRequest()
        expired.now = UploadRequest.now.addingTimeInterval(901)
        var early = try UploadRequest()
        early.now = UploadRequest.now.addingTimeInterval(-3600)
        return [
            Case(name: "another secret", request: try UploadRequest(credentials: foreign), refusal: .signatureInvalid),
            Case(
                name: "signed for another host", request: try UploadRequest(url: PublicURL("https://evil.example")),
                refusal: .signatureInvalid),
            Case(
                name: "signed for another port", request: try UploadRequest(url: PublicURL("https://api.example.com:444")),
                refusal: .signatureInvalid),
            Case(name: "signed for another region", request: try UploadRequest(region: "us-east-1"), refusal: .scope),
            Case(name: "signed for too long", request: try UploadRequest(lifetime: 3600), refusal: .parameters),
            Case(name: "signed for a recording's final place", request: try UploadRequest(final(.audio)), refusal: .path),
            Case(name: "signed for an export", request: try UploadRequest(final(.export)), refusal: .path),
            Case(name: "expired", request: expired, refusal: .expired),
            Case(name: "from the future", request: early, refusal: .notYetValid),
        ]
    }
}

extension TamperedUploads.Case {
    /// An empty list of signed headers is well formed as a parameter.
    fileprivate func orHeaders(_ name: String) -> Self {
        var changed = self
        if name == "X-Amz-SignedHeaders" { changed.refusal = .headers }
        return changed
    }
}
