import FoundationEssentials
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
    /// Times as long as their wall-clock limits say, tests let programs run: beside others one has little of a core. 1 in the service.
    var patience: Double = 1

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

extension Sandbox {
    /// Written by the innermost shell before it executes the program. Output without it means that a wrapper failed, which
    /// would otherwise look like an exit code of the program.
    static let marker: [UInt8] = [0x0A]

    /// The whole command line, wrappers first; element 0 is an absolute path.
    ///
    /// `setpriv` sets the parent-death signal, which the kernel sends when the *thread* that started the child ends, not the
    /// process. It is safe here because swift-subprocess starts every child from one worker thread that exists until exit
    /// (its Thread.swift); a pool thread would not be safe.
    func command(_ child: ChildProcess) -> [String] {
        let limits = child.limits
        var words = observer
        words += [
            "/usr/bin/setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--",
            "/usr/bin/prlimit",
            // The soft limit sends SIGXCPU each second, which distinguishes it from other kills; the hard limit sends SIGKILL. ffmpeg
            // ends itself at the fourth.
            "--cpu=\(limits.cpuSeconds):\(limits.cpuSeconds + 5)", "--as=\(limits.addressSpace)", "--fsize=\(limits.fileSize)",
            "--nofile=\(limits.openFiles)", "--core=0", "--",
        ]
        words += ["/usr/bin/nice", "-n", "\(ChildPriority.first)"]
        if isolation == .namespaces {
            words += bubblewrap(child.folder, readable: child.readable)
            // Counted per user namespace. Outside of it the limit would count all processes of the service's user. The kernel
            // exempts user id 0 of the host.
            words += ["/usr/bin/prlimit", "--nproc=\(Sandbox.processes)", "--"]
        }
        words += ["/bin/sh", "-c", #"echo; exec "$@""#, "sh", child.program]
        return words + child.arguments
    }

    private func bubblewrap(_ folder: String, readable: [String]) -> [String] {
        var words = [
            // No --new-session: the child is started in a session of its own without a terminal, and `ChildPriority` knows it by that.
            "/usr/bin/bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--clearenv",
            // As root the service keeps its user id outside the namespace but has no capability there. Its job folders belong
            // to it, under a parent that no other user may enter.
            // No --hostname: systemd's ProtectHostname and its @system-service filter refuse sethostname(2), and bwrap then ends.
            "--cap-drop", "ALL", "--uid", "65534", "--gid", "65534",
            "--ro-bind", "/usr", "/usr",
        ]
        for name in ["bin", "lib", "lib64"] {
            let isMerged = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/\(name)")) != nil
            words += isMerged ? ["--symlink", "usr/\(name)", "/\(name)"] : ["--ro-bind-try", "/\(name)", "/\(name)"]
        }
        for path in readable { words += ["--ro-bind-try", path, path] }
        return words + [
            // Debian links BLAS, which ffmpeg needs, through alternatives.
            "--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
            "--dev", "/dev", "--size", "67108864", "--tmpfs", "/tmp", "--bind", folder, "/job", "--chdir", "/job",
            // The new root is a file system in memory; no program needs to write there.
            "--remount-ro", "/", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LC_ALL", "C.UTF-8", "--",
        ]
    }
}
