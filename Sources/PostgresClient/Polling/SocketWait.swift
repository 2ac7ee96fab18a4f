import CLibpq
import Glibc

/// The reason a wait ended.
struct SocketWait {
    var readable = false
    var writable = false
    var woken = false
    var timedOut: Bool { !readable && !writable && !woken }

    /// Waits for the socket, the wake-up (which it drains) or the deadline. Socket -1 waits for the other two only.
    static func wait(
        socket: Int32, reading: Bool = true, writing: Bool = false, wakeup: EventDescriptor, until deadline: ContinuousClock.Instant?
    ) -> SocketWait {
        var descriptors = (
            pollfd(fd: socket, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        )
        let count = withUnsafeMutablePointer(to: &descriptors) { pointer in
            pointer.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, milliseconds(until: deadline)) }
        }
        var result = SocketWait()
        // An interrupted wait counts as woken: the caller checks its state and waits again.
        guard count >= 0 else {
            result.woken = true
            return result
        }
        let failed = Int32(descriptors.0.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
        result.readable = Int32(descriptors.0.revents) & POLLIN != 0 || failed
        result.writable = Int32(descriptors.0.revents) & POLLOUT != 0 || failed
        if descriptors.1.revents != 0 {
            result.woken = true
            wakeup.drain()
        }
        return result
    }

    /// The socket has data, or is closed. Does not wait.
    static func isReadable(_ socket: Int32) -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Rounded up, so that a wait never ends before its deadline.
    static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline - .now
        guard left > .zero else { return 0 }
        guard left < .seconds(3_600) else { return 3_600_000 }
        let (seconds, attoseconds) = left.components
        return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
