import Subprocess
import SystemPackage

/// One run of an external program in a job's folder.
struct ChildProcess: Sendable {
    /// A name in `/usr/bin` or `/bin`.
    var program: String
    var arguments: [String]
    /// The job's own folder, the only one that the program may write to.
    var folder: String
    var limits: ChildLimits
    var niceness = 0

    /// Runs to the end. Standard error is discarded: it holds paths and the recording's metadata.
    ///
    /// Cancelling the task kills the process group at once, and so does the wall-clock limit.
    func run(in sandbox: Sandbox) async throws(ChildFailure) -> ChildOutcome {
        let command = sandbox.command(self)
        let race = await withTaskGroup(of: Result<ChildOutcome, ChildFailure>?.self) { group in
            group.addTask { await result(of: command) }
            group.addTask {
                // nil when the child ended first or the caller cancelled.
                (try? await Task.sleep(for: .seconds(limits.wallSeconds))).map { .failure(.timedOut) }
            }
            var first: Result<ChildOutcome, ChildFailure>?
            while first == nil, let next = await group.next() {
                first = next
            }
            group.cancelAll()
            return first ?? .failure(.cancelled)
        }
        return try race.get()
    }

    private func result(of command: [String]) async -> Result<ChildOutcome, ChildFailure> {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
        do {
            let record = try await Subprocess.run(
                .path(FilePath(command.first ?? "")),
                arguments: Arguments(Array(command.dropFirst())),
                environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]),
                workingDirectory: FilePath(folder),
                platformOptions: options,
                input: .none,
                output: .bytes(limit: limits.output),
                error: .discarded)
            return outcome(record.terminationStatus, record.standardOutput)
        } catch {
            if Task.isCancelled { return .failure(.cancelled) }
            let isTooLarge = (error as? SubprocessError)?.code == .outputLimitExceeded
            return .failure(isTooLarge ? .outputTooLarge : .notStarted)
        }
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
