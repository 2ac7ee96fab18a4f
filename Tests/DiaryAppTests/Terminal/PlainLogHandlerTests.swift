import Glibc
import Logging
import Synchronization
import Testing

@testable import DiaryApp

@Suite("Log lines at a terminal")
struct PlainLogHandlerTests {
    private static func line(_ log: (Logger) -> Void) -> String {
        let lines = Mutex<[String]>([])
        // The lines are read before this function returns.
        log(
            Logger(label: "diary") { _ in
                PlainLogHandler(
                    write: { line in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }, now: { 1_795_000_542 })
            })
        return lines.withLock { $0.joined() }
    }

    @Test("are time, level, message and values")
    func values() {
        let line = Self.line {
            $0.info("request", metadata: ["status": .stringConvertible(200), "route": "/v1/entries", "queues": ["a b", "c"], "code": ""])
        }

        #expect(line.hasSuffix("\n") && line.wholeMatch(of: /[0-9]{2}:[0-9]{2}:42  info      request  .*\n/) != nil)
        #expect(line.contains("  code=\"\"  queues=[\"a b\", c]  route=/v1/entries  status=200\n"))
        #expect(!line.contains("{\"") && !line.contains("process="))
    }

    @Test("hold no character on which a terminal acts")
    func control() {
        let line = Self.line { $0.error("bad\u{1B}[2Jname", metadata: ["agent": "a\nb\u{202E}\u{9B}2J"]) }

        #expect(line.contains("error     bad\\u{1b}[2Jname  agent=\"a\\u{a}b\\u{202e}\\u{9b}2J\"\n"))
    }
}
