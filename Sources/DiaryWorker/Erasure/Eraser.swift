package import DiaryCore
import FoundationEssentials
package import Logging
import ServiceLifecycle

/// Carries deletions out: first the key, which makes everything unreadable at once, also in backups; then objects, rows and the rate
/// limiter's counts (decision 0022). Every step is idempotent, so that a worker may crash anywhere.
package struct Eraser: Service {
    let store: any DeletionStore
    let keys: DataKeys
    let objects: any ObjectStore
    let rates: any RateForgetting
    let serviceKeys: ServiceKeys
    let limits: Limits
    let logger: Logger

    /// Deletions at once: a large diary must not delay the others.
    static let atOnce = 4
    static let batch = 1_000

    package init(
        store: any DeletionStore, keys: DataKeys, objects: any ObjectStore, rates: any RateForgetting, serviceKeys: ServiceKeys,
        limits: Limits, logger: Logger
    ) {
        self.store = store
        self.keys = keys
        self.objects = objects
        self.rates = rates
        self.serviceKeys = serviceKeys
        self.limits = limits
        self.logger = logger
    }

    package func run() async throws {
        while !isStopping {
            if await eraseWaiting() > 0 { continue }
            let wait = limits.pollSeconds
            await cancelWhenGracefulShutdown { await pause(wait) }
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// Carries out what waits, and what is requested meanwhile: the key of the next account does not wait for the objects of this one.
    /// - Returns: how many deletions were claimed.
    func eraseWaiting() async -> Int {
        enum Ended {
            case deletion(DeletionID)
            case pause
        }
        return await withTaskGroup(of: Ended.self) { group in
            var claimed = 0
            var running = Set<DeletionID>()
            var isPausing = false
            while true {
                for deletion in await claim(besides: running) {
                    group.addTask {
                        await carryOut(deletion)
                        return .deletion(deletion.id)
                    }
                    running.insert(deletion.id)
                    claimed += 1
                }
                guard !running.isEmpty else { break }
                if !isPausing, !Task.isCancelled {
                    isPausing = true
                    group.addTask {
                        await pause(limits.pollSeconds)
                        return .pause
                    }
                }
                switch await group.next() {
                case .deletion(let id): running.remove(id)
                case .pause, nil: isPausing = false
                }
            }
            group.cancelAll()
            return claimed
        }
    }

    private func claim(besides running: Set<DeletionID>) async -> [LeasedDeletion] {
        guard running.count < Self.atOnce, !isStopping else { return [] }
        do throws(WorkError) {
            return try await store.claim(limit: Self.atOnce - running.count, besides: running, leaseSeconds: limits.leaseSeconds)
        } catch {
            logger.warning("no deletions claimed", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func carryOut(_ deletion: LeasedDeletion) async {
        do {
            try await erase(deletion)
        } catch WorkError.leaseLost {
            logger.notice("deletion taken over", metadata: ["deletion": "\(deletion.id)"])
        } catch {
            logger.warning(
                "deletion waits", metadata: ["deletion": "\(deletion.id)", "cause": "\(JobStop(any: error).cause ?? "work store")"])
            try? await store.postpone(deletion, seconds: min(30, Double(deletion.attempt)))
        }
    }

    private func erase(_ deletion: LeasedDeletion) async throws {
        let owner = try serviceKeys.subject(deletion.subjectSealed, of: deletion.id)
        var hadSessions = true
        if !deletion.isErased {
            try await destroyKey(deletion, owner)
            try await eraseObjects(deletion, owner)
            while try await store.eraseBatch(deletion, of: owner, most: Self.batch, leaseSeconds: limits.leaseSeconds) > 0 {}
            hadSessions = try await store.eraseMember(deletion, of: owner) > 0
            logger.notice("account erased", metadata: ["deletion": "\(deletion.id)"])
        }
        // A running job or an upload may have stored an object meanwhile.
        let late = try await removeAll(of: owner)
        // Without a session the limiter never counted the account, and the scan of Redis is expensive.
        if hadSessions { _ = await rates.forget(RateSubjectName.user(owner.user, key: serviceKeys.rateSubject)) }
        try await store.finishPass(deletion, lateObjects: late)
    }

    private func destroyKey(_ deletion: LeasedDeletion, _ owner: Owner) async throws {
        try Failpoint.erasureClaimed.hit()
        if !deletion.isKeyDestroyed { try await keys.destroy(of: owner) }
        try Failpoint.erasureKeyGone.hit()
        try await store.noteKeyDestroyed(deletion, leaseSeconds: limits.leaseSeconds)
    }

    private func eraseObjects(_ deletion: LeasedDeletion, _ owner: Owner) async throws {
        let found = try await objects.count(of: owner)
        try await store.noteObjects(deletion, found: found, leaseSeconds: limits.leaseSeconds)
        var half = (found + 1) / 2
        while half > 0, case let removed = try await objects.removeAll(of: owner, most: min(half, Self.batch)), removed > 0 {
            half -= removed
            try await store.noteObjects(deletion, found: found, leaseSeconds: limits.leaseSeconds)
        }
        try Failpoint.erasureHalfObjects.hit()
        while try await objects.removeAll(of: owner, most: Self.batch) > 0 {
            try await store.noteObjects(deletion, found: found, leaseSeconds: limits.leaseSeconds)
        }
    }

    private func removeAll(of owner: Owner) async throws -> Int {
        var all = 0
        while true {
            let removed = try await objects.removeAll(of: owner, most: Self.batch)
            all += removed
            if removed == 0 { return all }
        }
    }
}
