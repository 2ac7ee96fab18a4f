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
