package import DiaryCore
import Synchronization

/// Charges limits by a number that only the handler knows (`Route.counted`).
package final class CallCounter: Sendable {
    let gate: RateGate
    let subject: RateSubject
    let policies: [RatePolicy]
    /// Calls that are charged, and the verdicts of the last charge.
    private let state = Mutex<(count: Int, verdicts: [RateVerdict])>((0, []))

    init(_ gate: RateGate, _ subject: RateSubject, _ policies: [RatePolicy]) {
        self.gate = gate
        self.subject = subject
        self.policies = policies
    }

    /// Charges `count` calls, or none when they do not all pass.
    package func charge(_ count: Int) async throws(DiaryError) {
        guard count > 0 else { return }
        let verdicts = await gate.charge(policies.map { $0.counting(count) }, subject)
        let refusal = RateGate.refusal(verdicts)
        state.withLock { state in
            state.verdicts = verdicts
            // A refusal has charged nothing.
            if refusal == nil { state.count += count }
        }
        if let refusal { throw refusal }
    }

    package func refund(_ count: Int) async { await refund(count, policies) }

    /// After an error: what is still charged to those of the limits that `refunded` gives.
    func refundRest(_ refunded: ([RatePolicy]) -> [RatePolicy]) async {
        let count = state.withLock { $0.count }
        await refund(count, refunded(policies))
    }

    private func refund(_ count: Int, _ policies: [RatePolicy]) async {
        guard count > 0, !policies.isEmpty else { return }
        _ = await gate.refund(policies.map { $0.counting(count) }, subject, verdicts: [])
        state.withLock { state in
            state.count -= count
            state.verdicts = state.verdicts.map { verdict in
                guard policies.contains(where: { $0.name == verdict.policy.name }) else { return verdict }
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

    /// Announces what another has charged.
    func announce(_ other: CallCounter) {
        let verdicts = other.verdicts
        state.withLock { $0.verdicts = verdicts }
    }

    /// Verdicts of the last charge, to be announced.
    var verdicts: [RateVerdict] { state.withLock { $0.verdicts } }
}
