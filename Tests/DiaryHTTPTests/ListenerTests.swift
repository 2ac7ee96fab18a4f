import DiaryHTTP
import Testing
import WireFormats

@Suite("What a connection may do") struct ListenerTests {
    /// Heads that another server might read differently. Each is followed by a second request that must never run.
    static let smuggling: [(String, String)] = [
        ("CL and TE", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("TE and CL", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"),
        ("two CL", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n"),
        ("two equal CL", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"),
        ("CL list", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n\r\n"),
        ("CL plus", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n"),
        ("CL minus", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
        ("CL hex", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n\r\n"),
        ("CL empty", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"),
        ("CL huge", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        ("CL with inner space", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 0 0\r\n\r\n"),
        ("TE identity", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n"),
        ("TE twice", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("TE not last", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"),
        ("TE list", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        ("TE x", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("TE vertical tab", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{0B}chunked\r\n\r\n0\r\n\r\n"),
        ("TE in HTTP/1.0", "POST /v1/unread HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("space before colon", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n"),
        ("tab before colon", "POST /v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n"),
        ("folded line", "GET /v1/open HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n"),
        ("folded first line", "GET /v1/open HTTP/1.1\r\n Host: a\r\n\r\n"),
        ("bare LF", "GET /v1/open HTTP/1.1\nHost: a\n\n"),
        ("bare LF in one line", "GET /v1/open HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n"),
        ("bare LF at the end", "GET /v1/open HTTP/1.1\r\nHost: a\r\n\n"),
        ("bare CR in a value", "GET /v1/open HTTP/1.1\r\nHost: a\r\nX-A: b\rX-B: c\r\n\r\n"),
        ("NUL in a value", "GET /v1/open HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n"),
        ("empty name", "GET /v1/open HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"),
        ("no colon", "GET /v1/open HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n"),
        ("no host", "GET /v1/open HTTP/1.1\r\nX-A: b\r\n\r\n"),
        ("two hosts", "GET /v1/open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("host with a path", "GET /v1/open HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        ("two spaces", "GET  /v1/open HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("tab as space", "GET\t/v1/open HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("words after the version", "GET /v1/open HTTP/1.1 x\r\nHost: a\r\n\r\n"),
        ("no version", "GET /v1/open\r\nHost: a\r\n\r\n"),
        ("version 0.9", "GET /v1/open HTTP/0.9\r\nHost: a\r\n\r\n"),
        ("version 2.0", "GET /v1/open HTTP/2.0\r\nHost: a\r\n\r\n"),
        ("version 1.2", "GET /v1/open HTTP/1.2\r\nHost: a\r\n\r\n"),
        ("fragment", "GET /v1/open#x HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("raw high bytes", "GET /v1/öpen HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("no slash", "GET v1/open HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("connect", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ("garbage", "\u{16}\u{03}\u{01}\u{02}\u{00}\r\n\r\n"),
    ]

    @Test("ambiguous heads end in one 400 and the connection's end; the request behind them never runs (F3)", arguments: smuggling)
    func smuggled(name: String, head: String) async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            await wire.push(head + "GET /v1/limited HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await wire.answer()

            if name == "HTTP/2 preface" {
                #expect(answer.status == 405)
            } else {
                ProblemTests.expectShape(answer, 400, "malformed_request")
            }
            #expect(answer.header("connection") == "close")
            #expect(await wire.ends())
            #expect(await wire.rest.isEmpty)
            #expect(!server.lines.all.contains { $0.contains("/v1/limited") })
        }
    }

    @Test(
        "broken chunks end in 400 and the connection's end (F3)",
        arguments: [
            "z\r\nabc\r\n0\r\n\r\n", "-1\r\n\r\n", "+3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n",
            "3\r\nabcd\r\n0\r\n\r\n", "3 \r\nabc\r\n0\r\n\r\n",
            "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n", "3\r\nabcX0\r\n\r\n", "\r\n3\r\nabc\r\n0\r\n\r\n",
            "3\r\nabc\r\n0\r\nbad trailer\r\n\r\n",
        ])
    func brokenChunks(chunks: String) async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            await wire.push(
                "PUT /objects/a/b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
                    + "GET /v1/limited HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await wire.answer()
            ProblemTests.expectShape(answer, 400, "malformed_request")
            #expect(await wire.ends())
            #expect(!server.lines.all.contains { $0.contains("/v1/limited") })
        }
    }

    @Test("over a size the answer comes before the body is read (F5)")
    func sizes() async throws {
        try await withServer { server in
            let longURI = "/v1/open?" + String(repeating: "a", count: 8192)
            ProblemTests.expectShape(try await server.raw("GET \(longURI) HTTP/1.1\r\nHost: a\r\n\r\n"), 414, "uri_too_long")
            ProblemTests.expectShape(try await server.raw("GET /" + String(repeating: "a", count: 200_000)), 414, "uri_too_long")
            let fitting = "/v1/nowhere?" + String(repeating: "a", count: 8192 - 12)
            #expect(try await server.raw("GET \(fitting) HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)

            let many = (0..<100).map { "X-\($0): 1\r\n" }.joined()
            ProblemTests.expectShape(try await server.raw("GET /v1/open HTTP/1.1\r\nHost: a\r\n\(many)\r\n"), 431, "headers_too_large")
            let enough = (0..<99).map { "X-\($0): 1\r\n" }.joined()
            #expect(try await server.raw("GET /v1/open HTTP/1.1\r\nHost: a\r\n\(enough)\r\n").status == 200)
            let fat = "X-A: " + String(repeating: "a", count: 17_000)
            ProblemTests.expectShape(try await server.raw("GET /v1/open HTTP/1.1\r\nHost: a\r\n\(fat)\r\n\r\n"), 431, "headers_too_large")
            let plump = "X-A: " + String(repeating: "a", count: 16_000)
            #expect(try await server.raw("GET /v1/open HTTP/1.1\r\nHost: a\r\n\(plump)\r\n\r\n").status == 200)

            let announced = try await server.raw(
                "POST /v1/entries HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 262145\r\n\r\n")
            ProblemTests.expectShape(announced, 413, "body_too_large")
            #expect(announced.header("connection") == "close")

            let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
            let chunked = try await server.raw(
                "POST /v1/entries HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: chunk, count: 5))
            ProblemTests.expectShape(chunked, 413, "body_too_large")
        }
    }

    @Test("a kept connection serves pipelined requests in order")
    func pipelined() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            let post = Harness.request("POST", "/v1/unread", body: "four")
            await wire.push(
                Harness.request("GET", "/v1/known") + post + Harness.request("GET", "/v1/nowhere") + "\r\n"
                    + Harness.request("GET", "/v1/open"))
            #expect(try await wire.answer().body.count == 300_000)
            #expect(try await wire.answer().status == 200)
            #expect(try await wire.answer().status == 404)
            #expect(try await wire.answer().text == "{\"ok\":true}")
            await wire.push(Harness.request("GET", "/v1/open") + "BROKEN\r\n\r\n")
            #expect(try await wire.answer().status == 200)
            #expect(try await wire.answer().status == 400)
            #expect(await wire.ends())
        }
    }

    @Test("HTTP/1.0, Connection: close and a request to upgrade get their answer and the end")
    func closing() async throws {
        try await withServer { server in
            for head in [
                "GET /v1/unknown HTTP/1.0\r\n\r\n", "GET /v1/open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "GET /v1/open HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
            ] {
                let wire = try await Wire.open(server.port)
                await wire.push(head)
                let answer = try await wire.answer()
                #expect(answer.status == 200, "\(head)")
                #expect(answer.header("connection")?.lowercased() == "close")
                #expect(answer.header("transfer-encoding") == nil)
                #expect(await wire.ends())
            }
            let half = try await Wire.open(server.port)
            try await half.send(Harness.request("GET", "/v1/open"))
            try await half.closeOutput()
            #expect(try await half.answer().status == 200)
            #expect(await half.ends())
        }
    }

    @Test("an upload streams through, with Content-Length, chunked, and after 100 Continue")
    func uploads() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            let megabyte = String(repeating: "x", count: 1 << 20)
            try await wire.send("PUT /objects/staging/a HTTP/1.1\r\nHost: a\r\nContent-Length: \(3 << 20)\r\n\r\n")
            for _ in 0..<3 { try await wire.send(megabyte) }
            let sized = try await wire.answer()
            #expect(sized.json?["bytes"] == .number(String(3 << 20)))
            #expect(sized.json?["key"] == .string("staging/a"))

            try await wire.send("PUT /objects/b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            try await wire.send("5;ext=1\r\nabcde\r\n0\r\nX-Trailer: 1\r\n\r\n")
            #expect(try await wire.answer().json?["bytes"] == .number("8"))

            try await wire.send("PUT /objects/c HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await wire.answer().status == 100)
            try await wire.send("abcd")
            #expect(try await wire.answer().json?["bytes"] == .number("4"))

            try await wire.send(
                "POST /v1/entries HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await wire.answer().status == 415)
        }
    }

    @Test("a body cut off in the middle is never taken for a whole one")
    func cutOff() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            try await wire.send(
                "POST /v1/entries HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"kind\":\"text\"}")
            try await wire.closeOutput()
            ProblemTests.expectShape(try await wire.answer(), 400, "malformed_request")
            #expect(await wire.ends())
        }
    }

    @Test("a head that does not come to its end is answered with 408 (F4)")
    func slowHead() async throws {
        try await withServer({ $0.limits.head = 0.3 }) { server in
            let wire = try await Wire.open(server.port)
            try await wire.send("GET /v1/open HTTP/1.1\r\nHost: a\r\n")
            ProblemTests.expectShape(try await wire.answer(), 408, "request_timeout")
            #expect(await wire.ends())
        }
    }

    @Test("a body below the rate floor is answered with 408, a drip too (F4)")
    func slowBody() async throws {
        try await withServer({
            $0.limits.bodyGrace = 0.4
            $0.limits.bodyBytesPerSecond = 1_000_000
        }) { server in
            for head in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
                let wire = try await Wire.open(server.port)
                try await wire.send("PUT /objects/slow HTTP/1.1\r\nHost: a\r\n\(head)\r\n\r\n")
                let drip = Task {
                    while !Task.isCancelled {
                        await wire.push(head.hasPrefix("C") ? "x" : "1\r\nx\r\n")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                let answer = try await wire.answer()
                drip.cancel()
                ProblemTests.expectShape(answer, 408, "request_timeout")
                #expect(answer.header("connection") == "close")
                #expect(await wire.ends())
            }
        }
    }

    @Test("a body nobody reads is not drained: the answer comes, then the end (mistake 22)")
    func unreadBody() async throws {
        try await withServer({
            $0.limits.lingerSeconds = 5
            $0.limits.lingerBytes = 100_000
        }) { server in
            let wire = try await Wire.open(server.port)
            try await wire.send("POST /v1/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")
            let answer = try await wire.answer()
            #expect(answer.status == 200)
            #expect(answer.header("connection") == "close")
            for _ in 0..<50 { await wire.push(String(repeating: "x", count: 10_000)) }
            #expect(await wire.ends(within: 4))
        }
    }

    @Test("a client that stays after the last answer is left after the linger time")
    func lingering() async throws {
        try await withServer({ $0.limits.lingerSeconds = 0.3 }) { server in
            let wire = try await Wire.open(server.port)
            try await wire.send("BROKEN\r\n\r\n")
            #expect(try await wire.answer().status == 400)
            #expect(await wire.ends(within: 5))
        }
    }

    @Test("an idle connection is closed, before a request and after one (F4)")
    func idle() async throws {
        try await withServer({ $0.limits.idle = 1 }) { server in
            let silent = try await Wire.open(server.port)
            #expect(await silent.ends(within: 5))
            let kept = try await Wire.open(server.port)
            try await kept.send(Harness.request("GET", "/v1/open"))
            #expect(try await kept.answer().status == 200)
            #expect(await kept.ends(within: 5))
        }
    }

    @Test("absolute and odd targets are read as they stand")
    func targets() async throws {
        try await withServer { server in
            for (target, status) in [
                ("http://a/v1/open", 200), ("HTTP://a/v1/open?x=1", 200), ("http://[::1", 404), ("http://", 404), ("//a/v1/open", 404),
                ("/v1/../v1/open", 404),
                ("/v1/open?", 200), ("/v1/open?a?b", 200), ("/v1/op%65n", 200), ("/v1%2Fopen", 404), ("/?", 404), ("/", 404),
            ] {
                let answer = try await server.raw("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.status == status, "\(target)")
            }
        }
    }

    @Test("a thousand damaged requests never give a 5xx, and the server lives (F1)")
    func damaged() async throws {
        try await withServer { server in
            let seeds = [
                Harness.request(
                    "POST", "/v1/entries?a=b", headers: ["Content-Type: application/json"],
                    body: #"{"kind":"text","tags":["a","b"],"size_bytes":12}"#),
                "PUT /objects/a/b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nabcde\r\n3\r\nfgh\r\n0\r\nX-T: 1\r\n\r\n",
                Harness.request(
                    "GET", "/v1/entries/01890a5d-ac96-774b-bcce-b302099a8057",
                    headers: ["Authorization: Bearer good-token", "Expect: 100-continue"]),
                Harness.request(
                    "GET", "/v1/list?from=2026-01-01&limit=5&since=2026-01-01T00:00:00Z", headers: ["X-Forwarded-For: ::1, 1.2.3.4"]),
            ].map { Array($0.utf8) }
            let spice: [UInt8] = [0, 9, 10, 13, 32, 34, 37, 44, 58, 59, 92, 123, 127, 128, 192, 255]
            var random = SeededRandom(state: 20_260_704)
            for _ in 0..<1000 {
                var bytes = seeds[Int(random.next() % 4)]
                for _ in 0..<Int(1 + random.next() % 4) {
                    let place = Int(random.next() % UInt64(bytes.count))
                    let byte = spice[Int(random.next() % 16)]
                    switch random.next() % 4 {
                    case 0: bytes[place] = byte
                    case 1: bytes.insert(byte, at: place)
                    case 2: bytes.remove(at: place)
                    default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                    }
                    if bytes.isEmpty { bytes = [byte] }
                }
                let wire = try await Wire.open(server.port)
                await wire.push(bytes)
                try? await wire.closeOutput()
                #expect(await wire.ends())
                let statuses = String(decoding: await wire.rest, as: UTF8.self).split(separator: "HTTP/1.").compactMap {
                    Int($0.dropFirst(2).prefix(3))
                }
                #expect(!statuses.contains { $0 >= 500 }, "\(bytes)")
            }
            #expect(try await server.ask("GET", "/v1/open").status == 200)
        }
    }
}

struct SeededRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
