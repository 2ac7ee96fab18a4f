import DiaryCore
import Synchronization

/// Calls that Redis has charged already and that this process may still let pass. A client in the middle of a burst asks Redis once for up to eight calls
/// (decision 0019); somebody who calls now and then, and everybody near a limit, asks for each. Nothing passes that was not charged, and what is not used
/// within a second is given back with the next question.
final class RateLeases: Sendable {
    struct Subject: Hashable {
        let name: String
        let policies: [RatePolicy]
    }

    enum Step: Equatable {
        /// One of the calls at hand was used.
        case passed([RateVerdict])
        /// Redis must be asked, for so many calls at most, and told how many of those charged before were not used.
        case ask(Int, returning: Int = 0)
    }

    private struct Lease {
        var verdicts: [RateVerdict] = []
        var left = 0
        /// Asked for last.
        var size: Int
        var askedAt: ContinuousClock.Instant
        /// Until when a question for several calls is on its way: beside it each call is asked for by itself, or parallel calls would each take eight.
        var awaitedUntil: ContinuousClock.Instant?

        mutating func step(at now: ContinuousClock.Instant) -> Step {
            let age = now - askedAt
            if left > 0, age < RateLeases.life {
                left -= 1
                return .passed(verdicts.with(left))
            }
            if let until = awaitedUntil, now < until { return .ask(1) }
            let unused = left
            left = 0
            size = age < RateLeases.burst || size > 1 && age < RateLeases.life ? min(size * 2, RateLeases.largest) : 1
            askedAt = now
            awaitedUntil = size > 1 ? now + RateLeases.patience : nil
            return .ask(size, returning: unused)
        }
    }

    /// Two generations, so that the number of subjects is bounded and those who call stay.
    private struct Generations {
        var young: [Subject: Lease] = [:]
        var old: [Subject: Lease] = [:]
    }

    static let largest = 8
    /// Whoever asked within this time before is in a burst.
    private static let burst = Duration.milliseconds(250)
    private static let life = Duration.seconds(1)
    /// No answer comes later (`RedisRateLimiter`).
    static let patience = Duration.milliseconds(200)

    private let generations = Mutex(Generations())
    private let half: Int

    init(maximumSubjects: Int = 20_000) { half = max(1, maximumSubjects / 2) }

    func take(_ subject: Subject, at now: ContinuousClock.Instant = .now) -> Step {
        generations.withLock { generations in
            guard let place = place(of: subject, &generations) else {
                keep(Lease(size: 1, askedAt: now), subject, &generations)
                return .ask(1)
            }
            return generations.young.values[place].step(at: now)
        }
    }

    private func place(of subject: Subject, _ generations: inout Generations) -> Dictionary<Subject, Lease>.Index? {
        if let place = generations.young.index(forKey: subject) { return place }
        guard let lease = generations.old.removeValue(forKey: subject) else { return nil }
        keep(lease, subject, &generations)
        return generations.young.index(forKey: subject)
    }

    /// What Redis said; the caller uses one of the `granted` calls.
    /// - Parameters:
    ///   - granted: 1 … `asked`.
    ///   - asked: what `take` said.
    ///   - verdicts: as they are when all the granted calls are used.
    /// - Returns: as they are for the caller.
    func granted(_ granted: Int, of asked: Int, _ verdicts: [RateVerdict], to subject: Subject) -> [RateVerdict] {
        generations.withLock { generations in
            guard var lease = generations.young[subject] else { return verdicts }
            if asked > 1 { lease.awaitedUntil = nil }
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

    var subjectCount: Int { generations.withLock { $0.young.count + $0.old.count } }
}

extension [RateVerdict] {
    /// As they are while so many of the calls are left that they count as used.
    fileprivate func with(_ left: Int) -> [RateVerdict] {
        map { verdict in
            var verdict = verdict
            verdict.remaining += left
            return verdict
        }
    }
}
