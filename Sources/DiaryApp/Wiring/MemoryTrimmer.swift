import CMalloc
import FoundationEssentials
import ServiceLifecycle

/// Gives back what a rush has left behind. By itself glibc gives back only the end of its heap, and thousands of connections that are gone leave holes
/// everywhere (docs/performance.md).
struct MemoryTrimmer: Service {
    /// Bytes that must lie unused before it is worth the pause.
    private static let worthwhile = 48 << 20

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(10))
                let heap = mallinfo2()
                // Free bytes that were given back still count as free: what is resident tells.
                if Self.resident() > Int(heap.uordblks) + Int(heap.hblkhd) + Self.worthwhile { malloc_trim(0) }
            }
        }
    }

    /// Bytes in memory that are this process' own (`statm` of proc(5)).
    private static func resident() -> Int {
        let text = FileManager.default.contents(atPath: "/proc/self/statm").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let pages = text.split(separator: " ").map { Int($0) ?? 0 }
        return pages.count > 2 ? (pages[1] - pages[2]) * 4096 : 0
    }
}
