import DiaryHTTP
import HTTPListener
import TestHTTPClient
import Testing
import WireFormats

@Suite("Requests that are large, slow, cut off or damaged") struct DamagedRequestTests {
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

    @Test("a truncated body is never accepted as a whole one")
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

    @Test("a body below the minimum rate is answered with 408, a trickled one too (F4)")
    func slowBody() async throws {
        try await withServer(limits: {
            $0.bodyGrace = 0.4
            $0.bodyBytesPerSecond = 1_000_000
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

    @Test("a body that is held in memory has a deadline as a whole, a file's body has none (F4)")
    func collectedBody() async throws {
        try await withServer(limits: {
            $0.collectedBody = 0.4
            $0.bodyBytesPerSecond = 1
        }) { server in
            let file = try await Wire.open(server.port)
            try await file.send("PUT /objects/slow HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for head in ["Content-Length: 100000", "Transfer-Encoding: chunked"] {
                let json = try await Wire.open(server.port)
                try await json.send("POST /v1/entries HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(head)\r\n\r\n")
                let drip = Task {
                    while !Task.isCancelled {
                        await json.push(head.hasPrefix("C") ? "x" : "1\r\nx\r\n")
                        await file.push("1\r\nx\r\n")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                let answer = try await json.answer()
                drip.cancel()
                _ = await drip.result
                ProblemTests.expectShape(answer, 408, "request_timeout")
                #expect(await json.ends())
            }
            try await file.send("0\r\n\r\n")
            #expect(try await file.answer().status == 200)
        }
    }

    @Test("absolute and unusual targets are read without normalisation")
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

    @Test("an escaped slash belongs to the value of a parameter that takes one, and ends no segment")
    func escapedSlash() async throws {
        try await withServer { (server: Harness) async throws in
            #expect(try await server.ask("GET", "/v1/names/lake%2Fhome").json?["name"] == .string("lake/home"))
            for path in ["/v1/names/lake/home", "/v1%2Fnames/lake", "/v1/names%2Flake", "/v1/words/lake%2Fhome"] {
                #expect(try await server.ask("GET", path).status == 404, "\(path)")
            }
            #expect(try await server.ask("GET", "/v1/words/lake").status == 204)
        }
    }

    @Test("a thousand damaged requests never give a 5xx, and the server stays up (F1)")
    func damaged() async throws {
        try await withServer { server in
            let seeds = [
                Harness.request(
                    "POST", "/v1/entries", headers: ["Content-Type: application/json"],
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
