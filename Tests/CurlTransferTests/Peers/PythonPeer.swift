import Foundation
import Synchronization
import TestPrograms

/// A Python server for one test: it reports events as lines of JSON, and ends when its stdin closes.
package final class PythonPeer: Sendable {
    package enum Failure: Error { case notReady, deadline }

    /// The script's events so far.
    private final class Log: Sendable {
        private let state = Mutex((lines: [String](), rest: [UInt8]()))

        var lines: [String] { state.withLock { $0.lines } }

        func take(_ bytes: some Sequence<UInt8>) {
            state.withLock { state in
                for byte in bytes {
                    if byte == UInt8(ascii: "\n") {
                        state.lines.append(String(decoding: state.rest, as: UTF8.self))
                        state.rest = []
                    } else {
                        state.rest.append(byte)
                    }
                }
            }
        }
    }

    /// By the script's names.
    private let ports: [String: Int]
    private let log: Log
    private let program: LeashedProgram

    /// - Parameter script: a file next to this one.
    package init(_ script: String, _ arguments: [String] = []) async throws {
        let log = Log()
        let folder = URL(filePath: #filePath).deletingLastPathComponent().path
        program = try LeashedProgram(["python3", "-u", folder + "/" + script] + arguments) { log.take($0) }
        self.log = log
        let deadline = ContinuousClock.now + .seconds(60)
        while log.lines.isEmpty {
            guard program.isRunning, ContinuousClock.now < deadline else { throw Failure.notReady }
            try await Task.sleep(for: .milliseconds(10))
        }
        ports = Self.parsed(log.lines[0]).compactMapValues { $0 as? Int }
    }

    package func port(_ name: String) -> Int { ports[name] ?? 0 }

    /// Returns when all events that the script has reported are in `events`.
    package func settle() async throws {
        let count = events("mark").count
        try program.write(line: "")
        try await wait(for: "mark", count: count + 1)
    }

    /// The events of one kind so far, in order.
    package func events(_ name: String) -> [[String: Any]] {
        log.lines.map(Self.parsed).filter { $0["event"] as? String == name }
    }

    /// Waits for this many events of a kind.
    package func wait(for name: String, count: Int = 1, within: Duration = .seconds(10)) async throws {
        let deadline = ContinuousClock.now + within
        while events(name).count < count {
            guard ContinuousClock.now < deadline else { throw Failure.deadline }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func parsed(_ line: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
}
