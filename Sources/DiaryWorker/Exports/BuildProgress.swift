import DiaryCore
import Synchronization

/// The progress of one export's build, written to the database every few seconds.
final class BuildProgress: Sendable {
    private struct Done {
        var entries = 0
        var bytes: Int64 = 0
        /// Of the part that is being built, from 0 to 1.
        var fraction = 0.0
        var part = ExportPlan.Part()
    }

    /// Between two writes.
    static let seconds = 3.0

    private let total: (entries: Int, bytes: Int64)
    private let done: Mutex<Done>
    /// When this try began, and what it found done.
    private let began = ContinuousClock.now
    private let beganBytes: Int64

    /// - Parameter finished: parts of earlier tries.
    init(_ parts: [ExportPlan.Part], finished: [ExportPlan.Part]) {
        total = parts.reduce((0, 0)) { ($0.0 + $1.entries, $0.1 + $1.bytes) }
        let before = finished.reduce(into: Done()) {
            $0.entries += $1.entries
            $0.bytes += $1.bytes
        }
        beganBytes = before.bytes
        done = Mutex(before)
    }

    func begin(_ part: ExportPlan.Part) {
        done.withLock {
            $0.part = part
            $0.fraction = 0
        }
    }

    /// - Parameter fraction: of the part that was begun last, from 0 to 1.
    func report(_ fraction: Double) { done.withLock { $0.fraction = min(max(fraction, 0), 1) } }

    func end() {
        done.withLock {
            $0.entries += $0.part.entries
            $0.bytes += $0.part.bytes
            $0.part = ExportPlan.Part()
            $0.fraction = 0
        }
    }

    var now: ExportProgress {
        let (entries, bytes) = done.withLock { done in
            (
                done.entries + Int(Double(done.part.entries) * done.fraction),
                done.bytes + Int64(Double(done.part.bytes) * done.fraction)
            )
        }
        let elapsed = began.duration(to: .now) / .seconds(1)
        let speed = elapsed > 0 ? Double(bytes - beganBytes) / elapsed : 0
        let left = speed > 0 ? Double(total.bytes - bytes) / speed : nil
        return ExportProgress(
            entries: min(entries, total.entries), entriesTotal: total.entries, bytes: min(bytes, total.bytes), bytesTotal: total.bytes,
            estimatedSeconds: left.map { Int(min($0.rounded(.up), 1e9)) })
    }
}
