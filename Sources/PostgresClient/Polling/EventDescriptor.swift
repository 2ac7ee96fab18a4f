import CLibpq
import Glibc

/// An eventfd that wakes a thread from `poll` or `epoll_wait`.
final class EventDescriptor: Sendable {
    /// -1 when the process has no descriptor left; a wait then ends only at its deadline.
    let descriptor: Int32

    init() {
        descriptor = wakeup_descriptor()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
