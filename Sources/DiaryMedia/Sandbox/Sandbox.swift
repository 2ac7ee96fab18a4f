import Glibc

/// How external programs are isolated from the service. Detected once at start, by a trial.
///
/// With user namespaces a program runs under bubblewrap and sees only a read-only `/usr`, an empty private `/tmp` and its job's
/// folder as `/job`, and no network. Without them only the resource limits apply.
package struct Sandbox: Sendable, CustomStringConvertible {
    package enum Isolation: String, Sendable {
        /// Own user, mount, process and network namespaces, plus the limits.
        case namespaces
        /// Limits, no new privileges and parent death only.
        case limitsOnly = "limits_only"
    }

    package let isolation: Isolation
    /// Words before the wrappers, by which tests trace the programs. Empty in the service.
    var observer: [String] = []

    /// - Throws: when the machine could not try.
    package static func detect() async throws(SandboxDetection.Failure) -> Sandbox { try await SandboxDetection().run() }

    /// The protections that are in effect and those that are not, for the log at start.
    package var description: String {
        let always = "limits on processor time, memory, file size, open files and wall-clock time; no new privileges; dies with the service"
        return switch isolation {
        case .namespaces:
            "full: \(always); no network, no view of other processes, read-only system, only the job's folder is visible and writable; "
                + (Sandbox.isRoot ? "" : "at most \(Sandbox.processes) processes; ")
                + "not held: system call filter, a user id apart from the service's"
                + (Sandbox.isRoot ? ", number of processes (the service runs as root)" : "")
        case .limitsOnly:
            "reduced: \(always); NOT held (user namespaces or bubblewrap are missing): network, file system and process isolation"
        }
    }

    /// The job's folder as the program sees it.
    func folder(_ folder: String) -> String {
        isolation == .namespaces ? "/job" : folder
    }

    static let processes = 64
    static let isRoot = getuid() == 0
}
