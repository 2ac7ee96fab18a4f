import CurlTransfer
import Foundation
import TestPeers
import TestSupport
import Testing

@Suite("Streams with back-pressure", .serialized)
struct BackPressureTests {
    private static let chunk = [UInt8](repeating: 7, count: 100_000)

    /// This many chunks; counts those that were pulled.
    private func source(_ count: Int, _ asked: Counter) -> @Sendable () async throws -> [UInt8]? {
        { asked.next() <= count ? Self.chunk : nil }
    }

    @Test("a stream is sent whole, with a length and without", arguments: [true, false])
    func upload(hasLength: Bool) async throws {
        let fixtures = try await TransferFixtures()
        let asked = Counter()

        let response = try await fixtures.transfers.collect(
            TransferRequest(
                .put, fixtures.base + "/count",
                body: .stream(length: hasLength ? 20_000_000 : nil, next: source(200, asked))), maximumBytes: 100)

        #expect(String(decoding: response.body, as: UTF8.self) == "20000000")
        #expect(asked.count == (hasLength ? 200 : 201))
    }

    @Test("no chunk is pulled while the server reads nothing")
    func slowReceiver() async throws {
        let fixtures = try await TransferFixtures()
        let asked = Counter()

        // The server reads the head only: no more is pulled than fits the socket buffers.
        let task = Task {
            try await fixtures.transfers.collect(
                TransferRequest(.put, fixtures.base + "/deaf", body: .stream(length: nil, next: source(10_000, asked))), maximumBytes: 100)
        }
        try await fixtures.server.wait(for: "request")
        let pulled = try await steady { asked.count }

        #expect(pulled < 100, "of 10,000 chunks")
        task.cancel()
        await fixtures.expect(.cancelled) { _ = try await task.value }
        try await until { fixtures.transfers.runningCount == 0 }
    }

    @Test("nothing is received while the caller does not read, and the thread sleeps meanwhile")
    func slowReader() async throws {
        let fixtures = try await TransferFixtures(name: "curl-slowread")

        let received = try await fixtures.transfers.withResponse(TransferRequest(.get, fixtures.base + "/endless")) { head, body in
            #expect(head.status == 200)
            var chunks = body.makeAsyncIterator()
            var received = try #require(try await chunks.next()).count
            let before = ThreadTime.ticks("curl-slowread")
            let sent = try await steady { fixtures.server.events("sent").count }
            #expect(sent < 200, "of 64 KiB each")
            #expect(ThreadTime.ticks("curl-slowread") - before < 20, "hundredths of a second")
            // Reading continues at the same byte.
            while received < 5_000_000, let chunk = try await chunks.next() {
                #expect(chunk.allSatisfy { $0 == UInt8(ascii: "y") })
                received += chunk.count
            }
            return received
        }

        #expect(received >= 5_000_000)
        try await fixtures.server.wait(for: "stopped")
        // The server may hear of the end before the transfer's thread has counted it.
        try await until { fixtures.transfers.runningCount == 0 }
    }

    @Test("a stream that throws, ends early or is too long does not look complete")
    func badSources() async throws {
        struct Broken: Error {}
        let fixtures = try await TransferFixtures()
        func send(_ length: Int64?, _ next: @escaping @Sendable () async throws -> [UInt8]?) async throws {
            _ = try await fixtures.transfers.collect(
                TransferRequest(.put, fixtures.base + "/count", body: .stream(length: length, next: next)), maximumBytes: 100)
        }

        await fixtures.expect(.bodyFailed) { try await send(nil) { throw Broken() } }
        await fixtures.expect(.bodyFailed) { try await send(1_000_000, source(9, Counter())) }
        await fixtures.expect(.bodyFailed) { try await send(950_000, source(10, Counter())) }
        try await send(1_000_000, source(11, Counter()))
    }

    @Test("a response before the body was sent stops the sending")
    func earlyAnswer() async throws {
        let fixtures = try await TransferFixtures()
        let asked = Counter()

        let answer = try? await fixtures.transfers.collect(
            TransferRequest(.post, fixtures.base + "/early", body: .stream(length: nil, next: source(100_000, asked))), maximumBytes: 100)

        // The server's reset may overtake its response; either way the pulling stops.
        #expect(answer == nil || answer?.status == 413)
        #expect(asked.count < 1000)
        try await until { fixtures.transfers.runningCount == 0 }
    }

    /// The value after a quarter of a second without a change.
    private func steady(_ value: () -> Int) async throws -> Int {
        var last = value()
        var since = ContinuousClock.now
        let deadline = since + .seconds(20)
        while ContinuousClock.now < since + .milliseconds(250) || last == 0 {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(10))
            let now = value()
            if now != last { (last, since) = (now, .now) }
        }
        return last
    }
}

/// Processor time of the thread of this name, in hundredths of a second; -1 without one.
enum ThreadTime {
    static func ticks(_ name: String) -> Int {
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
            guard let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8), text.contains("(\(name))")
            else {
                continue
            }
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : -1
        }
        return -1
    }
}
