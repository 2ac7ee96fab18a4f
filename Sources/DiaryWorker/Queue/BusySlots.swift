import DiaryCore
import Synchronization

/// The running jobs of a `WorkerPool`: which of them hold a slot, and what ended ones took beyond their estimates.
///
/// A job lends its slot to another job while it waits long for a server (decision 0041).
final class BusySlots: Sendable {
    private enum Place {
        case held
        /// Lends its slot once the call has taken long.
        case calling(since: ContinuousClock.Instant)
        /// Has lent its slot during a call. It needs one again only before it runs a program of this machine.
        case lent
        /// Waits for a slot.
        case returning
    }

    private struct State {
        var places: [LeasedJob: Place] = [:]
        var began: [LeasedJob: ContinuousClock.Instant] = [:]
        /// Jobs that are done since the last one that was not quick.
        var quickEnds = 0
        /// No slot is lent before.
        var lendsFrom = ContinuousClock.now
        var charges: [QueueCharge] = []
        /// A slot has become free since the last wait.
        var hasChanged = false
        var waiter: AsyncStream<Void>.Continuation?
        /// The waiter is woken when at most this many jobs hold a slot.
        var threshold = Int.max
    }

    private struct Tally {
        var held = 0
        var heldByLong = 0
        var lent = 0
        var shortReturning = 0
        var longReturning = 0
    }

    /// What a claim may take.
    struct Vacancy: Equatable {
        var slots: Int
        /// Slots among them that long jobs may take.
        var long: Int
        /// Jobs that run without a slot.
        var lent: Int
        /// Slots beyond the queue's own that there are now.
        var quick = 0
    }

    /// Charges kept while claims fail; more would only make the statement larger.
    private static let mostCharges = 1_000
    /// Seconds between two attempts to take a slot back.
    private static let reclaimEvery = 0.5

    private let shares: SlotShares
    private let lendAfter: Duration
    private let pauseFor: Duration
    private let quickWithin: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - lendAfter: how long a call to a server takes before its job lends its slot.
    ///   - pauseFor: how long no slot is lent after `pauseLending`; left out, as long.
    ///   - quickWithin: how long a quick job takes at most. A job that waits for an engine is not quick: it would keep many others waiting
    ///     with it.
    init(
        shares: SlotShares, lendAfter: Duration = .seconds(30), pauseFor: Duration? = nil, quickWithin: Duration = .milliseconds(250)
    ) {
        self.shares = shares
        self.quickWithin = quickWithin
        self.lendAfter = lendAfter
        self.pauseFor = pauseFor ?? lendAfter
    }

    /// Jobs that hold a slot.
    var count: Int { state.withLock { tally($0).held } }

    /// Slots that a returning job waits for are not counted. Negative when more jobs hold a slot than there are slots.
    var vacancy: Vacancy {
        let (running, quick) = state.withLock { (tally($0), quickSlots($0)) }
        let long = shares.longMost - running.heldByLong
        let reserved = min(running.longReturning, max(0, long))
        return Vacancy(
            slots: shares.slots + quick - running.held - running.shortReturning - reserved, long: long - reserved, lent: running.lent,
            quick: quick)
    }

    /// Slots that there are now, those of quick jobs included.
    var slots: Int { shares.slots + state.withLock { quickSlots($0) } }

    /// Once as many jobs in a row were quick as the queue has slots, as many more as were quick, while none runs for longer.
    private func quickSlots(_ state: State) -> Int {
        guard shares.quick > 0, state.quickEnds >= shares.slots else { return 0 }
        let oldest = ContinuousClock.now - quickWithin
        return state.began.values.allSatisfy { $0 > oldest } ? min(shares.quick, state.quickEnds) : 0
    }

    func take(_ job: LeasedJob) {
        state.withLock { state in
            state.places[job] = .held
            state.began[job] = .now
        }
    }

    /// - Parameter isDone: false for a job that will run again or has failed. An engine that is down fails its jobs at once, and more slots
    ///   would only begin more of them.
    func free(_ job: LeasedJob, took elapsed: Duration, isDone: Bool = true) {
        state.withLock { state in
            state.places[job] = nil
            state.began[job] = nil
            state.quickEnds = isDone && elapsed <= quickWithin ? min(state.quickEnds + 1, max(shares.slots, shares.quick)) : 0
            state.charges.append(QueueCharge(job, took: elapsed))
            state.hasChanged = true
            if tally(state).held <= state.threshold { state.waiter?.yield() }
        }
    }

    func callBegan(_ job: LeasedJob) {
        state.withLock { state in
            if case .held? = state.places[job] { state.places[job] = .calling(since: .now) }
        }
    }

    func callEnded(_ job: LeasedJob) {
        state.withLock { state in
            guard case .calling(let since)? = state.places[job] else { return }
            state.places[job] = since + lendAfter <= ContinuousClock.now ? Place.lent : Place.held
        }
    }

    /// Called before a local program runs: a job that has lent its slot waits until it has one again. Also returns at cancellation.
    func reclaim(_ job: LeasedJob) async {
        while !takeBack(job), !Task.isCancelled { await pause(Self.reclaimEvery) }
    }

    private func takeBack(_ job: LeasedJob) -> Bool {
        state.withLock { state in
            switch state.places[job] {
            case nil, .held?, .calling?: return true
            case .lent?, .returning?: break
            }
            state.places[job] = .returning
            let running = tally(state)
            guard running.held < shares.slots, !job.isLong || running.heldByLong < shares.longMost else { return false }
            state.places[job] = .held
            return true
        }
    }

    /// A job that got a lent slot found no free slot of its engine. The next ones would probably find none either and read recordings in
    /// vain.
    func pauseLending() {
        state.withLock { state in
            let now = ContinuousClock.now
            if state.lendsFrom <= now, tally(state).lent > 0 { state.lendsFrom = now + pauseFor }
        }
    }

    private func tally(_ state: State) -> Tally {
        let now = ContinuousClock.now
        var tally = Tally()
        for (job, place) in state.places {
            switch place {
            case .calling(let since) where state.lendsFrom <= now && since + lendAfter <= now: tally.lent += 1
            case .held, .calling:
                tally.held += 1
                if job.isLong { tally.heldByLong += 1 }
            case .lent: tally.lent += 1
            case .returning:
                tally.lent += 1
                if job.isLong { tally.longReturning += 1 } else { tally.shortReturning += 1 }
            }
        }
        return tally
    }

    /// The charges since the last call.
    func takeCharges() -> [QueueCharge] {
        state.withLock { state in
            defer { state.charges = [] }
            return state.charges
        }
    }

    /// After a claim that failed.
    func putBack(_ charges: [QueueCharge]) {
        state.withLock { $0.charges = Array((charges + $0.charges).suffix(Self.mostCharges)) }
    }

    /// Returns when a slot has become free since the last call, or the task is cancelled.
    func waitForChange() async {
        await wait(threshold: .max) { $0.hasChanged }
    }

    /// Returns when no more than `most` jobs hold a slot, or the task is cancelled.
    func waitUntilRunning(atMost most: Int) async {
        await wait(threshold: most) { tally($0).held <= most }
    }

    private func wait(threshold: Int, isOver: (State) -> Bool) async {
        // A stream for each wait: one whose reader was cancelled has ended for good.
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.waiter = changed
            state.threshold = threshold
            if isOver(state) { changed.yield() }
        }
        for await _ in changes { break }
        state.withLock { $0.hasChanged = false }
    }
}
