import DiaryCore
import FoundationEssentials

/// Finds out which isolation works on this machine, by trials with a program that makes a file.
package struct SandboxDetection: Sendable {
    enum Trial: Sendable {
        case works, fails
        /// The machine was too slow, or could not make a folder or a process.
        case undecided
    }

    /// The machine failed, not the sandbox. A worker that went on would have to do without one until it ends.
    package struct Failure: Error, CustomStringConvertible {
        package let description =
            "whether the sandbox works cannot be found out: each trial of bwrap took too long, or could not be begun"
    }

    /// Trials with namespaces, of which one that works is enough.
    static let tries = 3

    var pause: Duration = .seconds(2)
    var trial: @Sendable (Sandbox.Isolation) async -> Trial = Self.trial

    func run() async throws(Failure) -> Sandbox {
        var failed = 0
        for number in 0..<Self.tries {
            if number > 0 { try? await Task.sleep(for: pause) }
            switch await trial(.namespaces) {
            case .works: return Sandbox(isolation: .namespaces)
            case .fails: failed += 1
            case .undecided: break
            }
        }
        // Where the program does not run without namespaces either, they are not the cause.
        guard failed == Self.tries, await trial(.limitsOnly) == .works else { throw Failure() }
        return Sandbox(isolation: .limitsOnly)
    }

    private static func trial(_ isolation: Sandbox.Isolation) async -> Trial {
        let folder = FileManager.default.temporaryDirectory.appending(component: "sandbox-\(UUIDv7.make().lowercaseText)").path()
        let sandbox = Sandbox(isolation: isolation)
        let limits = ChildLimits(cpuSeconds: 5, wallSeconds: 10, addressSpace: 512 << 20, fileSize: 1 << 20)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return .undecided
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let child = ChildProcess(program: "touch", arguments: ["\(sandbox.folder(folder))/seen"], folder: folder, limits: limits)
        do throws(ChildFailure) {
            let isSuccess = try await child.run(in: sandbox).isSuccess
            return isSuccess && FileManager.default.fileExists(atPath: "\(folder)/seen") ? .works : .fails
        } catch {
            return error == .notStarted || error == .programMissing ? .fails : .undecided
        }
    }
}
