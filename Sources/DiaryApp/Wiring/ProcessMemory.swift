import CMalloc

/// How glibc keeps freed memory. Left alone it raises its own threshold for giving blocks back to 32 MiB after the first password hash
/// (19 MiB), and keeps what pages of entries once took: 120 MB resident after load instead of 45 (docs/performance.md).
enum ProcessMemory {
    /// Call it before there are threads: what was taken earlier stays as it was.
    static func configure() {
        // Hashes and whole exports' buffers go back to the system at once; pages of entries stay in the heap for the next.
        _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        _ = mallopt(M_TRIM_THRESHOLD, 8 << 20)
        // Each arena keeps its own leftovers, and the database's threads would get one each.
        _ = mallopt(M_ARENA_MAX, 4)
    }
}
