import DiaryCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DiaryMedia

@Suite("The sandbox", .serialized)
struct SandboxTests {
    let job: JobFolder

    init() throws { job = try JobFolder() }

    private func run(_ script: String, wall: Double = 300, output: Int = 1 << 20, sandbox: Sandbox? = nil) async throws -> ChildOutcome {
        let limits = ChildLimits(cpuSeconds: 2, wallSeconds: wall, addressSpace: 1 << 30, fileSize: 1 << 20, output: output)
        let shared = await TestSandbox.shared()
        return try await ChildProcess(program: "sh", arguments: ["-c", script], folder: job.path, limits: limits).run(in: sandbox ?? shared)
    }

    private func text(_ outcome: ChildOutcome) -> String { String(decoding: outcome.standardOutput, as: UTF8.self) }

    @Test("describes the restrictions in force")
    func description() async {
        let sandbox = await TestSandbox.shared()

        #expect(sandbox.description.contains(sandbox.isolation == .namespaces ? "no network" : "NOT held"))
        #expect(Sandbox(isolation: .limitsOnly).description.contains("NOT held"))
    }

    @Test("D4: bwrap is asked for nothing that systemd's ProtectHostname or @system-service refuses")
    func hostname() {
        let limits = ChildLimits(cpuSeconds: 2, wallSeconds: 300, addressSpace: 1 << 30, fileSize: 1 << 20)
        let child = ChildProcess(program: "true", arguments: [], folder: job.path, limits: limits)

        let words = Sandbox(isolation: .namespaces).command(child)

        #expect(words.contains("/usr/bin/bwrap") && !words.contains("--hostname"))
    }

    @Test("returns output and exit code, and drops standard error")
    func output() async throws {
        let outcome = try await run("echo heard; echo secret >&2; exit 7")

        #expect(text(outcome) == "heard\n")
        #expect(outcome.ending == .exited(7))
    }

    @Test("D4: the program sees its folder, nothing of the service's environment and no other process")
    func view() async throws {
        guard await TestSandbox.shared().isolation == .namespaces else { return }
        let outside = try JobFolder()
        try outside.write("canary-outside", "canary")
        try job.write("inside", "mine")

        let outcome = try await run(
            "ls /job; cat \(outside.path)/canary; cat /etc/passwd; env; ls /proc; touch /usr/seen /seen; ls /seen /usr/seen")

        #expect(text(outcome).hasPrefix("mine\n"))
        #expect(!text(outcome).contains("canary"))
        #expect(!text(outcome).contains("root:"))
        #expect(!text(outcome).contains("seen"))
        #expect(!text(outcome).contains("SWIFT"))
    }

    @Test("D4: there is no network but an empty loopback")
    func network() async throws {
        guard await TestSandbox.shared().isolation == .namespaces else { return }

        let outcome = try await run("python3 -c 'import socket; print([name for _, name in socket.if_nameindex()])'")

        #expect(text(outcome) == "['lo']\n")
    }

    @Test("processor time, file size and processes are limited")
    func limits() async throws {
        let spinning = try await run("while :; do :; done")
        let writing = try await run("head -c 3000000 /dev/zero > big")

        #expect(spinning.ending == .signaled(24))
        #expect(!writing.isSuccess)
        #expect(try job.read("big").count <= 1 << 20)
        if await TestSandbox.shared().isolation == .namespaces, !Sandbox.isRoot {
            let forking = try await run("i=0; while [ $i -lt 100 ]; do sleep 5 & i=$((i+1)); done; echo all")
            #expect(!text(forking).contains("all"))
        }
    }

    @Test("D4: a program gets memory up to its limit and no more")
    func memory() async throws {
        let half = try await run("python3 -c 'bytearray(512 << 20); print(1)'")
        let twice = try await run("python3 -c 'bytearray(2 << 30); print(1)'")

        #expect(text(half) == "1\n")
        #expect(text(twice).isEmpty && twice.ending == .exited(1))
    }

    @Test("too much output ends the child")
    func tooMuchOutput() async throws {
        await #expect(throws: ChildFailure.outputTooLarge) { try await run("yes", output: 4096) }
    }

    @Test("a missing program is distinguished from a failing one")
    func missing() async throws {
        let limits = ChildLimits(cpuSeconds: 2, wallSeconds: 300, addressSpace: 1 << 30, fileSize: 1 << 20)
        let child = ChildProcess(program: "no-such-program", arguments: [], folder: job.path, limits: limits)
        let sandbox = await TestSandbox.shared()

        await #expect(throws: ChildFailure.programMissing) { try await child.run(in: sandbox) }
    }

    @Test("a missing folder is a failure to start, not a bad recording")
    func missingFolder() async throws {
        let limits = ChildLimits(cpuSeconds: 2, wallSeconds: 300, addressSpace: 1 << 30, fileSize: 1 << 20)
        let child = ChildProcess(program: "true", arguments: [], folder: job.path + "/gone", limits: limits)
        let sandbox = await TestSandbox.shared()

        await #expect(throws: ChildFailure.notSpawned) { try await child.run(in: sandbox) }
    }

    @Test("the wall clock kills the whole group", arguments: [Sandbox.Isolation.namespaces, .limitsOnly])
    func timeout(_ isolation: Sandbox.Isolation) async throws {
        if isolation == .namespaces, await TestSandbox.shared().isolation != .namespaces { return }
        let mark = "\(Int.random(in: 20_000...90_000)).25"
        let begin = ContinuousClock.now

        await #expect(throws: ChildFailure.timedOut) {
            try await run("sleep \(mark) & sleep \(mark)", wall: 1, sandbox: Sandbox(isolation: isolation))
        }

        #expect(ContinuousClock.now - begin < .seconds(10))
        #expect(await isGone(mark))
    }

    @Test("a cancelled task leaves no child", arguments: [Sandbox.Isolation.namespaces, .limitsOnly])
    func cancellation(_ isolation: Sandbox.Isolation) async throws {
        if isolation == .namespaces, await TestSandbox.shared().isolation != .namespaces { return }
        let mark = "\(Int.random(in: 20_000...90_000)).75"
        let task = Task { try await run("sleep \(mark) & sleep \(mark)", wall: 60, sandbox: Sandbox(isolation: isolation)) }
        try #require(await eventually(within: .seconds(15)) { isRunning(mark) })

        task.cancel()

        await #expect(throws: ChildFailure.cancelled) { try await task.value }
        #expect(await isGone(mark))
    }

    @Test(
        "a program that runs longer than its grace gives way, with all processes of its session",
        arguments: [Sandbox.Isolation.namespaces, .limitsOnly])
    func priority(_ isolation: Sandbox.Isolation) async throws {
        if isolation == .namespaces, await TestSandbox.shared().isolation != .namespaces { return }
        let limits = ChildLimits(cpuSeconds: 2, wallSeconds: 60, addressSpace: 1 << 30, fileSize: 1 << 20)
        let mark = "\(Int.random(in: 20_000...90_000)).5"
        let child = ChildProcess(
            program: "sh", arguments: ["-c", "nice > began; (sleep \(mark)); true"], folder: job.path, limits: limits,
            priority: ChildPriority(grace: 0.5))
        let task = Task { try await child.run(in: Sandbox(isolation: isolation)) }

        let gaveWay = await eventually(within: .seconds(15)) {
            guard let process = processes(with: "sleep", mark).first else { return false }
            let group = try? String(contentsOfFile: "/proc/\(process)/autogroup", encoding: .utf8)
            return getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process)) == ChildPriority.value(ChildPriority().last)
                && (group.map { $0.hasSuffix("nice \(ChildPriority().last)\n") } ?? true)
        }

        task.cancel()
        _ = await task.result
        #expect(gaveWay)
        #expect(
            String(decoding: try job.read("began"), as: UTF8.self)
                == "\(ChildPriority.value(ChildPriority.first))\n")
    }

    private func isGone(_ mark: String) async -> Bool { await eventually(within: .seconds(15)) { !isRunning(mark) } }

    private func isRunning(_ mark: String) -> Bool { !processes(with: "", mark).isEmpty }

    /// Those whose command line begins so and holds the mark.
    private func processes(with start: String, _ mark: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int($0) }.filter { process in
            guard let line = try? Samples.bytes("/proc/\(process)/cmdline") else { return false }
            return line.starts(with: start.utf8) && line.holds(mark)
        }
    }
}
