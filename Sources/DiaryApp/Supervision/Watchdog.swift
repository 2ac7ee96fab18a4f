import HTTPListener
import ServiceLifecycle

/// Tells the service manager that this process works, for as long as it does: twice within the manager's time, after every event loop and
/// the shared pool, on which this runs, have done a step. A frozen process, or one with a blocked loop, sends nothing and is restarted.
/// An unreachable database or Redis does not count: a restarted process would not reach them either.
struct Watchdog: Service {
    let manager: ServiceManager
    /// Returns when the process has proved that it works.
    var probe: @Sendable () async -> Void = { await EventLoops.answer() }

    func run() async throws {
        guard let time = manager.watchdog else {
            try? await gracefulShutdown()
            return
        }
        try? await cancelWhenGracefulShutdown {
            while true {
                await probe()
                manager.notify(.alive)
                try await Task.sleep(for: time / 2)
            }
        }
    }
}
