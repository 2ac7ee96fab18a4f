import DiaryCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryMedia

/// The kinds of `Tests/blackbox/hostile_media.py`: each sixteenth, and all with `DIARY_TIMES=1`.
@Suite("Hostile media: kinds", .serialized)
struct HostileKindsTests {
    @Test(
        "D4, D5: each hostile kind is refused for good or accepted, in 30 s and 512 MiB, without a socket or a file from outside",
        .timeLimit(.minutes(30)))
    func kinds() async throws {
        let outside = try JobFolder()
        try outside.write(String(repeating: HostileTrial.canary + " ", count: 4000), "canary")
        let job = try JobFolder()
        let observed = try await ObservedSandbox()
        let trial = HostileTrial(sandbox: observed.sandbox, longest: 1000)
        let every = repetitions(full: 1, fast: 16)
        let kinds = try await MediaScript.run("hostile_media.py", [job.path, "\(outside.path)/canary", "\(every)"], in: job)
        #expect(kinds.count >= repetitions(full: 300, fast: 20))

        for kind in kinds {
            let (name, contentType) = (kind[0], kind[1])
            let failure = try await trial.run(job, name, contentType)

            #expect(failure == nil || failure?.treatment == .permanent, "\(name): \(failure?.description ?? "")")
            if kind[2] == "refused" { #expect(failure != nil, "\(name)") }
            try observed.expectConfined(name)
            try job.empty(keeping: Set(kinds.map { $0[0] }).subtracting([name]))
        }
    }

    @Test("D4: a socket, a file from outside and memory are seen by what observes these runs")
    func observer() async throws {
        let job = try JobFolder()
        let observed = try await ObservedSandbox()
        let limits = ChildLimits(cpuSeconds: 10, wallSeconds: 60, addressSpace: 1 << 30, fileSize: 1 << 20)

        for source in ["tcp://127.0.0.1:9", "/outside"] {
            let child = ChildProcess(
                program: "ffmpeg", arguments: ["-loglevel", "quiet", "-nostdin", "-i", source], folder: job.path, limits: limits)
            _ = try await child.run(in: observed.sandbox)
        }
        let notes = try observed.notes()

        #expect(notes.count == 2 && notes.allSatisfy { $0.memory > 16 << 20 })
        #expect(notes.first?.sockets ?? 1 > 0)
        #expect(notes.last?.opened?.contains("/outside") ?? true)
    }
}
