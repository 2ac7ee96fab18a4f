import CurlTransfer
import Foundation
import TestPeers
import TestSupport
import Testing

@Suite("HTTP transfers", .serialized)
struct HTTPTransferTests {
    @Test("a body is sent and its echo received", arguments: [TransferRequest.Method.post, .put, .patch, .delete])
    func echo(method: TransferRequest.Method) async throws {
        let fixtures = try await TransferFixtures()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

        let response = try await fixtures.transfers.collect(
            TransferRequest(method, fixtures.base + "/echo", headers: [("X-One", "1"), ("X-Empty", "")], body: .bytes(bytes)),
            maximumBytes: bytes.count)

        #expect(response.status == 200 && response.body == bytes)
        #expect(response.head.header("x-method") == method.rawValue)
        let headers = try #require(try await fixtures.events("request").first?["headers"] as? [String: [String]])
        #expect(headers["x-one"] == ["1"] && headers["x-empty"] == [""] && headers["user-agent"] == ["diary"])
        #expect(Set(headers.keys) == ["host", "accept", "user-agent", "x-one", "x-empty", "content-length"])
    }

    @Test("requests without a body have none", arguments: [TransferRequest.Method.get, .head, .delete])
    func bodiless(method: TransferRequest.Method) async throws {
        let fixtures = try await TransferFixtures()

        let response = try await fixtures.transfers.collect(TransferRequest(method, fixtures.base + "/status?204"), maximumBytes: 0)

        #expect(response.status == 204 && response.body.isEmpty)
        let headers = try #require(try await fixtures.events("request").first?["headers"] as? [String: [String]])
        #expect(headers["content-length"] == nil && headers["transfer-encoding"] == nil)
    }

    @Test("a HEAD response may state a length without a body")
    func headLength() async throws {
        let fixtures = try await TransferFixtures()

        let response = try await fixtures.transfers.collect(TransferRequest(.head, fixtures.base + "/head?1000"), maximumBytes: 0)

        #expect(response.head.header("content-length") == "1000" && response.body.isEmpty)
    }

    @Test("an empty body is sent with length 0")
    func emptyBody() async throws {
        let fixtures = try await TransferFixtures()

        _ = try await fixtures.transfers.collect(TransferRequest(.post, fixtures.base + "/echo", body: .bytes([])), maximumBytes: 0)

        let headers = try #require(try await fixtures.events("request").first?["headers"] as? [String: [String]])
        #expect(headers["content-length"] == ["0"])
    }

    @Test("any status is a response, 1xx are skipped, trailers are no headers")
    func statuses() async throws {
        let fixtures = try await TransferFixtures()

        for status in [200, 204, 400, 401, 404, 429, 500, 503] {
            #expect(try await fixtures.get("/status?\(status)").status == status)
        }
        let late = try await fixtures.get("/continue")
        #expect(late.status == 200 && late.head.header("x-early") == nil && late.head.header("x-late") == "1")
        let trailers = try await fixtures.get("/trailers")
        #expect(trailers.body == Array("abc".utf8) && trailers.head.header("x-trailer") == nil)
    }

    @Test("F9: a redirect is a response and is not followed")
    func redirect() async throws {
        let fixtures = try await TransferFixtures()

        let response = try await fixtures.get("/redirect?\(fixtures.base)/echo")

        #expect(response.status == 302)
        #expect(try await fixtures.events("request").count == 1)
    }

    @Test("F9: a body over the limit is refused, whatever its stated length")
    func caps() async throws {
        let fixtures = try await TransferFixtures()

        #expect(try await fixtures.get("/bytes?1000", maximumBytes: 1000).body.count == 1000)
        await fixtures.expect(.tooLarge) { _ = try await fixtures.get("/bytes?1001", maximumBytes: 1000) }
        await fixtures.expect(.tooLarge) { _ = try await fixtures.get("/bytes?1", maximumBytes: 0) }
        await fixtures.expect(.tooLarge) { _ = try await fixtures.get("/endless", maximumBytes: 1 << 20) }
        await fixtures.expect(.tooLarge) { _ = try await fixtures.get("/headers") }
        await fixtures.expect(.protocol(18)) { _ = try await fixtures.get("/lying?100") }
        await fixtures.expect(.protocol(1)) { _ = try await fixtures.get("/garbage") }
    }

    @Test("no cookie is kept, and a kept connection serves the next GET but no POST")
    func connections() async throws {
        let fixtures = try await TransferFixtures()

        for _ in 0..<3 { _ = try await fixtures.get("/continue") }
        #expect(try await fixtures.events("accepted").count == 1)
        let last = try #require(try await fixtures.events("request").last?["headers"] as? [String: [String]])
        #expect(last["cookie"] == nil)
        _ = try await fixtures.transfers.collect(TransferRequest(.post, fixtures.base + "/echo", body: .bytes([1])), maximumBytes: 1)
        #expect(try await fixtures.events("accepted").count == 2)
    }

    @Test("a kept connection that the server has closed fails no request")
    func dropped() async throws {
        let fixtures = try await TransferFixtures()

        for number in 1...5 {
            #expect(try await fixtures.get("/once").body == Array("ok".utf8))
            try await fixtures.server.wait(for: "closed", count: number)
        }
    }

    @Test("a hundred requests at once all succeed")
    func many() async throws {
        let fixtures = try await TransferFixtures()

        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 { group.addTask { try await fixtures.get("/bytes?\(number * 1000)").body.count } }
            let sizes = try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            #expect(sizes.count == 100)
        }
        try await until { fixtures.transfers.runningCount == 0 }
    }

    @Test("F9: the environment's proxies are not used")
    func proxies() async throws {
        let fixtures = try await TransferFixtures()
        for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:1", 1) }
        defer { for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"] { unsetenv(name) } }

        #expect(try await fixtures.get("/bytes?1").status == 200)
    }
}
