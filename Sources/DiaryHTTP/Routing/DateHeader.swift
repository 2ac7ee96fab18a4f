import DiaryCore
import FoundationEssentials
import Synchronization
import WireFormats

/// The value of the `Date` field, formatted once a second.
final class DateHeader: Sendable {
    private let clock: WallClock
    private let last = Mutex<(second: Double, text: String)>((-1, ""))

    init(_ clock: WallClock) { self.clock = clock }

    var text: String {
        let now = clock.now()
        let second = now.timeIntervalSince1970.rounded(.down)
        return last.withLock { last in
            if last.second != second { last = (second, HTTPDate.text(now)) }
            return last.text
        }
    }
}
