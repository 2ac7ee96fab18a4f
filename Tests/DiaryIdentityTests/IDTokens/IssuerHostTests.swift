import CurlTransfer
import DiaryCore
import Testing

@testable import DiaryIdentity

@Suite("Where provider requests may go")
struct IssuerHostTests {
    @Test("Apple's and Google's requests go to their own hosts, over TLS, at public addresses")
    func pinned() {
        #expect(IDTokenIssuer.apple.hosts == [AllowedHost(.https, "appleid.apple.com")])
        #expect(IDTokenIssuer.google.hosts == [AllowedHost(.https, "www.googleapis.com")])
    }

    @Test(
        "an issuer of the operator's own is one host and port",
        arguments: [
            ("http://127.0.0.1:8081", AllowedHost(.http, "127.0.0.1", port: 8081, mayBePrivate: true)),
            ("https://login.example.org", AllowedHost(.https, "login.example.org", mayBePrivate: true)),
            ("https://login.example.org:8443", AllowedHost(.https, "login.example.org", port: 8443, mayBePrivate: true)),
            ("http://[::1]:8081", AllowedHost(.http, "::1", port: 8081, mayBePrivate: true)),
            ("http://[::1]", AllowedHost(.http, "::1", mayBePrivate: true)),
        ])
    func local(base: String, host: AllowedHost) {
        #expect(IDTokenIssuer.local(.apple, base: base).hosts == [host])
        #expect(IDTokenIssuer.local(.google, base: base).hosts == [host])
    }

    @Test("an issuer without a valid host allows none", arguments: ["", "x", "ftp://a", "http://a:0", "http://a:70000", "http://a:x"])
    func none(base: String) {
        #expect(IDTokenIssuer.local(.google, base: base).hosts.isEmpty)
    }
}
