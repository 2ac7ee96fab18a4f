/// What a child process may use before the kernel or the clock ends it.
struct ChildLimits: Sendable {
    /// Seconds of processor time, of all its threads together.
    var cpuSeconds: Int
    /// Seconds from start to end; then the whole process group is killed.
    var wallSeconds: Double
    /// Bytes of address space (RLIMIT_AS) of each process.
    var addressSpace: Int
    /// Largest file it may write, in bytes.
    var fileSize: Int
    var openFiles: Int = 64
    /// Bytes of standard output that are kept; more ends the child.
    var output: Int = 16 * 1024 * 1024
}
