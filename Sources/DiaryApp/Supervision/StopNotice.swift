import ServiceLifecycle

/// Tells the service manager that this process stops. Last of its services, and so the first that hears of it.
struct StopNotice: Service {
    let manager: ServiceManager
    /// Also says at its start that the process is ready; the API says so when it listens.
    var saysReady = false

    func run() async throws {
        if saysReady { manager.notify(.ready) }
        do { try await gracefulShutdown() } catch { return }
        manager.notify(.stopping)
    }
}
