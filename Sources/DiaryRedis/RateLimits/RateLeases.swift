import DiaryCore
import Synchronization

/// Calls that Redis has charged in advance and that this process may still let pass (decision 0003). During a burst one request to
/// Redis charges up to eight calls; for a subject that calls rarely, or is near a limit, each call is requested by itself. No call passes
/// that was not charged, and calls not used within a second are refunded with the next request.
final class RateLeases: Sendable {
    struct Subject: Hashable {
        let name: String
        let policies: [RatePolicy]
    }

    enum Step: Equatable {
        /// One of the leased calls was used.
        case passed([RateVerdict])
        /// Request at most this many calls from Redis, and report how many calls charged before were not used.
        case ask(Int, returning: Int = 0)
    }

    private struct Lease {
        var verdicts: [RateVerdict] = []
        var left = 0
        /// Calls requested last.
        var size: Int
        var askedAt: ContinuousClock.Instant
        /// Deadline of a pending request for several calls. Until then each further call is requested by itself, or parallel calls would
        /// each lease eight.
        var pendingUntil: ContinuousClock.Instant?

        mutating func step(at now: ContinuousClock.Instant) -> Step {
            let age = now - askedAt
            if left > 0, age < RateLeases.lifetime {
                left -= 1
                return .passed(verdicts.with(left))
            }
            if let until = pendingUntil, now < until { return .ask(1) }
            let unused = left
            left = 0
            size = age < RateLeases.burst || size > 1 && age < RateLeases.lifetime ? min(size * 2, RateLeases.largest) : 1
            askedAt = now
            pendingUntil = size > 1 ? now + RateLeases.replyDeadline : nil
            return .ask(size, returning: unused)
        }
    }

    /// Two generations: the number of subjects is bounded, and active subjects stay.
    private struct Generations {
        var young: [Subject: Lease] = [:]
        var old: [Subject: Lease] = [:]
    }

    static let largest = 8
    /// A request within this time after the one before belongs to a burst.
    private static let burst = Duration.milliseconds(250)
    private static let lifetime = Duration.seconds(1)
    /// `RedisRateLimiter` waits no longer for a reply.
    static let replyDeadline = Duration.milliseconds(200)

    private let generations = Mutex(Generations())
    private let half: Int

    init(maximumSubjects: Int = 20_000) { half = max(1, maximumSubjects / 2) }

    func take(_ subject: Subject, at now: ContinuousClock.Instant = .now) -> Step {
        generations.withLock { generations in
            guard let index = index(of: subject, &generations) else {
                keep(Lease(size: 1, askedAt: now), subject, &generations)
                return .ask(1)
            }
            return generations.young.values[index].step(at: now)
        }
    }

    private func index(of subject: Subject, _ generations: inout Generations) -> Dictionary<Subject, Lease>.Index? {
        if let index = generations.young.index(forKey: subject) { return index }
        guard let lease = generations.old.removeValue(forKey: subject) else { return nil }
        keep(lease, subject, &generations)
        return generations.young.index(forKey: subject)
    }

    /// Stores the reply of Redis; the caller uses one of the `granted` calls.
    /// - Parameters:
    ///   - granted: 1 … `asked`.
    ///   - asked: the number that `take` returned.
    ///   - verdicts: with all granted calls counted as used.
    /// - Returns: the caller's verdicts, with the calls still leased counted as unused.
    func granted(_ granted: Int, of asked: Int, _ verdicts: [RateVerdict], to subject: Subject) -> [RateVerdict] {
        generations.withLock { generations in
            guard var lease = generations.young[subject] else { return verdicts }
            if asked > 1 { lease.pendingUntil = nil }
            if verdicts.allSatisfy(\.allowed) {
                lease.verdicts = verdicts
                lease.left += granted - 1
            }
            generations.young[subject] = lease
            return verdicts.with(lease.left)
        }
    }

    private func keep(_ lease: Lease, _ subject: Subject, _ generations: inout Generations) {
        if generations.young[subject] == nil, generations.young.count >= half {
            generations.old = generations.young
            generations.young = [:]
        }
        generations.young[subject] = lease
    }
}

extension [RateVerdict] {
    /// Verdicts that count all leased calls as used, corrected for those that are left.
    fileprivate func with(_ left: Int) -> [RateVerdict] {
        map { verdict in
            var verdict = verdict
            verdict.remaining += left
            return verdict
        }
    }
}
