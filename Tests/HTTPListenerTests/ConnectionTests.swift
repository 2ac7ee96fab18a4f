import DiaryHTTP
import Testing

@Suite("Whose connection stays when there are too many") struct ConnectionTests {
    @Test("over the cap a incoming gets in, and the one longest without progress goes (F4)")
    func cap() async throws {
        try await withServer({ $0.limits.connections = 3 }) { server in
            let silent = try await Wire.open(server.port)
            try await server.sees(waiting: 1)
            let slow = try await Wire.open(server.port)
            try await slow.send("GET /v1/open HTTP/1.1\r\nHost: a\r\nX-")
            try await server.sees(waiting: 2)
            let kept = try await Wire.open(server.port)
            try await kept.send(Harness.request("GET", "/v1/open"))
            #expect(try await kept.answer().status == 200)

            #expect(try await server.keep().answer().status == 200)
            #expect(await silent.ends())
            #expect(try await server.keep().answer().status == 200)
            #expect(await slow.ends())

            try await kept.send(Harness.request("GET", "/v1/open"))
            #expect(try await kept.answer().status == 200)
        }
    }

    @Test("a request in work is never closed to make room: incomings wait (F4)")
    func inWork() async throws {
        try await withServer({ $0.limits.connections = 2 }) { server in
            var working: [Wire] = []
            for key in ["first", "second"] {
                let wire = try await Wire.open(server.port)
                try await wire.send(Harness.request("GET", "/v1/held/\(key)"))
                try await Held.all.arrival(key)
                working.append(wire)
            }
            let late = try await Wire.open(server.port)
            try await late.send(Harness.request("GET", "/v1/held/late"))

            try await Held.all.release("first")
            #expect(try await working[0].answer().status == 204)
            try await Held.all.release("late")
            #expect(try await late.answer().status == 204)
            try await Held.all.release("second")
            #expect(try await working[1].answer().status == 204)
        }
    }

    @Test("one address does not get more than its share, and pays for it itself (F4)")
    func perAddress() async throws {
        try await withServer({ $0.limits.connectionsPerAddress = 2 }) { server in
            // One after the other: who has been longest without progress is whoever was answered first, not whoever came first.
            let other = try await server.keep(from: "127.0.0.2")
            #expect(try await other.answer().status == 200)
            let first = try await server.keep()
            #expect(try await first.answer().status == 200)
            let second = try await server.keep()
            #expect(try await second.answer().status == 200)
            let third = try await Wire.open(server.port)
            #expect(await first.ends())
            for wire in [other, second, third] {
                try await wire.send(Harness.request("GET", "/v1/open"))
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
                try await wire.send(Harness.request("GET", "/v1/open"))
                #expect(try await wire.answer().status == 200)
            }
        }
    }

    @Test("a crowd from one address pushes out its own, not the one that has waited longest elsewhere (F4)")
    func crowd() async throws {
        try await withServer({ $0.limits.connections = 10 }) { server in
            let longest = try await server.keep()
            #expect(try await longest.answer().status == 200)
            var crowd: [Wire] = []
            for _ in 0..<20 {
                let wire = try await server.keep(from: "127.0.0.2")
                #expect(try await wire.answer().status == 200)
                crowd.append(wire)
            }
            #expect(await crowd[0].ends())
            try await longest.send(Harness.request("GET", "/v1/open"))
            #expect(try await longest.answer().status == 200)
        }
    }

    @Test("an answer that is not taken is cut, also the last one of a connection (F4)", arguments: ["keep-alive", "close"])
    func slowRead(connection: String) async throws {
        try await withServer({ $0.limits.writeStall = 0.3 }) { server in
            for path in ["/v1/large", "/v1/endless"] {
                let wire = try await Wire.open(server.port, reads: false)
                try await wire.send(Harness.request("GET", path, headers: ["Connection: \(connection)"]))
                // Nobody tells a client that does not read; what it finds afterwards does.
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
            try await wire.send(Harness.request("GET", "/v1/large"))
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
                try await wire.send(Harness.request("GET", "/v1/large"))
                wires.append(wire)
                try await server.logged("/v1/large", times: wires.count)
            }
            for wire in wires { try await wire.startReading() }
            var cut = 0
            for wire in wires { do { _ = try await wire.answer() } catch { cut += 1 } }
            #expect((1...3).contains(cut))
        }
    }
}

extension Harness {
    /// A request on a connection that stays open.
    fileprivate func keep(from address: String = "127.0.0.1") async throws -> Wire {
        let wire = try await Wire.open(port, from: address)
        try await wire.send(Self.request("GET", "/v1/open"))
        return wire
    }
}
