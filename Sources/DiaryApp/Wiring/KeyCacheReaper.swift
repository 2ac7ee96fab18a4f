import DiaryCore
import ServiceLifecycle

/// Takes opened keys out of memory that nobody has used for a while, so that none outlives its account in a process without work.
struct KeyCacheReaper: Service {
    let caches: [DataKeys]

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(60))
                for cache in caches { cache.dropOld() }
            }
        }
    }
}
