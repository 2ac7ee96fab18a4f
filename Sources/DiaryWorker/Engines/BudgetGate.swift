package import DiaryCore
import FoundationEssentials
package import Logging
import Synchronization

/// Counts what engines use, and admits a call only while it fits the app's limits (decision 0040).
///
/// What a call may use is reserved before it begins, so that calls at the same time do not pass a limit together, and replaced by what it used
/// when it has ended. A call that fails counts what was heard before it failed.
package final class BudgetGate: EngineGate {
    private let usage: any UsageStore
    private let tenants: any TenantStore
    private let clock: WallClock
    private let logger: Logger
    /// Calls under way that have reserved. Equal calls have equal reservations: whichever ends first takes one of them.
    private let reserved = Mutex<[Key: [UUID]]>([:])

    private struct Key: Hashable {
        let engine: String
        let entry: EntryID
        let audioSeconds: Double
        let characters: Int

        init(_ engine: EngineSettings, _ call: EngineCall) {
            self.engine = engine.name
            entry = call.entry
            audioSeconds = call.audioSeconds
            characters = call.characters
        }
    }

    /// Added to an engine's own time limit: for what is done around the call.
    private static let margin = 60.0
    /// Seconds until a call held by others' reservations asks again, at most: most calls use less than they reserve.
    private static let longestHold = 60.0

    package init(usage: any UsageStore, tenants: any TenantStore, clock: WallClock = .system, logger: Logger) {
        self.usage = usage
        self.tenants = tenants
        self.clock = clock
        self.logger = logger
    }

    package func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        let limits: UsageLimits
        do { limits = try await tenants.configuration(of: call.owner.tenant).usageLimits } catch { throw Self.outage }
        let amount = UsageAmount(expecting: call, of: engine)
        guard limits.apply(to: amount) else { return }
        let now = clock.now()
        let reservation = UsageReservation(id: UUID(), amount: amount, seconds: Self.longest(call, of: engine))
        let outcome: ReservationOutcome
        do { outcome = try await usage.reserve(reservation, within: limits, of: call.owner, at: now) } catch .ownerGone {
            throw ProviderFailure(.permanent, code: .gone, cause: "the account is being erased")
        } catch {
            throw Self.outage
        }
        switch outcome {
        case .reserved: reserved.withLock { $0[Key(engine, call), default: []].append(reservation.id) }
        case .tooLarge: throw ProviderFailure(.permanent, code: .budgetExceeded, cause: "one call needs more than a day's limit")
        case .usedUp(let until):
            throw .waiting(code: .budgetExceeded, after: max(1, until.timeIntervalSince(now)), cause: "the day's limit is used up")
        case .heldByOthers(let until):
            throw .waiting(
                code: .budgetExceeded, after: min(max(1, until.timeIntervalSince(now)), Self.longestHold),
                cause: "calls under way may use the rest of the day's limit")
        }
    }

    package func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {
        let reservation = reserved.withLock { reserved in
            let key = Key(engine, call)
            let id = reserved[key]?.popLast()
            if reserved[key]?.isEmpty == true { reserved[key] = nil }
            return id
        }
        var used: UsageAmount?
        switch result {
        // The parts of a long recording are counted as they are kept (`SpeechParts`).
        case .answered(let use) where engine.stage == .speech && use == EngineUse(): break
        case .answered(let use): used = UsageAmount(use, of: engine)
        // What was heard before the failure, and could not be kept.
        case .failed(let failure) where failure.use != EngineUse(): used = UsageAmount(failure.use, of: engine)
        case .failed, .notCalled: break
        }
        guard reservation != nil || used != nil else { return }
        let (usage, owner, now, amount) = (usage, call.owner, clock.now(), used)
        // Unstructured: a call that was answered is counted also when its job is cancelled.
        let failure = await Task {
            try? Failpoint.callAnswered.hit()
            do throws(WorkError) { try await usage.settle(reservation, used: amount, of: owner, at: now) } catch {
                return error as WorkError?
            }
            try? Failpoint.callCounted.hit()
            return nil
        }.value
        // The reservation counts until it expires; the sums lack what was used.
        if let failure, failure != .ownerGone {
            logger.warning("usage not written", metadata: ["engine": "\(engine.name)", "tenant": "\(owner.tenant)", "error": "\(failure)"])
        }
    }

    /// A long recording is heard in parts, one after the other, each within the engine's time limit.
    private static func longest(_ call: EngineCall, of engine: EngineSettings) -> Double {
        let part = Double(max(1, min(engine.maxSeconds ?? shortestPart, shortestPart)))
        let parts = call.audioSeconds.isFinite ? max(1, (call.audioSeconds / part).rounded(.up)) : 1
        return engine.timeLimit(audioSeconds: call.audioSeconds) + Double(engine.timeoutSeconds) * (parts - 1) + margin
    }

    /// Seconds; an engine's limit on bytes makes parts of at least this length.
    private static let shortestPart = 1_200

    private static let outage = ProviderFailure(.retry, code: .databaseUnavailable, cause: "the limits cannot be read")
}

extension UsageLimits {
    /// Whether one of the limits is on something that the call uses: a limit on cost does not stop an engine without a price.
    fileprivate func apply(to amount: UsageAmount) -> Bool {
        minutesPerDay != nil && amount.audioMilliseconds > 0 || tokensPerDay != nil && amount.tokens > 0
            || (costPerDay != nil || appCostPerDay != nil) && amount.cost > 0
    }
}
