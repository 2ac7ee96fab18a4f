import Foundation
import Synchronization

/// Counts calls and notes how far the process's resident memory grows after the first few.
final class Meter: Sendable {
    private struct State {
        var calls = 0
        var start = 0
        var peak = 0
    }

    private let state = Mutex(State())

    /// The number of calls before this one.
    func count() -> Int {
        state.withLock { state in
            if state.calls % 64 == 0, let resident = Self.resident() {
                if state.calls == 256 { state.start = resident }
                state.peak = max(state.peak, resident)
            }
            defer { state.calls += 1 }
            return state.calls
        }
    }

    var growth: Int { state.withLock { $0.peak - $0.start } }

    private static func resident() -> Int? {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return fields?.dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }
}
