import Subprocess
import SystemPackage

/// One run of an external program in a job's folder.
struct ChildProcess: Sendable {
    /// A name in `/usr/bin` or `/bin`, or an absolute path.
    var program: String
    var arguments: [String]
    /// The job's own folder, the only one that the program may write to.
    var folder: String
    /// Files and folders outside `/usr` that the program may read. Absolute paths; those that do not exist are left out.
    var readable: [String] = []
    var limits: ChildLimits
    var priority = ChildPriority()
    /// Read when the wall-clock limit is over.
    var meter: ChildMeter?

    /// Runs to the end. Standard error is discarded: it holds paths and the recording's metadata.
    ///
    /// Cancelling the task kills the process group at once, and so does the wall-clock limit.
    func run(in sandbox: Sandbox) async throws(ChildFailure) -> ChildOutcome {
        var (outcome, output) = try await run(in: sandbox, into: [UInt8]()) { $0 += $1 }
        outcome.standardOutput = output
        return outcome
    }

    /// The same, and passes standard output on piece by piece, so that none of it stays in memory.
    func run<Value: Sendable>(
        in sandbox: Sandbox, into start: Value, _ take: @escaping @Sendable (inout Value, [UInt8]) -> Void
    ) async throws(ChildFailure) -> (outcome: ChildOutcome, value: Value) {
        let command = sandbox.command(self)
        let ended = try await race(within: limits.wallSeconds * sandbox.patience) { await streamed(command, start, take) }
        return (ended.outcome, ended.value)
    }

    private func race<Value: Sendable>(
        within seconds: Double, _ work: @escaping @Sendable () async -> Result<Value, ChildFailure>
    ) async throws(ChildFailure) -> Value {
        let race = await withTaskGroup(of: Result<Value, ChildFailure>?.self) { group in
            group.addTask { await work() }
            group.addTask {
                // The child ended first or the caller cancelled.
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return nil }
                meter?.timedOut()
                return Result<Value, ChildFailure>.failure(.timedOut)
            }
            var first: Result<Value, ChildFailure>?
            while first == nil, let next = await group.next() {
                first = next
            }
            group.cancelAll()
            return first ?? .failure(.cancelled)
        }
        return try race.get()
    }

    private struct Streamed<Value: Sendable>: Sendable {
        var outcome: ChildOutcome
        var value: Value
    }

    /// Ends the reading; the child ends by its broken pipe.
    private struct OutputTooLarge: Error {}

    private func streamed<Value: Sendable>(
        _ command: [String], _ start: Value, _ take: @escaping @Sendable (inout Value, [UInt8]) -> Void
    ) async -> Result<Streamed<Value>, ChildFailure> {
        let most = limits.output
        do {
            let record = try await Subprocess.run(
                .path(FilePath(command.first ?? "")),
                arguments: Arguments(Array(command.dropFirst())),
                environment: Self.environment,
                workingDirectory: FilePath(folder),
                platformOptions: Self.options,
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                // Ends with the output: the process is waited for only afterwards, so its number is still its own.
                async let _: Void = priority.apply(toSession: execution.processIdentifier.value)
                meter?.began(execution.processIdentifier.value)
                var (value, head, count) = (start, [UInt8](), 0)
                for try await buffer in execution.standardOutput {
                    // A copy; the library has no other way to the bytes without its Foundation trait.
                    var bytes = unsafe buffer.withUnsafeBytes { unsafe Array($0) }
                    count += bytes.count
                    if count > most { throw OutputTooLarge() }
                    if head.count < Sandbox.marker.count {
                        let missing = Sandbox.marker.count - head.count
                        head += bytes.prefix(missing)
                        bytes.removeFirst(min(missing, bytes.count))
                    }
                    if !bytes.isEmpty { take(&value, bytes) }
                }
                return (value, head)
            }
            let (value, head) = record.closureResult
            return outcome(record.terminationStatus, head).map { Streamed(outcome: $0, value: value) }
        } catch {
            if Task.isCancelled { return .failure(.cancelled) }
            return .failure(error is OutputTooLarge ? .outputTooLarge : .notSpawned)
        }
    }

    private static let environment = Subprocess.Environment.custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])

    private static var options: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
        return options
    }

    private func outcome(_ status: TerminationStatus, _ output: [UInt8]) -> Result<ChildOutcome, ChildFailure> {
        if Task.isCancelled { return .failure(.cancelled) }
        guard output.starts(with: Sandbox.marker) else { return .failure(.notStarted) }
        let ending: ChildOutcome.Ending =
            switch status {
            case .signaled(let signal): .signaled(Int(signal))
            case .exited(let code) where code > 128 && code < 192: .signaled(Int(code) - 128)
            case .exited(let code): .exited(Int(code))
            }
        // The shell's codes for a command that it cannot find or execute.
        if ending == .exited(127) || ending == .exited(126) { return .failure(.programMissing) }
        return .success(ChildOutcome(ending: ending, standardOutput: Array(output.dropFirst(Sandbox.marker.count))))
    }
}

/// Resources of a child process; the kernel or a timer kills it beyond them.
struct ChildLimits: Sendable {
    /// Seconds of processor time, of all its threads together.
    var cpuSeconds: Int
    /// Seconds from start to end; then the process group is killed.
    var wallSeconds: Double
    /// Bytes of address space (RLIMIT_AS) of each process.
    var addressSpace: Int
    /// Largest file it may write, in bytes.
    var fileSize: Int
    var openFiles: Int = 64
    /// Bytes of standard output; more kills the child.
    var output: Int = 16 * 1024 * 1024
}

extension ChildLimits {
    init(_ time: TimeBudget, addressSpace: Int, fileSize: Int, output: Int = 16 * 1024 * 1024) {
        self.init(
            cpuSeconds: time.cpuSeconds, wallSeconds: time.wallSeconds, addressSpace: addressSpace, fileSize: fileSize, output: output)
    }
}
