import CLibpq
import Glibc

/// An eventfd that takes a thread out of `poll`.
final class EventDescriptor: Sendable {
    /// -1 when the process has no descriptor left; `poll` then only ends by its deadline.
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
