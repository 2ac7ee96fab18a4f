import CMalloc
import FoundationEssentials
import ServiceLifecycle

/// Returns freed memory to the system after load. glibc by itself returns only the end of its heap, and thousands of closed connections
/// leave holes all over it (docs/performance.md).
struct MemoryTrimmer: Service {
    /// Unused bytes from which trimming is worth its pause.
    private static let worthwhile = 48 << 20

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(10))
                let heap = mallinfo2()
                // mallinfo2 counts returned bytes as free, too, so compare with resident memory.
                if Self.resident() > Int(heap.uordblks) + Int(heap.hblkhd) + Self.worthwhile { malloc_trim(0) }
            }
        }
    }

    /// Resident bytes of this process without shared ones (`statm` of proc(5)).
    private static func resident() -> Int {
        let text = FileManager.default.contents(atPath: "/proc/self/statm").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let pages = text.split(separator: " ").map { Int($0) ?? 0 }
        return pages.count > 2 ? (pages[1] - pages[2]) * 4096 : 0
    }
}

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
