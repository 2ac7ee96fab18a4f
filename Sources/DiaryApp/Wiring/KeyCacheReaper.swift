import DiaryCore
import ServiceLifecycle

/// Removes opened keys that were not used for a while from memory, so that none outlives its account in an idle process.
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
