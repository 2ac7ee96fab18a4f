import HTTPListener
import TestHTTPClient
import TestSupport
import Testing
import WireFormats

@Suite("How a server stops") struct StoppingTests {
    @Test("requests that arrive while the server stops are answered, with `Connection: close` (A14)")
    func lastRequests() async throws {
        try await withServer({ $0.limits.drainWait = 60 }) { server in
            let fresh = try await Wire.open(server.port)
            let kept = try await Wire.open(server.port)
            try await kept.send(Harness.request("GET", "/open"))
            #expect(try await kept.answer().header("connection") == nil)
            let half = try await Wire.open(server.port)
            try await half.send("GET /open HT")

            await server.stop()
            try await half.send("TP/1.1\r\nHost: a\r\n\r\n")
            for wire in [fresh, kept] { try await wire.send(Harness.request("GET", "/open")) }

            for wire in [fresh, kept, half] {
                let answer = try await wire.answer()
                #expect(answer.status == 200)
                #expect(answer.header("connection") == "close")
                #expect(await wire.ends(within: 20))
            }
        }
    }

    @Test("a request being answered and a body on its way are answered after the order to stop (A14)")
    func inWork() async throws {
        try await withServer { server in
            let working = try await Wire.open(server.port)
            try await working.send(Harness.request("GET", "/held/stopping"))
            try await HeldRequests.all.arrival("stopping")
            let sending = try await Wire.open(server.port)
            try await sending.send("PUT /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await sending.answer().status == 100)

            await server.stop()
            try await sending.send("abc")
            try await server.refuses()
            try await sending.send("def")
            #expect(try await sending.answer().text == "6")
            try await HeldRequests.all.release("stopping")
            let answer = try await working.answer()
            #expect(answer.status == 204)
            #expect(answer.header("connection") == "close")
        }
    }

    @Test("connections in the accept queue when the server stops are answered (A14)")
    func queue() async throws {
        for _ in 0..<10 {
            try await withServer({ $0.limits.drainWait = 60 }) { server in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    var wires: [Wire] = []
                    for _ in 0..<40 { wires.append(try await Wire.open(server.port)) }
                    await server.stop()
                    for wire in wires {
                        group.addTask {
                            try await wire.send(Harness.request("GET", "/open"))
                            let status = try await wire.answer().status
                            await wire.close()
                            return status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
            }
        }
    }

    @Test("connections without a request do not delay the stop (A14)")
    func idle() async throws {
        try await withServer({ $0.limits.drainWait = 0.2 }) { server in
            let silent = try await Wire.open(server.port)
            let kept = try await Wire.open(server.port)
            try await kept.send(Harness.request("GET", "/open"))
            #expect(try await kept.answer().status == 200)
            await server.stop()
            #expect(await silent.ends(within: 20))
            #expect(await kept.ends(within: 20))
        }
    }

    @Test("a client that has half-closed gets its whole answer, however long it takes to read it")
    func halfClosed() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port, reads: false)
            try await wire.send(Harness.request("GET", "/large", headers: ["Connection: close"]))
            try await wire.closeOutput()
            try await server.answered("/large")
            try await wire.startReading()
            #expect(try await wire.answer().body.count > 4_000_000)
            #expect(await wire.ends())
        }
    }

    @Test("a pipelined request behind the last answer does not reset it (A14)")
    func pipelined() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            await wire.push(Harness.request("GET", "/known", headers: ["Connection: close"]) + String(repeating: "x", count: 100_000))
            #expect(try await wire.answer().body.count == 300_000)
            #expect(await wire.ends())
        }
    }
}

extension Harness {
    /// Waits until connections to the port are refused.
    fileprivate func refuses() async throws {
        try await until(within: .seconds(20)) {
            guard let wire = try? await Wire.open(port) else { return true }
            await wire.close()
            return false
        }
    }
}
