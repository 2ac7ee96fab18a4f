import CurlTransfer
import TestPeers
import Testing

@Suite("F9: only configured hosts", .serialized)
struct AllowListTests {
    @Test("F9: another scheme, host, port or spelling is refused, and no request is sent")
    func refused() async throws {
        let fixtures = try await TransferFixtures()
        let port = fixtures.server.port("http")
        let urls = [
            "", "/", "127.0.0.1", "127.0.0.1:\(port)", "//127.0.0.1:\(port)/", "http:", "http://", "http:///x", "http://127.0.0.1/",
            "http://127.0.0.1:\(port + 1)/", "https://127.0.0.1:\(port)/", "ftp://127.0.0.1:\(port)/", "file:///etc/passwd",
            "gopher://127.0.0.1:\(port)/_x", "dict://127.0.0.1:\(port)/", "smtp://127.0.0.1:\(port)/", "telnet://127.0.0.1:\(port)/",
            "http://127.0.0.2:\(port)/", "http://example.org:\(port)/", "http://127.0.0.1.example.org:\(port)/",
            "http://user@127.0.0.1:\(port)/", "http://user:pass@127.0.0.1:\(port)/", "http://127.0.0.1:\(port)@example.org/",
            "http://example.org#@127.0.0.1:\(port)/", "http://example.org?@127.0.0.1:\(port)/", "http://127.0.0.1:\(port)\\@example.org/",
            "http://[::1]:\(port)/", "http://[::ffff:127.0.0.1]:\(port)/", "http://127.0.0.1:\(port)/a b",
            "http://127.0.0.1:\(port)/\r\nX: y",
            "http://127.0.0.1:\(port)/\u{0}", "http://127.0.0.1:\(port)/é", "http://localhost.:\(port)/", "http://127.0.0.1:0\(port)0/",
            "http://127.0.0.1:-1/", "http://127.0.0.1:99999/", "javascript:alert(1)", "http://" + String(repeating: "a", count: 9000),
        ]

        for url in urls {
            await fixtures.expect(.notAllowed) {
                _ = try await fixtures.transfers.collect(TransferRequest(.get, url), maximumBytes: 1)
            }
        }

        #expect(try await fixtures.events("accepted").isEmpty)
        #expect(try await fixtures.get("/bytes?1").status == 200)
        print("F9: \(urls.count) URLs refused")
    }

    @Test("F9: a host that may not be private is not reached at a private address", arguments: ["127.0.0.1", "localhost"])
    func privateAddress(host: String) async throws {
        let fixtures = try await TransferFixtures(mayBePrivate: false)

        await fixtures.expect(.notAllowed) {
            _ = try await fixtures.transfers.collect(
                TransferRequest(.get, "http://\(host):\(fixtures.server.port("http"))/bytes?1"), maximumBytes: 1)
        }

        #expect(try await fixtures.events("accepted").isEmpty)
    }

    @Test("F9: a request's own target takes the place of the list: no other host, and no private address unless it says so")
    func ownTarget() async throws {
        let fixtures = try await TransferFixtures(mayBePrivate: true)
        let port = fixtures.server.port("http")
        let silent = fixtures.server.port("silent")
        func get(_ url: String, _ target: AllowedHost?) async throws -> Int {
            try await fixtures.transfers.collect(TransferRequest(.get, url, target: target), maximumBytes: 1).status
        }

        let status = try await get("http://127.0.0.1:\(port)/bytes?1", AllowedHost(.http, "127.0.0.1", port: port, mayBePrivate: true))
        await fixtures.expect(.notAllowed) {
            _ = try await get("http://127.0.0.1:\(port)/bytes?1", AllowedHost(.http, "127.0.0.1", port: port))
        }
        await fixtures.expect(.notAllowed) {
            // On the configuration's list, and not the request's target.
            _ = try await get("http://127.0.0.1:\(port)/bytes?1", AllowedHost(.http, "127.0.0.1", port: silent, mayBePrivate: true))
        }

        #expect(status == 200)
        #expect(try await fixtures.events("request").count == 1)
    }

    @Test("F9: a connection to a target that may be private serves no other request")
    func noKeptConnection() async throws {
        let fixtures = try await TransferFixtures(mayBePrivate: false)
        let port = fixtures.server.port("http")
        let mayBePrivate = AllowedHost(.http, "127.0.0.1", port: port, mayBePrivate: true)
        let url = "http://127.0.0.1:\(port)/bytes?1"

        _ = try await fixtures.transfers.collect(TransferRequest(.get, url, target: mayBePrivate), maximumBytes: 1)

        // The configuration names the same host, and says that it may not be private.
        await fixtures.expect(.notAllowed) { _ = try await fixtures.transfers.collect(TransferRequest(.get, url), maximumBytes: 1) }
        #expect(try await fixtures.events("request").count == 1)
    }

    @Test(
        "a target is read from a URL",
        arguments: [
            ("https://api.openai.com/v1", AllowedHost(.https, "api.openai.com")),
            ("https://API.example.org", AllowedHost(.https, "api.example.org")),
            ("http://[::1]:8000/v1", AllowedHost(.http, "::1", port: 8000)),
            ("http://whisper:9000/v1", AllowedHost(.http, "whisper", port: 9000)),
            ("", nil), ("https//a", nil), ("http:/a", nil), ("gopher://a", nil), ("http://a:0/", nil), ("http://a:70000/", nil),
            ("http://a:b/", nil),
        ] as [(String, AllowedHost?)])
    func targets(url: String, host: AllowedHost?) {
        #expect(AllowedHost(of: url, mayBePrivate: false) == host)
    }

    @Test("a header that could become two lines, or that libcurl sets, is refused")
    func headers() async throws {
        let fixtures = try await TransferFixtures()
        let headers = [
            ("X", "a\r\nY: b"), ("X", "a\nY: b"), ("X", "a\rY"), ("X", "a\u{0}b"), ("X", "é"), ("X\r\nY", "a"), ("X:", "a"), ("", "a"),
            ("X Y", "a"),
            ("Host", "example.org"), ("host", "x"), ("Content-Length", "3"), ("Transfer-Encoding", "chunked"), ("Connection", "x"),
            ("Expect", "x"),
            ("Cookie", "a=b"), ("Proxy-Authorization", "x"), ("Accept-Encoding", "gzip"), ("X", String(repeating: "a", count: 20_000)),
        ]

        for header in headers {
            await fixtures.expect(.notAllowed) {
                _ = try await fixtures.transfers.collect(
                    TransferRequest(.get, fixtures.base + "/bytes?1", headers: [header]), maximumBytes: 1)
            }
        }

        #expect(try await fixtures.events("accepted").isEmpty)
    }

    @Test("errors name the fault, and no address or content")
    func descriptions() {
        let errors: [TransferError] = [
            .notAllowed, .couldNotConnect, .tls, .timedOut, .tooLarge, .cancelled, .bodyFailed, .protocol(18),
        ]

        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.allSatisfy { $0.description.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" } })
    }
}
