package import DiaryCore
import Synchronization

/// Charges limits by a number that only the handler knows (`Route.counted`).
package final class CallCounter: Sendable {
    let gate: RateGate
    let subject: RateSubject
    let policies: [RatePolicy]
    private let last = Mutex<[RateVerdict]>([])

    init(_ gate: RateGate, _ subject: RateSubject, _ policies: [RatePolicy]) {
        self.gate = gate
        self.subject = subject
        self.policies = policies
    }

    /// Charges `count` calls, or none when they do not all pass.
    package func charge(_ count: Int) async throws(DiaryError) {
        guard count > 0 else { return }
        let verdicts = await gate.charge(policies.map { $0.counting(count) }, subject)
        last.withLock { $0 = verdicts }
        if let refusal = RateGate.refusal(verdicts) { throw refusal }
    }

    package func refund(_ count: Int) async {
        guard count > 0 else { return }
        let verdicts = last.withLock { $0 }
        _ = await gate.refund(policies.map { $0.counting(count) }, subject, verdicts: [])
        last.withLock {
            $0 = verdicts.map { verdict in
                var verdict = verdict
                verdict.remaining += count
                return verdict
            }
        }
    }

    /// The most calls that can pass at once.
    package var most: Int {
        policies.map { if case .rate(_, _, let burst) = $0.shape { burst } else { Int.max } }.min() ?? Int.max
    }

    /// Of the last charge, to be announced.
    var verdicts: [RateVerdict] { last.withLock { $0 } }
}
