package import DiaryCore

/// At most `EngineSettings.slots` calls at once for each engine in one process, and to all servers together as many as their queue has
/// slots, but for the first call of an app. What the service brings along itself (`local`) is bounded by the slots of its queue alone.
///
/// A job whose call to a server takes long lends its slot to another job (`BusySlots`).
package struct SlotGate: EngineGate {
    /// A job that waits longer gives its place in the queue to jobs of other engines.
    package static let waitSeconds = 5.0
    /// The shortest time until such a job comes back; the queue spreads them.
    static let againSeconds = 2.0

    private let slots = EngineSlots()
    private let timeLimit: @Sendable () async -> Void

    /// - Parameter timeLimit: returns when a call has waited long enough, or its task is cancelled.
    package init(timeLimit: @escaping @Sendable () async -> Void = { await pause(SlotGate.waitSeconds) }) {
        self.timeLimit = timeLimit
    }

    package func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        let slot = QueueSlot.current
        let isServer = engine.kind.isServer
        // A local program may follow a server of the chain for which the job has lent its slot.
        if !isServer { await slot?.reclaim() }
        guard engine.kind != .local else { return }
        let name = EngineSlots.Name(engine)
        if let ticket = slots.take(name, of: engine.slots, places: isServer ? slot?.slots ?? Int.max : nil) {
            try await wait(ticket, name)
        }
        if isServer { slot?.callBegan() }
    }

    private func wait(_ ticket: EngineSlots.Ticket, _ name: EngineSlots.Name) async throws(ProviderFailure) {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [timeLimit] in await timeLimit() }
            // Ends with the grant, or with the task.
            group.addTask { for await _ in ticket.granted {} }
            await group.next()
            group.cancelAll()
        }
        guard slots.leave(ticket, name) else {
            QueueSlot.current?.wasRefused()
            throw .waiting(code: .engineBusy, after: Self.againSeconds, cause: "all slots of the engine are taken")
        }
    }

    package func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {
        guard engine.kind != .local else { return }
        if engine.kind.isServer { QueueSlot.current?.callEnded() }
        slots.free(EngineSlots.Name(engine), isServer: engine.kind.isServer)
    }
}
