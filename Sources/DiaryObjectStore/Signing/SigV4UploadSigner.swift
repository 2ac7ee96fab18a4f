package import DiaryCore
import DiaryCrypto
package import FoundationEssentials
import Synchronization

/// Signs PUT URLs of this service's own objects with S3's query parameters, so that any S3 client code fits.
package struct SigV4UploadSigner: UploadSigner {
    private let publicURL: PublicURL
    private let credentials: SigV4Credentials
    private let region: String
    private let dayKey = DayKey()

    package init(publicURL: PublicURL, credentials: SigV4Credentials, region: String) {
        self.publicURL = publicURL
        self.credentials = credentials
        self.region = region
    }

    /// - Parameter lifetime: seconds, cut to 1 … 604800.
    /// - Returns: the URL and the three (two without `sha256`) headers that the client sends as they are.
    package func sign(
        _ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double
    ) -> UploadTarget {
        let date = AmzDate(now)
        let expires = lifetime >= 1 ? (lifetime < 604_800 ? Int(lifetime) : 604_800) : 1
        var headers = [(name: "Content-Type", value: contentType), (name: "Content-Length", value: String(length))]
        if let sha256 { headers.append((name: "x-amz-checksum-sha256", value: Base64.encode(sha256))) }
        let path = UploadPath.path(of: key, under: publicURL)
        let request = SigV4Request(
            method: "PUT", path: path, headers: headers + [(name: "Host", value: publicURL.host)], payloadHash: SigV4Request.unsignedPayload
        )
        let query = SigV4.presignedQuery(
            request, by: credentials, date: date, expires: expires, region: region, service: UploadPath.service
        ) { dayKey.key(credentials.secret, scope: $0) }
        return UploadTarget(
            url: "\(publicURL.scheme)://\(publicURL.host)\(path)?\(query)", headers: headers,
            expiresAt: date.date.addingTimeInterval(Double(expires)))
    }
}

/// The signing key of the day at hand: four HMACs that would come out the same for each URL.
private final class DayKey: Sendable {
    private let known = Mutex<(scope: SigV4Scope, key: SecretBytes)?>(nil)

    func key(_ secret: SecretBytes, scope: SigV4Scope) -> SecretBytes {
        known.withLock { known in
            if let known, known.scope == scope { return known.key }
            let key = SigV4.signingKey(secret, scope: scope)
            known = (scope, key)
            return key
        }
    }
}

enum UploadPath {
    static let service = "s3"
    static let folder = "/objects/"

    static func path(of key: ObjectKey, under publicURL: PublicURL) -> String {
        "\(publicURL.prefix)\(folder)\(key)"
    }

    /// The key in a raw path, which may lack the public prefix when the proxy removes it. Staging only.
    static func key(in path: String, under publicURL: PublicURL) -> ObjectKey? {
        let full = publicURL.prefix + folder
        let rest: Substring
        if path.hasPrefix(full) {
            rest = path.dropFirst(full.count)
        } else if path.hasPrefix(folder) {
            rest = path.dropFirst(folder.count)
        } else {
            return nil
        }
        guard path.utf8.allSatisfy({ $0 < 0x80 }), rest.utf8.count <= 128, let key = ObjectKey(path: rest), key.kind == .staging else {
            return nil
        }
        return key
    }
}
