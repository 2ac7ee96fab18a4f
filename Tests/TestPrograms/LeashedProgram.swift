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

    private final class Running: Sendable {
        let value = Mutex(true)
    }

    /// - Parameter onOutput: given what it writes to standard output, in order. Standard error goes to ours.
    package init(_ words: [String], onOutput: @escaping @Sendable ([UInt8]) -> Void = { _ in }) throws {
        // Sockets, whose writers can do without SIGPIPE: a line for a program that is gone is an error of that line.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { throw Errno(rawValue: errno) }
        let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let running = Running()
        self.running = running
        leash = Mutex(ours)
        life = Task {
            defer { running.value.withLock { $0 = false } }
            _ = try await Subprocess.run(
                TestProgram.configuration(words), input: .fileDescriptor(theirs, closeAfterSpawningProcess: true),
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
        let bytes = Array((line + "\n").utf8)
        try leash.withLock { leash in
            guard let leash else { return }
            guard send(leash.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Errno(rawValue: errno) }
        }
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
