import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryMedia

@Suite("Time of child processes")
struct TimeBudgetTests {
    @Test("D4: it grows with the file, and a small recording has seconds")
    func sizes() {
        let small = TimeBudget.headers(bytes: 100_000)
        let large = TimeBudget.headers(bytes: 500 << 20)

        #expect(small.cpuSeconds <= 3 && small.wallSeconds <= 30)
        #expect(large.cpuSeconds == 7 && large.wallSeconds < 60)
        #expect(TimeBudget.packets(bytes: 100_000).cpuSeconds <= 3)
        #expect(TimeBudget.packets(bytes: 500 << 20).cpuSeconds > 60)
    }

    @Test("D4: costly content meets the limit on processor time before the wall", arguments: [0.0, 1, 60, 14_400, 1e300, .nan, .infinity])
    func order(_ amount: Double) {
        let bytes = Int(exactly: amount) ?? 1 << 40
        let budgets = [
            TimeBudget.headers(bytes: bytes), .packets(bytes: bytes), .decoding(seconds: amount),
            .encoding(seconds: amount), .copying(seconds: amount),
        ]

        #expect(budgets.allSatisfy { $0.cpuSeconds >= 1 && Double($0.cpuSeconds) * 6 < $0.wallSeconds })
    }

    @Test("D4: over processor time a recording is refused for good; over the wall the machine was busy, and it is tried again")
    func treatment() {
        // SIGXCPU; ffmpeg catches it and exits with 255, or with 123 after four.
        for ending in [ChildOutcome.Ending.signaled(24), .exited(255), .exited(123)] {
            #expect(FFmpegFailure.classify(ending).treatment == .permanent)
            #expect(FFmpegFailure.classify(ending).code == .mediaLimits)
        }

        for busy in [FFmpegFailure.classify(.timedOut), FFmpegFailure.classify(.signaled(9))] {
            #expect(busy.treatment == .retry && busy.code.retryableByOwner && busy.code != .mediaLimits)
        }
    }

    @Test("D4: headers that cost too much are refused for good, at the limit of processor time")
    func costlyHeaders() async throws {
        let job = try JobFolder()
        // Each of these chunks costs ffmpeg a seek: measured 1.2 s for a million of the eight, and 3 s are allowed.
        var bytes = Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0x7F] + Array("WAVE".utf8)
        var chunks = Array("junk".utf8) + [0, 0, 0, 0]
        while chunks.count < 64 << 20 { chunks += chunks }
        bytes += chunks
        let path = try job.write(bytes, "chunks.wav")
        let probe = FFmpegProbe(sandbox: await TestSandbox.shared())
        let file = try #require(JobFile(path, in: job.path))
        let format = try #require(MediaFormat(contentType: "audio/wav"))
        var time = TimeBudget.headers(bytes: file.size)
        // Other tests may leave it a small share of a core; the limit of processor time is what is tested.
        time.wallSeconds = 600

        let outcome = try await probe.run(.headers(SoundSource(file, format), in: probe.sandbox), file.folder, time)

        let failure = FFmpegFailure.classify(outcome.ending)
        #expect(failure.treatment == .permanent)
        #expect(failure.code == .mediaLimits)
    }
}
