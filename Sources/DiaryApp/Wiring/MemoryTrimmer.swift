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
