import FoundationEssentials
import Glibc
import ServiceLifecycle
import TestSupport
import Testing

@testable import DiaryApp

@Suite("The service manager", .timeLimit(.minutes(1)))
struct ServiceManagerTests {
    @Test("a state arrives as one datagram, at a path and at an abstract name", arguments: [false, true])
    func datagrams(isAbstract: Bool) throws {
        let manager = try ListeningManager(isAbstract: isAbstract)
        let told = try ServiceManager(Environment(["NOTIFY_SOCKET": manager.name]))

        #expect(told.notify(.ready) && told.notify(.alive) && told.notify(.stopping))

        #expect(manager.received() == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
    }

    @Test("without a manager, with one that is gone, and by a name that cannot be, nothing is sent and nothing fails")
    func noServiceManager() throws {
        let names = [nil, "", "relative", "vsock:2:1234", "/nowhere/notify", "@absent-\(UUID())", "/" + String(repeating: "a", count: 200)]

        for name in names {
            #expect(try !ServiceManager(Environment(["NOTIFY_SOCKET": name ?? ""])).notify(.ready), "\(name ?? "none")")
        }
        #expect(!ServiceManager.absent.notify(.ready))
    }

    @Test("the watchdog's time counts when it is meant for this process")
    func watchdogTime() throws {
        func time(_ values: [String: String]) throws -> Duration? { try ServiceManager(Environment(values)).watchdog }

        #expect(try time(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(try time(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": String(getpid())]) == .seconds(30))
        #expect(try time(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
        #expect(try time(["WATCHDOG_USEC": "0"]) == nil)
        #expect(try time(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(try time([:]) == nil)
    }

    @Test("a working process notifies repeatedly; one whose loops are blocked does not")
    func watchdog() async throws {
        let manager = try ListeningManager(isAbstract: true)
        let told = ServiceManager(socket: manager.name, watchdog: .milliseconds(2))
        let isBlocked = Shared(true)
        let probes = Counter()
        let running = Task {
            try await Watchdog(manager: told) {
                guard probes.next() == 4 else { return }
                while isBlocked.now { await Task.yield() }
            }.run()
        }

        // The fourth probe does not return, so nothing follows the three signs of life before it.
        try await until { probes.count == 4 }
        #expect(manager.received() == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])

        isBlocked.set(false)
        try await until { manager.received().contains("WATCHDOG=1") }
        running.cancel()
        try await running.value
    }

    @Test("the event loops of a process that works answer")
    func loops() async throws {
        let manager = try ListeningManager(isAbstract: true)
        let running = Task { try await Watchdog(manager: ServiceManager(socket: manager.name, watchdog: .milliseconds(10))).run() }

        try await until { manager.received().contains("WATCHDOG=1") }

        running.cancel()
        try await running.value
    }

    @Test("a group of services says that it is ready and, before any other service stops, that it stops")
    func stopping() async throws {
        let manager = try ListeningManager(isAbstract: false)
        let told = ServiceManager(socket: manager.name, watchdog: nil)
        let heard = Shared<[String]>([])
        let group = ServiceGroup(
            services: [Watchdog(manager: told), AtStop { heard.set(manager.received()) }, StopNotice(manager: told, saysReady: true)],
            logger: .quiet)
        let running = Task { try await group.run() }
        try await until { manager.received() == ["READY=1"] }

        await group.triggerGracefulShutdown()
        try await running.value

        #expect(heard.now == ["STOPPING=1"])
    }
}

/// Does something when it is told to stop.
private struct AtStop: Service {
    let act: @Sendable () -> Void

    func run() async throws {
        try await gracefulShutdown()
        act()
    }
}

/// A datagram socket, as a service manager's.
private final class ListeningManager: Sendable {
    let name: String
    private let descriptor: Int32

    init(isAbstract: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appending(component: "notify-\(UUID())").path
        name = isAbstract ? "@" + path : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = isAbstract ? [0] + Array(path.utf8) : Array(path.utf8) + [0]
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        close(descriptor)
        if !name.hasPrefix("@") { unlink(name) }
    }

    /// What has arrived since the last call.
    func received() -> [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count >= 0 {
            all.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return all
    }
}
