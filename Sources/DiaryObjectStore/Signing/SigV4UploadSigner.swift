package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials
import S3Client
import WireFormats

/// Signs PUT URLs of this service's own objects with S3's query parameters, so that any S3 client code fits.
package struct SigV4UploadSigner: UploadSigner, PartSigner {
    let publicURL: PublicURL
    let credentials: SigV4Credentials
    let region: String
    private let today = SigV4Today()

    /// - Parameter lifetime: seconds, cut to 1 … 604800.
    /// - Returns: the URL, and the headers that the client sends as they are: `Content-Type`, and `x-amz-checksum-sha256` with a `sha256`.
    ///   `Content-Length` is signed and not among them: HTTP clients send it themselves, and URLSession and browsers do not allow setting it.
    package func sign(
        _ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double
    ) -> UploadTarget {
        target(key, query: "", contentType: contentType, length: length, sha256: sha256, at: now, lifetime: lifetime)
    }

    /// With S3's `partNumber` and `uploadId`, which are signed.
    package func sign(_ part: PartKey, contentType: String, length: Int64, at now: Date, lifetime: Double) -> UploadTarget {
        let query = "partNumber=\(part.number)&uploadId=\(PercentEncoding.encode(part.upload.utf8))"
        return target(part.key, query: query, contentType: contentType, length: length, sha256: nil, at: now, lifetime: lifetime)
    }

    private func target(
        _ key: ObjectKey, query: String, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double
    ) -> UploadTarget {
        let date = AmzDate(now)
        let expires = lifetime >= 1 ? (lifetime < 604_800 ? Int(lifetime) : 604_800) : 1
        var headers = [(name: "Content-Type", value: contentType)]
        if let sha256 { headers.append((name: "x-amz-checksum-sha256", value: Base64.encode(sha256))) }
        let path = UploadPath.path(of: key, under: publicURL)
        let request = SigV4Request(
            method: "PUT", path: path, query: query,
            headers: headers + [(name: "Content-Length", value: String(length)), (name: "Host", value: publicURL.host)],
            payloadHash: SigV4Request.unsignedPayload)
        let signed = SigV4.presignedQuery(
            request, by: credentials, date: date, expires: expires, region: region, service: UploadPath.service
        ) { today.day(credentials, scope: $0) }
        return UploadTarget(
            url: "\(publicURL.scheme)://\(publicURL.host)\(path)?\(signed)", headers: headers,
            expiresAt: date.date.addingTimeInterval(Double(expires)))
    }
}

/// The two sides of an upload URL of this service's own store: what signs it, and what checks the PUT.
package struct UploadSigning: Sendable {
    package let signer: SigV4UploadSigner
    package let verifier: UploadVerifier

    /// - Parameter longestLifetime: seconds; a URL that claims more is refused although SigV4 would allow seven days.
    package init(publicURL: PublicURL, secret: SecretBytes, longestLifetime: Int) {
        let credentials = SigV4Credentials(accessKeyID: "diary", secret: secret)
        signer = SigV4UploadSigner(publicURL: publicURL, credentials: credentials, region: Self.region)
        verifier = UploadVerifier(
            publicURL: publicURL, credentials: credentials, region: Self.region, longestLifetime: longestLifetime)
    }

    /// Part of every signature; this store has no regions.
    private static let region = "local"
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
