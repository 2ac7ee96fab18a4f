import DiaryCore
import DiaryCrypto
import Foundation
import S3Client

@testable import DiaryObjectStore

/// A signed upload as it reaches the server; tests alter it.
struct UploadRequest: Sendable {
    static let now = Date(timeIntervalSince1970: 1_750_000_000)
    static let publicURL = PublicURL("https://api.example.com")
    static let credentials = SigV4Credentials(accessKeyID: "diary-uploads", secret: SecretBytes(Array("a secret for tests only".utf8)))
    static let key = ObjectKey(
        kind: .staging, tenant: TenantID(UUID(uuidString: "00000000-0000-7000-8000-00000000000a") ?? UUID()),
        user: UserID(UUID(uuidString: "00000000-0000-7000-8000-00000000000b") ?? UUID()),
        object: UUID(uuidString: "00000000-0000-7000-8000-00000000000c") ?? UUID())

    var method = "PUT"
    var path: String
    var query: String
    var headers: [(name: String, value: String)]
    var now = Self.now

    init(
        _ key: ObjectKey = Self.key, sha256: [UInt8]? = SHA256.digest([1]), url: PublicURL? = Self.publicURL,
        credentials: SigV4Credentials = Self.credentials, region: String = "local", lifetime: Double = 900
    ) throws {
        guard let url else { throw CocoaError(.coderInvalidValue) }
        let target = SigV4UploadSigner(publicURL: url, credentials: credentials, region: region)
            .sign(key, contentType: "audio/mp4", length: 1000, sha256: sha256, at: Self.now, lifetime: lifetime)
        (path, query) = split(target.url)
        // The last three are those that an HTTP client adds by itself.
        headers =
            target.headers + [
                (name: "Content-Length", value: "1000"), (name: "Host", value: "api.example.com"), (name: "User-Agent", value: "test"),
            ]
    }

    func verify() throws -> UploadGrant {
        guard let url = Self.publicURL else { throw CocoaError(.coderInvalidValue) }
        return try UploadVerifier(publicURL: url, credentials: Self.credentials, region: "local", longestLifetime: 900)
            .check(method: method, path: path, query: query, headers: headers, at: now)
    }

    mutating func replace(_ old: String, _ new: String) {
        query = query.replacingOccurrences(of: old, with: new)
    }

    /// Sets a parameter's raw value; nil removes the parameter.
    mutating func set(_ name: String, _ value: String?) {
        query = query.split(separator: "&").compactMap { piece in
            guard piece.hasPrefix(name + "=") else { return String(piece) }
            return value.map { "\(name)=\($0)" }
        }.joined(separator: "&")
    }

    func value(_ name: String) -> String {
        query.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
    }

    /// Sets a header; nil removes it.
    mutating func header(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name: name, value: value)) }
    }
}
