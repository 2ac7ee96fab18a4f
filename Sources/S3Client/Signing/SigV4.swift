package import DiaryCrypto
import WireFormats

/// AWS Signature Version 4, in the four steps of its specification
/// (IAM User Guide, "Create a signed AWS API request"). Written here for the reasons in docs/decisions/0006-uploads.md.
package enum SigV4 {
    package static let algorithm = "AWS4-HMAC-SHA256"

    /// Step 1.
    /// - Parameters:
    ///   - signedHeaders: lower-case names, sorted.
    ///   - normalizingPath: removes empty, `.` and `..` segments, as every service but S3 does.
    ///   - query: canonical already; nil for the request's, in any order and spelling.
    package static func canonicalRequest(
        _ request: SigV4Request, signedHeaders: [String], query: String? = nil, normalizingPath: Bool = false
    ) -> String {
        let path = normalizingPath ? normalized(request.path) : request.path
        let query = query ?? canonicalQuery(request.query)
        var text = request.method
        text.reserveCapacity(512 + path.utf8.count + query.utf8.count)
        text += "\n"
        text += PercentEncoding.canonical(path.isEmpty ? "/" : path, keepingSlash: true)
        text += "\n"
        text += query
        text += "\n"
        appendCanonicalHeaders(request.headers, signed: signedHeaders, to: &text)
        text += "\n"
        text += signedHeaders.joined(separator: ";")
        text += "\n"
        text += request.payloadHash
        return text
    }

    /// Step 2.
    package static func stringToSign(_ canonicalRequest: String, date: AmzDate, scope: SigV4Scope) -> String {
        stringToSign(canonicalRequest, date: date.description, scope: scope.description)
    }

    static func stringToSign(_ canonicalRequest: String, date: String, scope: String) -> String {
        var text = algorithm
        text.reserveCapacity(160)
        for line in [date, scope, Hex.encode(SHA256.digest(Array(canonicalRequest.utf8)))] {
            text += "\n"
            text += line
        }
        return text
    }

    /// Step 3: the day's key for one region and service.
    package static func signingKey(_ secret: SecretBytes, scope: SigV4Scope) -> SecretBytes {
        let start = SecretBytes(Array("AWS4".utf8) + secret.bytes())
        return [scope.day, scope.region, scope.service, SigV4Scope.terminator].reduce(start) { key, part in
            SecretBytes(HMACSHA256.code(Array(part.utf8), key: key))
        }
    }

    /// Step 4: 64 lower-case hex digits.
    package static func signature(_ stringToSign: String, key: SecretBytes) -> String {
        Hex.encode(HMACSHA256.code(Array(stringToSign.utf8), key: key))
    }

    /// All steps.
    package static func signature(
        of request: SigV4Request, signedHeaders: [String], date: AmzDate, scope: SigV4Scope, secret: SecretBytes,
        normalizingPath: Bool = false
    ) -> String {
        let canonical = canonicalRequest(request, signedHeaders: signedHeaders, normalizingPath: normalizingPath)
        return signature(stringToSign(canonical, date: date, scope: scope), key: signingKey(secret, scope: scope))
    }

    /// Parameters in order of their encoded names, then values. A parameter without `=` has the empty value.
    package static func canonicalQuery(_ query: String) -> String {
        query.split(separator: "&").map { parameter in
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: PercentEncoding.canonical(sides[0]), value: sides.count > 1 ? PercentEncoding.canonical(sides[1]) : "")
        }
        .sorted { (a: (name: String, value: String), b) in a < b }
        .map { "\($0.name)=\($0.value)" }
        .joined(separator: "&")
    }

    /// One line per name, ended by a newline each; several values of a name are joined by commas in the order they came.
    private static func appendCanonicalHeaders(_ headers: [(name: String, value: String)], signed: [String], to text: inout String) {
        let names = headers.map(\.name.asciiLowercased)
        for name in signed {
            text += name
            var separator = ":"
            for index in headers.indices where names[index] == name {
                text += separator
                text += trimmed(headers[index].value)
                separator = ","
            }
            text += separator == ":" ? ":\n" : "\n"
        }
    }

    /// Without white space at the ends, every run of it inside is one space.
    package static func trimmed(_ value: String) -> String {
        guard value.utf8.contains(where: isSpace) else { return value }
        return value.utf8.split(whereSeparator: isSpace).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// RFC 3986 §5.2.4 plus removal of empty segments; a slash at the end stays.
    static func normalized(_ path: String) -> String {
        var kept: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        let end = path.utf8.last == UInt8(ascii: "/") && !kept.isEmpty ? "/" : ""
        return "/" + kept.joined(separator: "/") + end
    }
}
