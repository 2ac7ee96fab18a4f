import DiaryCore
import FoundationEssentials
import Synchronization

/// 2026-07-04 07:30 UTC until a test sets it.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_783_150_200))

    var now: Date { time.withLock { $0 } }
    var wall: WallClock { WallClock { self.now } }
    func pass(_ seconds: Double) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
