import HTTPListener
import TestHTTPClient
import Testing

@Suite("Which connection is closed when there are too many") struct ConnectionTests {
    @Test("over the cap a new connection gets in, and the one longest without progress is closed (F4)")
    func cap() async throws {
        try await withServer({ $0.limits.connections = 3 }) { server in
            let silent = try await Wire.open(server.port)
            try await server.sees(waiting: 1)
            let slow = try await Wire.open(server.port)
            try await slow.send("GET /open HTTP/1.1\r\nHost: a\r\nX-")
            try await server.sees(waiting: 2)
            let kept = try await Wire.open(server.port)
            try await kept.send(Harness.request("GET", "/open"))
            #expect(try await kept.answer().status == 200)

            #expect(try await server.keep().answer().status == 200)
            #expect(await silent.ends())
            #expect(try await server.keep().answer().status == 200)
            #expect(await slow.ends())

            try await kept.send(Harness.request("GET", "/open"))
            #expect(try await kept.answer().status == 200)
        }
    }

    @Test("a connection whose request is being answered is never evicted: new ones wait (F4)")
    func inWork() async throws {
        try await withServer({ $0.limits.connections = 2 }) { server in
            var working: [Wire] = []
            for key in ["first", "second"] {
                let wire = try await Wire.open(server.port)
                try await wire.send(Harness.request("GET", "/held/\(key)"))
                try await HeldRequests.all.arrival(key)
                working.append(wire)
            }
            let late = try await Wire.open(server.port)
            try await late.send(Harness.request("GET", "/held/late"))

            try await HeldRequests.all.release("first")
            #expect(try await working[0].answer().status == 204)
            try await HeldRequests.all.release("late")
            #expect(try await late.answer().status == 204)
            try await HeldRequests.all.release("second")
            #expect(try await working[1].answer().status == 204)
        }
    }

    @Test("over the cap of an address one of its own connections is closed (F4)")
    func perAddress() async throws {
        try await withServer({ $0.limits.connectionsPerAddress = 2 }) { server in
            // One after the other: the connection longest without progress is the one answered first, not the one opened first.
            let other = try await server.keep(from: "127.0.0.2")
            #expect(try await other.answer().status == 200)
            let first = try await server.keep()
            #expect(try await first.answer().status == 200)
            let second = try await server.keep()
            #expect(try await second.answer().status == 200)
            let third = try await Wire.open(server.port)
            #expect(await first.ends())
            for wire in [other, second, third] {
                try await wire.send(Harness.request("GET", "/open"))
                #expect(try await wire.answer().status == 200)
            }
        }
    }

    @Test("connections of a trusted proxy are not counted by address (F4)")
    func proxy() async throws {
        try await withServer({
            $0.limits.connectionsPerAddress = 1
            $0.trustedProxies = TrustedProxies(["127.0.0.1"]) ?? .none
        }) { server in
            var wires: [Wire] = []
            for _ in 0..<5 {
                let wire = try await server.keep()
                #expect(try await wire.answer().status == 200)
                wires.append(wire)
            }
            for wire in wires {
                try await wire.send(Harness.request("GET", "/open"))
                #expect(try await wire.answer().status == 200)
            }
        }
    }

    @Test("many connections of one address push out their own, not the one of another address that has waited longest (F4)")
    func manyFromOneAddress() async throws {
        try await withServer({ $0.limits.connections = 10 }) { server in
            let longest = try await server.keep()
            #expect(try await longest.answer().status == 200)
            var many: [Wire] = []
            for _ in 0..<20 {
                let wire = try await server.keep(from: "127.0.0.2")
                #expect(try await wire.answer().status == 200)
                many.append(wire)
            }
            #expect(await many[0].ends())
            try await longest.send(Harness.request("GET", "/open"))
            #expect(try await longest.answer().status == 200)
        }
    }

    @Test("an answer that is not taken is cut, also the last one of a connection (F4)", arguments: ["keep-alive", "close"])
    func slowRead(connection: String) async throws {
        try await withServer({ $0.limits.writeStall = 0.3 }) { server in
            for path in ["/large", "/endless"] {
                let wire = try await Wire.open(server.port, reads: false)
                try await wire.send(Harness.request("GET", path, headers: ["Connection: \(connection)"]))
                // A client that does not read is not notified of the close; it sees it once it reads.
                try await Task.sleep(for: .seconds(3))
                try await wire.startReading()
                #expect(await wire.ends())
                #expect(await wire.rest.count < 4_000_000)
            }
        }
    }

    @Test("a client that reads slowly but steadily gets its whole answer")
    func steadyRead() async throws {
        try await withServer({ $0.limits.writeStall = 4 }) { server in
            let wire = try await Wire.open(server.port, reads: false)
            try await wire.send(Harness.request("GET", "/large"))
            let reading = Task { while !Task.isCancelled { await wire.readOnce(); try await Task.sleep(for: .milliseconds(100)) } }
            #expect(try await wire.answer().body.count > 4_000_000)
            reading.cancel()
        }
    }

    @Test("answers that wait for their clients hold a bounded amount of memory together (F4)")
    func answersInMemory() async throws {
        try await withServer({ $0.limits.answerBytes = 9_000_000 }) { server in
            var wires: [Wire] = []
            for _ in 0..<4 {
                let wire = try await Wire.open(server.port, reads: false)
                try await wire.send(Harness.request("GET", "/large"))
                wires.append(wire)
                try await server.answered("/large", times: wires.count)
            }
            for wire in wires { try await wire.startReading() }
            var cut = 0
            for wire in wires { do { _ = try await wire.answer() } catch { cut += 1 } }
            #expect((1...3).contains(cut))
        }
    }
}

extension Harness {
    /// Sends a request on a connection that stays open.
    fileprivate func keep(from address: String = "127.0.0.1") async throws -> Wire {
        let wire = try await Wire.open(port, from: address)
        try await wire.send(Self.request("GET", "/open"))
        return wire
    }
}
