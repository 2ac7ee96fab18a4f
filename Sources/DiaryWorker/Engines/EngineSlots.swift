import DiaryCore
import Synchronization

/// The calls of this process that each engine has under way, and those that wait for one of them to end: first come, first served.
final class EngineSlots: Sendable {
    /// An engine, whatever its settings: a change of them does not double its calls.
    struct Name: Hashable {
        let app: TenantID?
        let stage: EngineStage
        let name: String

        init(_ settings: EngineSettings) { (app, stage, name) = (settings.app, settings.stage, settings.name) }
    }

    /// A waiting call.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
        /// Ends with the first value.
        let granted: AsyncStream<Void>

        static func == (one: Ticket, other: Ticket) -> Bool { one.number == other.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    private struct Engine {
        var busy = 0
        var slots = 1
        var waiting: [(number: UInt64, grant: AsyncStream<Void>.Continuation)] = []
    }

    private struct State {
        var engines: [Name: Engine] = [:]
        var tickets: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Returns: nil when a slot was free and is taken.
    func take(_ name: Name, of slots: Int) -> Ticket? {
        state.withLock { state in
            var engine = state.engines[name] ?? Engine()
            engine.slots = max(1, slots)
            defer { state.engines[name] = engine }
            // Those that wait come first, also where there are more slots since.
            Self.grant(&engine)
            guard engine.busy >= engine.slots || !engine.waiting.isEmpty else {
                engine.busy += 1
                return nil
            }
            state.tickets += 1
            let (granted, grant) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            engine.waiting.append((state.tickets, grant))
            return Ticket(number: state.tickets, granted: granted)
        }
    }

    /// Stops waiting.
    /// - Returns: whether a slot was given before.
    func leave(_ ticket: Ticket, _ name: Name) -> Bool {
        state.withLock { state in
            guard let place = state.engines[name]?.waiting.firstIndex(where: { $0.number == ticket.number }) else { return true }
            state.engines[name]?.waiting.remove(at: place).grant.finish()
            return false
        }
    }

    func free(_ name: Name) {
        state.withLock { state in
            guard var engine = state.engines[name] else { return }
            engine.busy = max(0, engine.busy - 1)
            Self.grant(&engine)
            state.engines[name] = engine.busy == 0 && engine.waiting.isEmpty ? nil : engine
        }
    }

    func waiting(_ name: Name) -> Int { state.withLock { $0.engines[name]?.waiting.count ?? 0 } }
    func busy(_ name: Name) -> Int { state.withLock { $0.engines[name]?.busy ?? 0 } }

    private static func grant(_ engine: inout Engine) {
        while engine.busy < engine.slots, !engine.waiting.isEmpty {
            engine.busy += 1
            engine.waiting.removeFirst().grant.finish()
        }
    }
}
