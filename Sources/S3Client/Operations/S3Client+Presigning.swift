package import FoundationEssentials
import WireFormats

/// A signed request for a client without a key: it sends method, URL and headers as they are, before this time.
package struct S3Presigned: Sendable {
    package let url: String
    /// Without `Content-Length`, which is signed too: HTTP clients send it themselves.
    package let headers: [(name: String, value: String)]
    package let expiresAt: Date
}

/// What a presigned upload is bound to.
package struct S3UploadTerms: Sendable {
    /// Nil for a part, whose type the upload has.
    package var contentType: String? = nil
    /// Always signed: otherwise some services take a body of any length.
    package var length: Int64
    /// Checked by AWS; others keep or ignore it.
    package var sha256: [UInt8]? = nil
    /// Checked by every service.
    package var md5: [UInt8]? = nil
    /// The service must know `If-None-Match`; others refuse the upload with 501.
    package var ifAbsent = false

    package init(contentType: String? = nil, length: Int64, sha256: [UInt8]? = nil, md5: [UInt8]? = nil, ifAbsent: Bool = false) {
        self.contentType = contentType
        self.length = length
        self.sha256 = sha256
        self.md5 = md5
        self.ifAbsent = ifAbsent
    }

    fileprivate var headers: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        if let contentType { headers.append((name: "Content-Type", value: contentType)) }
        if let md5 { headers.append((name: "Content-MD5", value: Base64.encode(md5))) }
        if let sha256 { headers.append((name: "x-amz-checksum-sha256", value: Base64.encode(sha256))) }
        if ifAbsent { headers.append((name: "If-None-Match", value: "*")) }
        return headers
    }
}

extension S3Client {
    /// - Parameter lifetime: seconds, cut to 1 … 604800.
    package func presignedPut(_ key: String, _ terms: S3UploadTerms, at now: Date, lifetime: Double) -> S3Presigned {
        presigned("PUT", key, headers: terms.headers, length: terms.length, at: now, lifetime: lifetime)
    }

    /// A PUT of one part.
    package func presignedPart(
        _ key: String, upload: String, number: Int, _ terms: S3UploadTerms, at now: Date, lifetime: Double
    ) -> S3Presigned {
        presigned(
            "PUT", key, query: Self.partQuery(upload, number), headers: terms.headers, length: terms.length, at: now, lifetime: lifetime)
    }

    private func presigned(
        _ method: String, _ key: String, query: [(name: String, value: String?)] = [], headers: [(name: String, value: String)],
        length: Int64, at now: Date, lifetime: Double
    ) -> S3Presigned {
        let bucket = configuration.publicBucket
        let date = AmzDate(now)
        let expires = lifetime >= 1 ? (lifetime < 604_800 ? Int(lifetime) : 604_800) : 1
        let path = bucket.path(of: key)
        let request = SigV4Request(
            method: method, path: path, query: S3Request.text(query),
            headers: headers + [(name: "Content-Length", value: String(length)), (name: "Host", value: bucket.host)],
            payloadHash: SigV4Request.unsignedPayload)
        let signed = SigV4.presignedQuery(
            request, by: configuration.credentials, date: date, expires: expires, region: configuration.region, service: "s3"
        ) { [today, credentials = configuration.credentials] in today.day(credentials, scope: $0) }
        return S3Presigned(
            url: "\(bucket.origin)\(path)?\(signed)", headers: headers, expiresAt: date.date.addingTimeInterval(Double(expires)))
    }
}
