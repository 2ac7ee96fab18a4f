import DiaryCrypto
import Synchronization
import WireFormats

extension SigV4 {
    /// Query signing ("presigning"): every header of `request` is signed, `host` must be among them.
    /// - Parameter day: what is the same for all signatures of the day, when the caller has it.
    /// - Returns: the raw query with `X-Amz-Signature` at its end; the signer's parameters are in canonical order.
    package static func presignedQuery(
        _ request: SigV4Request, by credentials: SigV4Credentials, date: AmzDate, expires: Int, region: String, service: String,
        day: ((SigV4Scope) -> SigV4Day)? = nil, normalizingPath: Bool = false
    ) -> String {
        let stamp = date.description
        let scope = SigV4Scope(day: String(stamp.prefix(8)), region: region, service: service)
        let day = day?(scope) ?? SigV4Day(credentials, scope: scope)
        let names = request.headerNames
        var query = request.query
        query.reserveCapacity(query.utf8.count + 512)
        if !query.isEmpty { query += "&" }
        query += day.parameters
        query += "&X-Amz-Date="
        query += stamp
        query += "&X-Amz-Expires="
        query += String(expires)
        if let token = credentials.sessionToken {
            query += "&X-Amz-Security-Token="
            query += PercentEncoding.encode(token.utf8)
        }
        query += "&X-Amz-SignedHeaders="
        for (index, name) in names.enumerated() {
            if index > 0 { query += "%3B" }
            query += PercentEncoding.encode(name.utf8)
        }
        let canonical = canonicalRequest(
            request, signedHeaders: names, query: request.query.isEmpty ? query : canonicalQuery(query), normalizingPath: normalizingPath)
        query += "&X-Amz-Signature="
        query += signature(stringToSign(canonical, date: stamp, scope: day.scopeText), key: day.key)
        return query
    }

    /// Header signing: adds `X-Amz-Date`, the session token when there is one, `x-amz-content-sha256` when requested, and `Authorization`
    /// over all headers of `request`, `host` among them.
    package static func authorized(
        _ request: SigV4Request, by credentials: SigV4Credentials, date: AmzDate, region: String, service: String,
        addingPayloadHash: Bool, normalizingPath: Bool = false
    ) -> SigV4Request {
        let scope = SigV4Scope(day: date.day, region: region, service: service)
        var signed = request
        signed.headers.append((name: "X-Amz-Date", value: date.description))
        if let token = credentials.sessionToken { signed.headers.append((name: "X-Amz-Security-Token", value: token)) }
        if addingPayloadHash { signed.headers.append((name: "x-amz-content-sha256", value: request.payloadHash)) }
        let names = signed.headerNames
        let signature = signature(
            of: signed, signedHeaders: names, date: date, scope: scope, secret: credentials.secret, normalizingPath: normalizingPath)
        signed.headers.append(
            (
                name: "Authorization",
                value:
                    "\(algorithm) Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
            ))
        return signed
    }
}

/// What is the same for all signatures of a day; the key alone takes four HMACs.
package struct SigV4Day: Sendable {
    package let scope: SigV4Scope
    let scopeText: String
    let key: SecretBytes
    /// `X-Amz-Algorithm` and `X-Amz-Credential`.
    let parameters: String

    package init(_ credentials: SigV4Credentials, scope: SigV4Scope) {
        self.scope = scope
        scopeText = scope.description
        key = SigV4.signingKey(credentials.secret, scope: scope)
        let credential = PercentEncoding.encode("\(credentials.accessKeyID)/\(scope)".utf8)
        parameters = "X-Amz-Algorithm=\(SigV4.algorithm)&X-Amz-Credential=\(credential)"
    }
}

/// The signing values of the current day, kept for its signatures.
package final class SigV4Today: Sendable {
    private let known = Mutex<SigV4Day?>(nil)

    package init() {}

    package func day(_ credentials: SigV4Credentials, scope: SigV4Scope) -> SigV4Day {
        known.withLock { known in
            if let known, known.scope == scope { return known }
            let day = SigV4Day(credentials, scope: scope)
            known = day
            return day
        }
    }
}
