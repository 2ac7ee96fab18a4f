package import DiaryCore
import Logging
import ServiceLifecycle

/// Does the registered sweeps (`DiarySweeps`) in rounds, and rescues expired leases. Every worker has one.
///
/// Leases are rescued by a loop of their own, so that neither a backlog nor a store that does not answer holds them up. The sweeps share rounds:
/// each does a bounded piece, and ends when the store does not answer (decision 0010).
package struct Sweeper: Service {
    let queue: any JobQueue
    let marks: any SweepMarks
    let store: any SweepStore
    var sweeps: [Sweep]
    let jobSignals: any JobSignals
    let limits: Limits
    let logger: Logger

    /// Leases that are rescued in a round.
    static let leases = 1_000
    /// The time without a sweep after which a restore of the database may have gone unnoticed. Raised for long sweep intervals.
    static let awaySeconds = 600.0

    package init(queue: any JobQueue, marks: any SweepMarks, registered: DiarySweeps) {
        self.queue = queue
        self.marks = marks
        store = registered.store
        sweeps = registered.all
        jobSignals = registered.jobSignals
        limits = registered.limits
        logger = registered.logger
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { loops in
            loops.addTask { await rescueLeases() }
            loops.addTask { await sweepInRounds() }
        }
    }

    private func rescueLeases() async {
        while !isStopping {
            await step("leases") { try await rescue() }
            await pauseBetweenRounds()
        }
    }

    private func sweepInRounds() async {
        var begun: [Sweep.Period: ContinuousClock.Instant] = [:]
        var isFirst = true
        while !isStopping {
            let isNoted = await noteSweep(isFirst: isFirst)
            if isNoted { isFirst = false }
            let due = Sweep.Period.allCases.filter { period in
                begun[period].map { $0.duration(to: .now) >= .seconds(period.seconds) } ?? true
            }
            for period in due { begun[period] = .now }
            await sweep(beginning: due, isCompared: isNoted)
            await pauseBetweenRounds()
        }
    }

    private func pauseBetweenRounds() async {
        let wait = limits.sweepSeconds * Double.random(in: 0.75...1.25)
        await cancelWhenGracefulShutdown { await pause(wait) }
    }

    private var isStopping: Bool { DiarySweeps.isStopping }

    /// Counts this sweep in the database and beside the objects. A difference shows that an older database was restored.
    /// - Returns: false when one of the two is unavailable.
    func noteSweep(isFirst: Bool) async -> Bool {
        var isNoted = false
        await step("mark") {
            let away = max(Self.awaySeconds, 3 * limits.sweepSeconds)
            let noted = try await store.noteSweep(stored: try await marks.number(), isFirst: isFirst, awaySeconds: away)
            switch noted.finding {
            case nil: break
            case .restored: logger.error("database restored: new sync epoch, objects of the lost time are kept")
            case .unobserved: logger.notice("no sweep for a while: objects of that time are kept")
            }
            try await marks.write(noted.number)
            isNoted = true
        }
        return isNoted
    }

    /// A round. After a sweep that the store did not answer, it leaves out the other sweeps that need the store.
    /// - Parameters:
    ///   - periods: whose sweeps begin; others go on.
    ///   - isCompared: the database and the objects by their marks.
    func sweep(beginning periods: [Sweep.Period], isCompared: Bool) async {
        var isStoreDown = false
        for sweep in sweeps {
            if periods.contains(sweep.period) { sweep.begin() }
            guard sweep.need == .database || !isStoreDown, sweep.need != .comparedObjects || isCompared else { continue }
            let error = await step(sweep.name) {
                for _ in 0..<sweep.batches {
                    guard !isStopping, try await sweep.batch() else { return }
                }
            }
            if case .unavailable? = error as? ObjectStoreError { isStoreDown = true }
        }
    }

    private func rescue() async throws {
        let kinds = try await queue.rescue(limit: Self.leases, maxCrashes: limits.maxCrashes)
        guard !kinds.isEmpty else { return }
        logger.notice("expired leases rescued", metadata: ["jobs": .stringConvertible(kinds.count)])
        for kind in kinds { jobSignals.jobCommitted(kind) }
    }

    /// - Returns: why it failed.
    @discardableResult
    private func step(_ name: String, _ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            if !isStopping {
                logger.warning(
                    "sweep step failed", metadata: ["step": "\(name)", "cause": "\(JobStop(any: error).cause ?? "work store")"])
            }
            return error
        }
    }
}
