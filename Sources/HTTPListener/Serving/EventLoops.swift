import NIOCore
import NIOPosix

/// The event loops that every connection of this process shares.
package enum EventLoops {
    /// Returns when each of them has run a task. While one is blocked it does not return.
    package static func answer() async {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
    }
}
