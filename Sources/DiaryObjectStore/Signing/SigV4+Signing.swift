package import DiaryCrypto

extension SigV4 {
    /// Query signing ("presigning"): every header of `request` is signed, `host` must be among them.
    /// - Parameter key: the scope's signing key, when the caller has it.
    /// - Returns: the raw query with `X-Amz-Signature` at its end; our own parameters stand in canonical order.
    package static func presignedQuery(
        _ request: SigV4Request, by credentials: SigV4Credentials, date: AmzDate, expires: Int, region: String, service: String,
        key: ((SigV4Scope) -> SecretBytes)? = nil, normalizingPath: Bool = false
    ) -> String {
        let scope = SigV4Scope(day: date.day, region: region, service: service)
        let names = request.headerNames
        var parameters = [
            ("X-Amz-Algorithm", algorithm),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope)"),
            ("X-Amz-Date", date.description),
            ("X-Amz-Expires", String(expires)),
        ]
        if let token = credentials.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
        parameters.append(("X-Amz-SignedHeaders", names.joined(separator: ";")))
        let own = parameters.map { "\($0.0)=\(PercentEncoding.encode($0.1.utf8))" }.joined(separator: "&")
        let query = request.query.isEmpty ? own : request.query + "&" + own
        let canonical = canonicalRequest(
            request, signedHeaders: names, query: request.query.isEmpty ? own : canonicalQuery(query), normalizingPath: normalizingPath)
        let signature = signature(
            stringToSign(canonical, date: date, scope: scope), key: key?(scope) ?? signingKey(credentials.secret, scope: scope))
        return query + "&X-Amz-Signature=" + signature
    }

    /// Header signing: adds `X-Amz-Date`, the session token when there is one, `x-amz-content-sha256` when asked, and `Authorization`
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
