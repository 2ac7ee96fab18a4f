import Testing

@testable import DiaryMedia

@Suite("What a child has used of the processors", .timeLimit(.minutes(1)))
struct ChildMeterTests {
    private static func stat(_ name: String, session: Int, ticks: [Int], threads: Int) -> String {
        let times = ticks.map { "\($0)" }.joined(separator: " ")
        return "4711 (\(name)) R 1 \(session) \(session) 0 -1 4194304 9 0 0 0 \(times) 20 0 \(threads) 0 12345 18446744073709551615 0"
    }

    @Test("all processes of the session count, with those that have ended; the threads are of the one that used most")
    func reading() {
        let stats = [
            Self.stat("bwrap", session: 77, ticks: [1, 2, 0, 0], threads: 1),
            Self.stat("a) R 1 (b", session: 77, ticks: [150, 50, 30, 20], threads: 8),
            Self.stat("ffmpeg", session: 78, ticks: [9_000, 0, 0, 0], threads: 2), "", "1 (cut) R 1 77 77",
        ]

        #expect(ChildMeter.sum(stats, ofSession: 77) == ChildMeter.Reading(seconds: 2.53, threads: 8))
        #expect(ChildMeter.sum(stats, ofSession: 79) == nil)
    }

    @Test("a share is of the processors that the threads can use, and of the machine's at most")
    func shares() {
        func isQuarter(_ seconds: Double, threads: Int, cores: Int) -> Bool {
            ChildMeter.Reading(seconds: seconds, threads: threads).isShare(0.25, ofCores: cores, wallSeconds: 100)
        }

        #expect(isQuarter(25, threads: 1, cores: 8) && !isQuarter(24, threads: 1, cores: 8))
        #expect(isQuarter(100, threads: 4, cores: 8) && !isQuarter(99, threads: 4, cores: 8))
        #expect(isQuarter(50, threads: 8, cores: 2) && !isQuarter(49, threads: 8, cores: 2))
        #expect(isQuarter(25, threads: 0, cores: 0))
    }

    @Test("a program is read when its time is over", arguments: [Sandbox.Isolation.namespaces, .limitsOnly])
    func timedOut(_ isolation: Sandbox.Isolation) async throws {
        if isolation == .namespaces, await TestSandbox.shared().isolation != .namespaces { return }
        let job = try JobFolder()
        let meter = ChildMeter()
        let child = ChildProcess(
            program: "sh", arguments: ["-c", "while :; do :; done"], folder: job.path,
            limits: ChildLimits(cpuSeconds: 60, wallSeconds: 2, addressSpace: 1 << 30, fileSize: 1 << 20), meter: meter)
        #expect(meter.reading == nil)

        await #expect(throws: ChildFailure.timedOut) { try await child.run(in: Sandbox(isolation: isolation)) }

        let reading = try #require(meter.reading)
        #expect(reading.seconds > 0 && reading.threads == 1)
    }
}
