package import DiaryCore
package import FoundationEssentials
import S3Client
import WireFormats

/// Accepts exactly the URLs that `SigV4UploadSigner` makes (D1): each parameter is required, once; others are refused.
/// Order and percent-encoding of the parameters may differ, since HTTP libraries rewrite both.
package struct UploadVerifier: UploadVerifying {
    let publicURL: PublicURL
    let credentials: SigV4Credentials
    let region: String
    /// Seconds that a URL may be valid for.
    let longestLifetime: Int
    /// Seconds that the signing server's clock may be ahead.
    private let skew = 60.0

    package func verify(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(DiaryError) -> UploadGrant {
        do throws(UploadRefusal) {
            return try check(method: method, path: path, query: query, headers: headers, at: now)
        } catch {
            throw refused(error, path: path, query: query, headers: headers)
        }
    }

    /// The refusal, with what the client can mend: names and values that it sent, and the type that the URL was signed for.
    private func refused(
        _ refusal: UploadRefusal, path: String, query: String, headers: [(name: String, value: String)]
    ) -> DiaryError {
        var error = refusal.error
        guard refusal == .headers || refusal == .signatureInvalid, let parameters = Self.parameters(query),
            let presented = SigV4Presented(parameters: parameters)
        else { return error }
        if refusal == .headers {
            let wanted = UploadHeaders.names.filter { presented.signedHeaders.contains($0) }
            let missing = wanted.filter { name in !headers.contains { $0.name.asciiLowercased == name } }
            error.detail =
                "Send exactly these headers: \(wanted.joined(separator: ", "))"
                + (missing.isEmpty ? "." : "; missing: \(missing.joined(separator: ", ")).")
        } else if let key = UploadPath.key(in: path, under: publicURL), let facts = UploadHeaders(headers) {
            let type = (AudioFormat.allCases.map(\.rawValue) + [Import.contentType]).first { type in
                presented.isValid(for: request(key, parameters, facts, type: type), secret: credentials.secret)
            }
            error.detail =
                type.map { "Content-Type must be \($0)." }
                ?? "Content-Length (\(facts.length)) or x-amz-checksum-sha256 is not as announced, or the URL was changed."
        }
        return error
    }

    /// The same with the exact reason.
    /// - Parameters:
    ///   - path: as in the request line, still percent-encoded.
    ///   - query: as in the request line, without the `?`.
    ///   - headers: as received. `Host` is not compared: the signed host is the configured one, a proxy may send another.
    package func check(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(UploadRefusal) -> UploadGrant {
        guard method == "PUT" else { throw .method }
        guard let key = UploadPath.key(in: path, under: publicURL) else { throw .path }
        guard let parameters = Self.parameters(query), let presented = SigV4Presented(parameters: parameters),
            let expires = presented.expires, expires <= longestLifetime
        else { throw .parameters }
        guard presented.accessKeyID == credentials.accessKeyID, presented.scope.region == region,
            presented.scope.service == UploadPath.service
        else { throw .scope }
        guard headers.contains(where: { $0.name.asciiLowercased == "content-length" }) else { throw .length }
        guard let facts = UploadHeaders(headers), facts.signedNames == presented.signedHeaders else { throw .headers }
        guard presented.isValid(for: request(key, parameters, facts), secret: credentials.secret) else { throw .signatureInvalid }
        let signedAt = presented.date.date
        let expiresAt = signedAt.addingTimeInterval(Double(expires))
        guard signedAt <= now.addingTimeInterval(skew) else { throw .notYetValid }
        guard now < expiresAt else { throw .expired }
        return UploadGrant(
            key: key, contentType: facts.contentType, length: facts.length, sha256: facts.sha256, part: try Self.part(of: key, parameters))
    }

    /// What was signed.
    private func request(
        _ key: ObjectKey, _ parameters: [(name: String, value: String)], _ facts: UploadHeaders, type: String? = nil
    ) -> SigV4Request {
        let unsigned = parameters.filter { $0.name != "X-Amz-Signature" }
            .map { "\($0.name)=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
        return SigV4Request(
            method: "PUT", path: UploadPath.path(of: key, under: publicURL), query: unsigned,
            headers: facts.signed(host: publicURL.host, type: type), payloadHash: SigV4Request.unsignedPayload)
    }

    private static let names: Set<String> = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders", "X-Amz-Signature",
    ]

    private static let partNames: Set<String> = ["partNumber", "uploadId"]

    /// Nil for a URL of a whole recording.
    private static func part(of key: ObjectKey, _ parameters: [(name: String, value: String)]) throws(UploadRefusal) -> PartKey? {
        guard let upload = parameters.first(where: { $0.name == "uploadId" })?.value else { return nil }
        guard let text = parameters.first(where: { $0.name == "partNumber" })?.value, let number = Int(text), String(number) == text else {
            throw .parameters
        }
        return PartKey(key: key, upload: upload, number: number)
    }

    /// Nil unless the query consists of exactly the six parameters, or these and the two of a part.
    private static func parameters(_ query: String) -> [(name: String, value: String)]? {
        guard query.utf8.count <= 2048 else { return nil }
        let pieces = query.split(separator: "&", omittingEmptySubsequences: false)
        guard pieces.count == names.count || pieces.count == names.count + partNames.count else { return nil }
        let wanted = pieces.count == names.count ? names : names.union(partNames)
        var found: [(name: String, value: String)] = []
        for piece in pieces {
            guard let equals = piece.firstIndex(of: "="), wanted.contains(String(piece[..<equals])),
                let bytes = PercentEncoding.decode(piece[piece.index(after: equals)...]), bytes.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            found.append((name: String(piece[..<equals]), value: String(decoding: bytes, as: UTF8.self)))
        }
        return Set(found.map(\.name)) == wanted ? found : nil
    }
}

/// Why an upload was refused. `expired` is used only for a URL with a valid signature, so that the client may request a new one.
package enum UploadRefusal: Error, Sendable, Equatable, CaseIterable {
    /// Not a PUT.
    case method
    /// Not a staging key under the public path.
    case path
    /// A query parameter is missing, repeated, unknown or ill-formed.
    case parameters
    /// Another access key, region or service.
    case scope
    /// A signed header is missing, repeated or ill-formed, or there is one that must not be.
    case headers
    /// No `Content-Length`: the body comes in chunks.
    case length
    case signatureInvalid
    case notYetValid
    case expired

    /// A client learns whether a new URL helps, and by `UploadVerifier.verify` which header does not fit.
    var error: DiaryError {
        switch self {
        case .expired: DiaryError(.uploadURLExpired)
        case .method: DiaryError(.uploadRefused, cause: "method")
        case .path: DiaryError(.uploadRefused, cause: "path")
        case .parameters: DiaryError(.uploadRefused, cause: "parameters")
        case .scope: DiaryError(.uploadRefused, cause: "scope")
        case .length:
            DiaryError(
                .uploadRefused,
                detail: "Content-Length is missing: send the recording with its length, not in chunks (Transfer-Encoding).", cause: "length"
            )
        case .headers: DiaryError(.uploadRefused, cause: "headers")
        case .signatureInvalid: DiaryError(.uploadRefused, cause: "signature")
        case .notYetValid: DiaryError(.uploadRefused, cause: "not yet valid")
        }
    }
}
