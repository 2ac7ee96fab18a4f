import Glibc
import HTTPListener
import ServiceLifecycle

/// The service manager that started this process, told of its state by datagrams: sd_notify(3), in the units `Type=notify`.
/// Without `NOTIFY_SOCKET` there is none, and nothing is sent.
struct ServiceManager: Sendable {
    enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
        case alive = "WATCHDOG=1"
    }

    static let absent = ServiceManager(socket: nil, watchdog: nil)

    /// A path, or "@" and a name of Linux's abstract namespace.
    let socket: String?
    /// The manager ends this process when it has not heard of it for so long.
    let watchdog: Duration?

    /// Sends one datagram. A manager that does not take it is no reason to fail: it then waits, or ends this process, by its own rules.
    /// - Returns: false when it was not sent.
    @discardableResult
    func notify(_ state: State) -> Bool {
        guard let socket, let (address, length) = Self.address(socket) else { return false }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(state.rawValue.utf8)
        // The sign of life comes again; the other two wait where the manager's queue (512 datagrams of all services) is full.
        let flags = Int32(MSG_NOSIGNAL) | (state == .alive ? Int32(MSG_DONTWAIT) : 0)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, flags, address, length) }
            }
        } == bytes.count
    }

    /// nil for a name that is too long or of another kind (vsock).
    private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        guard bytes.count > 1, isAbstract || bytes.first == UInt8(ascii: "/") else { return nil }
        // An abstract name begins with a NUL byte and has no end but its length; a path ends with one.
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        return (address, socklen_t(start + bytes.count))
    }
}

extension ServiceManager {
    /// Reads the environment: `NOTIFY_SOCKET`, and the time of sd_watchdog_enabled(3) where it is meant for this process.
    init(_ environment: Environment) throws(SettingsError) {
        socket = try environment.text(.notifySocket)
        let isOurs = try environment.text(.watchdogProcess).map { $0 == String(getpid()) } ?? true
        let time = try environment.text(.watchdogMicroseconds).flatMap { Int64($0) } ?? 0
        watchdog = isOurs && time > 0 ? .microseconds(time) : nil
    }
}

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
