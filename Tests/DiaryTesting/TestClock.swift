package import FoundationEssentials
import Synchronization

@testable package import DiaryCore

/// 2026-07-04 07:30 UTC until it is turned.
package final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_783_150_200))

    package init() {}

    package var now: Date { time.withLock { $0 } }
    package var wall: WallClock { WallClock { self.now } }
    package func pass(_ seconds: Double) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
