import CMalloc

/// How glibc keeps freed memory. By default it raises its threshold for returning blocks to 32 MiB after the first password hash
/// (19 MiB), and keeps the memory of pages of entries: 120 MB resident after load instead of 45 (docs/performance.md).
enum ProcessMemory {
    /// Call it before there are threads: memory allocated earlier is not affected.
    static func configure() {
        // Blocks of hashes and of exports return to the system at once; those of pages of entries stay in the heap for reuse.
        _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        _ = mallopt(M_TRIM_THRESHOLD, 8 << 20)
        // Each arena keeps free memory of its own, and each thread of the database would get one.
        _ = mallopt(M_ARENA_MAX, 4)
    }
}
