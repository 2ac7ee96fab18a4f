import BlockingCalls
import Foundation
import Testing

@Suite("Named thread", .timeLimit(.minutes(1)))
struct NamedThreadTests {
    @Test("a thread shows its name, cut to 15 bytes, and leaves all signals but faults to other threads")
    func nameAndSignals() async throws {
        let status = await withCheckedContinuation { continuation in
            let isRunning = NamedThread.start("blocking-calls-test") {
                continuation.resume(returning: try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8))
            }
            if !isRunning { continuation.resume(returning: nil) }
        }

        let fields = try #require(status).split(separator: "\n").map { $0.split(separator: ":\t") }
        func field(_ name: Substring) throws -> Substring { try #require(fields.first { $0.first == name }?.last) }
        let blocked = try #require(UInt64(try field("SigBlk"), radix: 16))
        #expect(try field("Name") == "blocking-calls-")
        #expect(blocked & bit(SIGPIPE) != 0)
        #expect(blocked & bit(SIGTERM) != 0)
        #expect(blocked & bit(SIGSEGV) == 0)
    }

    private func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }
}
