import CLibpq
import Glibc

/// An epoll descriptor: which of many sockets are ready.
final class ReadyList: Sendable {
    struct Event {
        let token: UInt32
        let readable: Bool
        let writable: Bool
    }

    /// -1 when the process has no descriptor left.
    private let descriptor = ready_list_descriptor()

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds the socket or changes what is watched. Safe from any thread.
    /// - Parameter once: after one event the socket is silent until it is watched again.
    /// - Returns: false when the system refuses.
    @discardableResult
    func watch(_ socket: Int32, token: UInt32, writing: Bool = false, once: Bool = false) -> Bool {
        ready_list_watch(descriptor, socket, token, writing ? 1 : 0, once ? 1 : 0) == 0
    }

    /// Call before the socket is closed.
    func forget(_ socket: Int32) {
        _ = ready_list_forget(descriptor, socket)
    }

    /// Waits until a socket is ready or the deadline passes; at most 32 sockets per call.
    func wait(until deadline: ContinuousClock.Instant, into events: inout [Event]) {
        events.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 32) { buffer in
            let count = epoll_wait(descriptor, buffer.baseAddress, 32, SocketWait.milliseconds(until: deadline))
            guard count > 0 else { return }
            for event in buffer.prefix(Int(count)) {
                let flags = event.events
                let failed = flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
                events.append(
                    Event(
                        token: event.data.u32, readable: flags & EPOLLIN.rawValue != 0 || failed,
                        writable: flags & EPOLLOUT.rawValue != 0 || failed))
            }
        }
    }
}
