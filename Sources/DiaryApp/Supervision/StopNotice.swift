import ServiceLifecycle

/// Tells the service manager that this process stops. The last of its services, since a graceful shutdown begins with the last.
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
