import DiaryCore
import Testing

@testable import DiaryWorker

@Suite("The retry policy")
struct RetryPolicyTests {
    static let policy = RetryPolicy(Limits())

    @Test("waits between nothing and base times two to the number of errors, at most the cap", arguments: 0..<7)
    func bounds(errors: Int) throws {
        var ceiling = 5.0
        for _ in 0..<errors { ceiling *= 2 }

        for _ in 0..<200 {
            guard case .retry(.speechTimeout, let seconds) = Self.policy.settle(.retry(.speechTimeout, after: nil), errors: errors) else {
                Issue.record("not a retry")
                return
            }
            #expect((0...min(900, ceiling)).contains(seconds))
        }
    }

    @Test("never retries before the provider's time, and never later than a day")
    func retryAfter() {
        for (asked, least, most) in [
            (700.0, 700.0, 700.0), (1e12, 86_400.0, 86_400.0), (-3.0, 0.0, 5.0), (.infinity, 0.0, 5.0), (.nan, 0.0, 5.0),
        ] {
            guard case .retry(_, let seconds) = Self.policy.settle(.retry(.speechTimeout, after: asked), errors: 0) else {
                Issue.record("not a retry")
                continue
            }
            #expect(seconds >= least && seconds <= most)
        }
    }

    @Test("A10: a wait counts no try, however many failed before, and jobs that wait for the same moment come back spread out")
    func wait() throws {
        let waits = try (0..<200).map { _ in
            guard case .wait(.enginePaused, let seconds) = Self.policy.settle(.wait(.enginePaused, after: 600), errors: 7) else {
                throw CancellationError()
            }
            return seconds
        }

        #expect(waits.allSatisfy { (600...900).contains($0) })
        #expect(Set(waits.map { Int($0 / 60) }).count >= 4)
        for strange in [-1, .infinity, .nan] as [Double] {
            guard case .wait(_, let seconds) = Self.policy.settle(.wait(.engineBusy, after: strange), errors: 0) else {
                Issue.record("not a wait")
                continue
            }
            #expect((0...5).contains(seconds))
        }
    }

    @Test("A8: a store that is away counts no try for a day at least; its waits grow up to some minutes, and tries are counted after that")
    func outage() {
        var shortest = 0.0
        for attempt in 1...RetryPolicy.outageClaims {
            let ceiling = min(300, Self.policy.ceiling(errors: attempt - 1))
            guard
                case .wait(.storageUnavailable, let seconds) = Self.policy.settle(.outage(.storageUnavailable), errors: 7, attempt: attempt)
            else {
                Issue.record("claim \(attempt) is no wait")
                return
            }
            #expect(seconds >= ceiling && seconds <= max(ceiling + 5, ceiling * 1.5))
            shortest += ceiling
        }
        #expect(shortest >= 86_400)

        let late = RetryPolicy.outageClaims + 1
        #expect(
            Self.policy.settle(.outage(.storageUnavailable), errors: 0, attempt: late) == .retry(.storageUnavailable, afterSeconds: 900))
        #expect(Self.policy.settle(.outage(.storageUnavailable), errors: 7, attempt: late) == .discard(.storageUnavailable))
    }

    @Test("a refusal without a time is a try like another: nothing waits for an unknown time without an end")
    func refusals() {
        func outcome(_ treatment: ProviderFailure.Treatment, after: Double? = nil) -> JobOutcome {
            var failure = ProviderFailure(treatment, code: .speechUnavailable, retryAfter: after, cause: "x")
            failure.isTry = false
            return JobStop(failure).outcome
        }

        #expect(outcome(.retry, after: 60) == .wait(.speechUnavailable, after: 60))
        #expect(outcome(.configuration, after: 60) == .wait(.speechUnavailable, after: 60))
        #expect(outcome(.retry) == .retry(.speechUnavailable, after: nil))
        #expect(outcome(.configuration) == .retryLater(.speechUnavailable))
        #expect(outcome(.permanent, after: 60) == .discard(.speechUnavailable))
    }

    @Test("the last try is the last")
    func lastTry() {
        #expect(Self.policy.settle(.retry(.speechTimeout, after: 1), errors: 7) == .discard(.speechTimeout))
        #expect(Self.policy.settle(.retryLater(.speechUnavailable), errors: 7) == .discard(.speechUnavailable))
    }

    @Test("A10: a failure that needs an operator waits the longest wait")
    func configuration() {
        let stop = JobStop(ProviderFailure(.configuration, code: .speechUnavailable, cause: "401"))

        #expect(Self.policy.settle(stop.outcome, errors: 0) == .retry(.speechUnavailable, afterSeconds: 900))
    }

    @Test("A10: a provider's permanent failure is discarded at once")
    func permanent() {
        #expect(JobStop(ProviderFailure(.permanent, code: .mediaUnreadable, cause: "x")).outcome == .discard(.mediaUnreadable))
        #expect(JobStop(ProviderFailure.outage(code: .unexpected, cause: "x")).outcome == .outage(.unexpected))
    }

    @Test("A9: mail is tried for at least a day, however the waits fall")
    func mail() {
        let policy = RetryPolicy.mail(Limits())

        let shortest = (0..<policy.maxTries - 1).reduce(0.0) { $0 + policy.ceiling(errors: $1) / 2 }

        #expect(shortest >= 86_400)
        for errors in 0..<policy.maxTries - 1 {
            guard case .retry(_, let seconds) = policy.settle(.retry(.mailUnavailable, after: nil), errors: errors) else {
                Issue.record("discarded too early")
                return
            }
            #expect(seconds >= policy.ceiling(errors: errors) / 2 && seconds <= 3_600)
        }
    }

    @Test("each error of a store has its outcome")
    func storeErrors() {
        #expect(JobStop(beginning: .leaseLost) == .abandoned)
        #expect(JobStop(beginning: .ownerGone) == .abandoned)
        #expect(JobStop(finishing: .ownerGone).outcome == .discard(.gone))
        #expect(JobStop(finishing: .unavailable(DiaryError(.unavailable, retryAfter: 3))).outcome == .retry(.databaseUnavailable, after: 3))
        #expect(JobStop(DiaryError.notFound).outcome == .discard(.gone))
        for error in [ObjectStoreError.missing, .alreadyExists, .lengthMismatch, .checksumMismatch, .damaged] {
            #expect(JobStop(error).outcome == .retry(.storageUnavailable, after: nil))
        }
        for isFull in [true, false] {
            #expect(JobStop(ObjectStoreError.unavailable(full: isFull)).outcome == .outage(.storageUnavailable))
        }
    }
}
