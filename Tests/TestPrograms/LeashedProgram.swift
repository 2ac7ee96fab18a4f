import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// A program that runs beside tests until its standard input closes: when `letGo` is called, when this object goes, or when this
/// process ends, however that ends.
package final class LeashedProgram: Sendable {
    /// nil once it is closed.
    private let leash: Mutex<FileDescriptor?>
    private let life: Task<Void, any Error>
    private let running: Running

    /// A line for a program that is gone is an error of that line, not the end of all tests.
    private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    private final class Running: Sendable {
        let value = Mutex(true)
    }

    /// - Parameter onOutput: given what it writes to standard output, in order. Standard error goes to ours.
    package init(_ words: [String], onOutput: @escaping @Sendable ([UInt8]) -> Void = { _ in }) throws {
        _ = Self.ignoresBrokenPipes
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        let running = Running()
        self.running = running
        leash = Mutex(pipe.writeEnd)
        life = Task {
            defer { running.value.withLock { $0 = false } }
            _ = try await Subprocess.run(
                TestProgram.configuration(words), input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                output: .sequence, error: .currentStandardError
            ) { execution in
                for try await bytes in execution.standardOutput {
                    onOutput(bytes.withUnsafeBytes { Array($0) })
                }
            }
        }
    }

    deinit { letGo() }

    package var isRunning: Bool { running.value.withLock { $0 } }

    /// Writes a line to its standard input. Does nothing once it is let go.
    package func write(line: String) throws {
        _ = try leash.withLock { try $0?.writeAll((line + "\n").utf8) }
    }

    /// Closes its standard input.
    package func letGo() {
        leash.withLock { leash in
            try? leash?.close()
            leash = nil
        }
    }

    /// Returns when it is gone; throws when it could not be started.
    package func ended() async throws { try await life.value }
}
