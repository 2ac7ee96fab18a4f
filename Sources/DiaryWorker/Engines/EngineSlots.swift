import DiaryCore
import Synchronization

/// The calls of this process that each engine has under way, and those that wait for one of them to end: first come, first served.
///
/// All calls of a stage to servers share the slots of its queue (decision 0041): they are never more, but for the first call of an app.
final class EngineSlots: Sendable {
    /// Names an engine independently of its settings, so that a change of settings does not double its calls.
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

    /// An app's engines of a stage, or the process's own.
    private struct Chain: Hashable {
        let app: TenantID?
        let stage: EngineStage

        init(_ name: Name) { (app, stage) = (name.app, name.stage) }
    }

    private struct Engine {
        var busy = 0
        var slots = 1
    }

    private struct Waiting {
        let number: UInt64
        let name: Name
        let isServer: Bool
        let grant: AsyncStream<Void>.Continuation
    }

    private struct State {
        var engines: [Name: Engine] = [:]
        /// Calls to servers.
        var calls: [Chain: Int] = [:]
        /// Slots of the queue of each stage.
        var places: [EngineStage: Int] = [:]
        var waiting: [Waiting] = []
        var tickets: UInt64 = 0
    }

    /// All first calls of apps are no more than so many times the slots of the queue.
    private static let spread = 4

    private let state = Mutex(State())

    /// - Parameter places: of a call to a server: the slots of its queue. nil for programs.
    /// - Returns: nil when a slot was free and is taken.
    func take(_ name: Name, of slots: Int, places: Int? = nil) -> Ticket? {
        let isServer = places != nil
        return state.withLock { state in
            state.engines[name, default: Engine()].slots = max(1, slots)
            if let places { state.places[name.stage] = max(1, places) }
            // Waiting calls come first, also after the number of slots was raised.
            Self.grant(&state)
            if !state.waiting.contains(where: { $0.name == name }), Self.admits(name, isServer, state) {
                Self.begin(name, isServer, &state)
                return nil
            }
            state.tickets += 1
            let (granted, grant) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.waiting.append(Waiting(number: state.tickets, name: name, isServer: isServer, grant: grant))
            return Ticket(number: state.tickets, granted: granted)
        }
    }

    /// Stops waiting.
    /// - Returns: whether a slot was given before.
    func leave(_ ticket: Ticket, _ name: Name) -> Bool {
        state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.number == ticket.number }) else { return true }
            state.waiting.remove(at: place).grant.finish()
            Self.forget(name, &state)
            return false
        }
    }

    /// - Parameter isServer: as it was taken.
    func free(_ name: Name, isServer: Bool = false) {
        state.withLock { state in
            if let busy = state.engines[name]?.busy { state.engines[name]?.busy = max(0, busy - 1) }
            let chain = Chain(name)
            if isServer, let calls = state.calls[chain] { state.calls[chain] = calls > 1 ? calls - 1 : nil }
            Self.grant(&state)
            Self.forget(name, &state)
        }
    }

    private static func admits(_ name: Name, _ isServer: Bool, _ state: State) -> Bool {
        if let engine = state.engines[name], engine.busy >= engine.slots { return false }
        guard isServer, let places = state.places[name.stage] else { return true }
        let calls = state.calls.reduce(0) { $0 + ($1.key.stage == name.stage ? $1.value : 0) }
        return calls < places || state.calls[Chain(name)] == nil && calls / spread < places
    }

    private static func begin(_ name: Name, _ isServer: Bool, _ state: inout State) {
        state.engines[name, default: Engine()].busy += 1
        if isServer { state.calls[Chain(name), default: 0] += 1 }
    }

    private static func grant(_ state: inout State) {
        var place = 0
        while place < state.waiting.count {
            let next = state.waiting[place]
            if admits(next.name, next.isServer, state) {
                begin(next.name, next.isServer, &state)
                state.waiting.remove(at: place)
                next.grant.finish()
            } else {
                place += 1
            }
        }
    }

    private static func forget(_ name: Name, _ state: inout State) {
        if state.engines[name]?.busy == 0, !state.waiting.contains(where: { $0.name == name }) { state.engines[name] = nil }
    }
}
