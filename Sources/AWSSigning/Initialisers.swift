// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import DiaryCrypto

extension SigV4Credentials {
    package init(accessKeyID: String, secret: SecretBytes, sessionToken: String? = nil, _: Void = ()) {
        self.accessKeyID = accessKeyID
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

extension SigV4Request {
    package init(
        method: String, path: String, query: String = "", headers: [(name: String, value: String)], payloadHash: String, _: Void = ()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.payloadHash = payloadHash
    }
}

extension SigV4Scope {
    package init(day: String, region: String, service: String, _: Void = ()) {
        self.day = day
        self.region = region
        self.service = service
    }
}
