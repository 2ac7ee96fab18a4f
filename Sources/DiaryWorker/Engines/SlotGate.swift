package import DiaryCore
import Synchronization

/// Bounds the calls of this process: at most `EngineSettings.slots` at once for each engine, and at most half of the queue's slots for all
/// servers of an app, so that one that hangs until its time-out leaves slots to other apps (decision 0035). What the service brings along
/// itself (`local`) is bounded by the slots of its queue alone.
package struct SlotGate: EngineGate {
    /// Names an engine independently of its settings, so that a change of settings does not double its calls.
    private struct Name: Hashable {
        let app: TenantID?
        let stage: EngineStage
        let name: String

        init(_ settings: EngineSettings) { (app, stage, name) = (settings.app, settings.stage, settings.name) }
    }

    private final class Calls: Sendable {
        let counts = Mutex<[Name: (all: Int, toServers: Int)]>([:])
    }

    /// A job that waits longer gives its place in the queue to jobs of other engines.
    package static let waitSeconds = 5.0
    /// The shortest time until such a job comes back; the queue spreads them.
    static let againSeconds = 2.0
    private static let lookSeconds = 0.05

    /// Slots of the queue of each stage.
    private let slots: [EngineStage: Int]
    private let timeLimit: @Sendable () async -> Void
    private let calls = Calls()

    /// - Parameters:
    ///   - slots: of the queue of each stage; left out, an app's calls are not bounded together.
    ///   - timeLimit: returns when a call has waited long enough, or its task is cancelled.
    package init(
        slots: [EngineStage: Int] = [:], timeLimit: @escaping @Sendable () async -> Void = { await pause(SlotGate.waitSeconds) }
    ) {
        self.slots = slots
        self.timeLimit = timeLimit
    }

    package func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        guard engine.kind != .local, !take(engine) else { return }
        let isTaken = await withTaskGroup(of: Bool.self) { group in
            group.addTask { [timeLimit] in
                await timeLimit()
                return false
            }
            group.addTask {
                while !Task.isCancelled {
                    await pause(Self.lookSeconds)
                    if take(engine) { return true }
                }
                return false
            }
            var isTaken = false
            for await one in group {
                isTaken = isTaken || one
                group.cancelAll()
            }
            return isTaken
        }
        if isTaken { return }
        throw .waiting(code: .engineBusy, after: Self.againSeconds, cause: "all slots of the engine are taken")
    }

    private func take(_ engine: EngineSettings) -> Bool {
        let name = Name(engine)
        return calls.counts.withLock { counts in
            let own = counts[name] ?? (0, 0)
            guard own.all < max(1, engine.slots) else { return false }
            if engine.kind.isServer, let app = engine.app, let slots = slots[engine.stage] {
                let ofApp = counts.reduce(0) { $0 + ($1.key.app == app && $1.key.stage == engine.stage ? $1.value.toServers : 0) }
                guard ofApp < max(1, slots / 2) else { return false }
            }
            counts[name] = (own.all + 1, own.toServers + (engine.kind.isServer ? 1 : 0))
            return true
        }
    }

    package func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {
        guard engine.kind != .local else { return }
        let name = Name(engine)
        calls.counts.withLock { counts in
            let own = counts[name] ?? (0, 0)
            counts[name] = own.all > 1 ? (own.all - 1, max(0, own.toServers - (engine.kind.isServer ? 1 : 0))) : nil
        }
    }

    /// For the tests.
    func busy(_ engine: EngineSettings) -> Int { calls.counts.withLock { $0[Name(engine)]?.all ?? 0 } }
}
